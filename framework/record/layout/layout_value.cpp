// SPDX-License-Identifier: Apache-2.0
// Values are looked up once, then the formula is computed over their estimates.
#include "record/layout/layout_systems.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "record/layout/formula.hpp"

namespace assay {
namespace {

using NodeKind = FormulaNode::Kind;

/// Looks the values of one formula up.
class Resolver {
 public:
  Resolver(const LayoutSpec& spec, const LayoutSystems& systems, const LayoutFormulas& formulas)
      : spec_(spec), systems_(systems), formulas_(formulas) {}

  ResolvedFormula resolve(const FormulaNode& node, const LayoutPlace& place) {
    ResolvedFormula resolved{node.kind, node.number, 0, {}};
    if (node.kind == NodeKind::value) {
      resolved.input = add(find(node, place));
    } else if (!node.over.empty()) {
      run_through(node, place, 0, resolved);
      if (resolved.operands.empty()) add({});
    } else {
      for (const FormulaNode& operand : node.operands) resolved.operands.push_back(resolve(operand, place));
    }
    return resolved;
  }
  const std::vector<FoundValue>& inputs() const { return inputs_; }

 private:
  // Of what a function runs through, that which has no number is left out: it was looked for, not named.
  void run_through(const FormulaNode& node, const LayoutPlace& place, std::size_t factor, ResolvedFormula& resolved) {
    if (factor == node.over.size()) {
      const std::size_t before = inputs_.size();
      ResolvedFormula one = resolve(node.operands.front(), place);
      const bool is_whole = std::all_of(inputs_.begin() + static_cast<std::ptrdiff_t>(before), inputs_.end(),
                                        [](const FoundValue& input) { return input.kind == FoundValue::Kind::number; });
      if (is_whole)
        resolved.operands.push_back(std::move(one));
      else
        inputs_.resize(before);
      return;
    }
    for (const std::string& level : formulas_.levels(node.operands.front(), place, node.over[factor])) {
      LayoutPlace there = place;
      there.levels = with(std::move(there.levels), node.over[factor], level);
      run_through(node, there, factor + 1, resolved);
    }
  }

  // The same point met twice is one input: its error is one error.
  std::size_t add(FoundValue found) {
    if (found.kind == FoundValue::Kind::number)
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        if (inputs_[i].kind == found.kind && inputs_[i].result == found.result &&
            inputs_[i].published == found.published)
          return i;
    inputs_.push_back(std::move(found));
    return inputs_.size() - 1;
  }

  FoundValue find(const FormulaNode& node, const LayoutPlace& place) const {
    NamedTexts attributes = place.attributes;
    for (const auto& [attribute, text] : node.elsewhere) {
      if (attribute == "baseline" || attribute == "system")
        attributes = {{"system", attribute == "baseline" ? spec_.baseline : text}};
      else if (attribute == "before" || attribute == "first")
        attributes = {{"system", attribute == "first" ? name_of_first(place) : name_before(place)}};
      else
        attributes = with(those_of_its_system(std::move(attributes), attribute), attribute, text);
    }
    std::vector<const LayoutSystem*> fitting = systems_.matching(attributes, place.group);
    if (attributes.empty()) std::erase_if(fitting, [](const LayoutSystem* system) { return system->is_published; });
    return of_these(fitting, formulas_.value(node.name), place.levels);
  }

  // Attributes instead of the system that has them: another system differs in the one that is then set. Where it is not
  // known of this system none is comparable.
  NamedTexts those_of_its_system(NamedTexts attributes, const std::string& one_that_differs) const {
    const std::string* name = text_for(attributes, "system");
    if (name == nullptr) return attributes;
    const auto& all = systems_.all();
    const auto own = std::ranges::find(all, *name, &LayoutSystem::name);
    if (own == all.end() || text_for(own->attributes, one_that_differs) == nullptr) return {{"system", ""}};
    std::erase_if(attributes, [](const auto& one) { return one.first == "system"; });
    for (const AttributeSpec& attribute : spec_.attributes)
      if (const std::string* text = text_for(own->attributes, attribute.name))
        attributes = with(std::move(attributes), attribute.name, *text);
    return attributes;
  }

  // Of the system that stands before the one of this place; empty, which no system is called, for the first.
  std::string name_before(const LayoutPlace& place) const {
    const std::string* own = text_for(place.attributes, "system");
    std::string before;
    for (const LayoutSystem* system : systems_.matching({}, place.group)) {
      if (own != nullptr && system->name == *own) return before;
      before = system->name;
    }
    return {};
  }

  // Of the first system that was measured, or published, as the one of this place was.
  std::string name_of_first(const LayoutPlace& place) const {
    const auto all = systems_.matching({}, place.group);
    const std::string* name = text_for(place.attributes, "system");
    const auto own = std::ranges::find_if(all, [&](const auto* system) { return name && system->name == *name; });
    if (own == all.end()) return {};
    return (*std::ranges::find(all, (*own)->is_published, &LayoutSystem::is_published))->name;
  }

  FoundValue of_these(const std::vector<const LayoutSystem*>& fitting, const ValueSpec& value,
                      const NamedTexts& levels) const {
    FoundValue found;
    for (const LayoutSystem* system : fitting) {
      FoundValue one = systems_.find(*system, value, levels);
      if (one.kind == FoundValue::Kind::none) continue;
      // Variants of a campaign share its points without a variant.
      if (one.point != nullptr && one.point == found.point) continue;
      if (found.kind != FoundValue::Kind::none) {
        found = {};
        found.kind = FoundValue::Kind::lack;
        found.lack = "several";
        found.reason = "several systems have it";
        return found;
      }
      found = std::move(one);
    }
    return found;
  }

  const LayoutSpec& spec_;
  const LayoutSystems& systems_;
  const LayoutFormulas& formulas_;
  std::vector<FoundValue> inputs_;
};

void take_lack(LayoutValue& value, const FoundValue& input) {
  if (value.kind == FoundValue::Kind::lack) return;
  value.kind = input.kind;
  value.lack = input.lack;
  value.reason = input.reason;
}

void take_inputs(LayoutValue& value, const std::vector<FoundValue>& inputs) {
  value.kind = FoundValue::Kind::number;
  for (const FoundValue& input : inputs) {
    if (input.kind != FoundValue::Kind::number) take_lack(value, input);
    value.is_measured = value.is_measured || input.point != nullptr;
  }
  value.inputs = inputs;
}

void add_marks(LayoutValue& value, std::string_view marks) {
  for (const char mark : marks)
    if (value.marks.find(mark) == value.marks.npos) value.marks += mark;
}

void take_number(LayoutValue& value, const ResolvedFormula& formula) {
  std::vector<Estimate> estimates;
  for (const FoundValue& input : value.inputs) estimates.push_back(input.estimate);
  for (const std::size_t input : deciding_inputs(formula, estimates)) add_marks(value, value.inputs[input].marks);
  // A value by itself is shown even without an interval, with the mark that says so; a spread has none at all.
  if (formula.kind == NodeKind::value && !estimates[formula.input].interval.available()) {
    value.derived = {estimates[formula.input].value, {}, true, {}};
    return;
  }
  value.derived = derived_from(formula, estimates);
  if (value.derived.valid) {
    if (!value.derived.interval.available()) add_marks(value, "?");
    return;
  }
  value.kind = FoundValue::Kind::lack;
  value.lack = "N/A";
  value.reason = value.derived.reason;
}

double last_place(const std::string& printed) {
  const auto point = printed.find('.');
  return point == printed.npos ? 1 : std::pow(10, -static_cast<double>(printed.size() - point - 1));
}

// Its other figures are rounded themselves.
bool is_printed_right(double printed, double computed, double place) {
  constexpr double rounding = 0.01;
  return std::abs(computed - printed) < std::max(place * (1 + 1e-9), rounding * std::abs(computed));
}

// The document's own figure stands where there is one; what its other figures give is held against it.
void take_printed(LayoutValue& value, const PublishedNumber& printed, double multiple) {
  const bool is_computable = value.kind == FoundValue::Kind::number && !value.is_measured;
  const double computed = is_computable ? value.derived.value : printed.number;
  value.kind = FoundValue::Kind::number;
  value.lack.clear();
  value.reason.clear();
  value.printed = printed.printed;
  value.why_differs = printed.why;
  if (printed.recomputed)
    value.differs = printed.recomputed;
  else if (!is_printed_right(printed.number, computed, last_place(printed.printed) * multiple))
    value.differs = computed;
  value.derived = {printed.number, {printed.number, printed.number, 1}, true, {}};
}

}  // namespace

const ValueSpec& LayoutFormulas::value(const std::string& name) const {
  const auto found = std::ranges::find(spec_->values, name, &ValueSpec::name);
  if (found == spec_->values.end()) throw std::logic_error("no value '" + name + "' in layout '" + spec_->name + "'");
  return *found;
}

LayoutValue LayoutFormulas::at(const ItemSpec& item, const std::string& cell, const LayoutPlace& place,
                               double multiple) const {
  Resolver resolver(*spec_, *systems_, *this);
  const ResolvedFormula formula = resolver.resolve(item.formula, place);
  LayoutValue value;
  take_inputs(value, resolver.inputs());
  if (value.kind == FoundValue::Kind::number) take_number(value, formula);
  const bool is_bare = item.formula.kind == NodeKind::value && item.formula.elsewhere.empty();
  for (const LayoutSystem* system : systems_->matching(place.attributes, place.group)) {
    if (place.attributes.empty()) break;
    const PublishedNumber* printed = systems_->printed(*system, cell, place.levels);
    if (printed == nullptr && is_bare) printed = systems_->printed(*system, item.formula.name, place.levels);
    if (printed != nullptr) take_printed(value, *printed, multiple);
  }
  return value;
}

std::vector<std::string> LayoutFormulas::levels(const FormulaNode& formula, const LayoutPlace& place,
                                                const std::string& factor) const {
  std::vector<std::string> found;
  for (const LayoutSystem* system : systems_->matching(place.attributes, place.group)) {
    if (place.attributes.empty() && system->is_published) continue;
    for (const std::string& name : values_in(formula))
      for (std::string& level : systems_->levels_of(*system, value(name), place.levels, factor))
        if (std::ranges::find(found, level) == found.end()) found.push_back(std::move(level));
  }
  return found;
}

}  // namespace assay
