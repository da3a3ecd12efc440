// SPDX-License-Identifier: Apache-2.0
// Values are looked up once, then the formula is computed over their estimates.
#include "record/layout/layout_value.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "stats/fit/propagation.hpp"

namespace assay {
namespace {

using NodeKind = FormulaNode::Kind;

/// A formula whose values are places in a list of numbers, and whose factors are run through.
struct Resolved {
  NodeKind kind = NodeKind::number;
  double number = 0;
  std::size_t input = 0;
  std::vector<Resolved> operands{};
};

double least_of(const std::vector<double>& values) { return *std::ranges::min_element(values); }
double greatest_of(const std::vector<double>& values) { return *std::ranges::max_element(values); }
double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double compute(const Resolved& node, std::span<const double> inputs) {
  if (node.kind == NodeKind::number) return node.number;
  if (node.kind == NodeKind::value) return inputs[node.input];
  std::vector<double> values;
  for (const Resolved& operand : node.operands) values.push_back(compute(operand, inputs));
  switch (node.kind) {
    case NodeKind::negate:
      return -values[0];
    case NodeKind::add:
      return values[0] + values[1];
    case NodeKind::subtract:
      return values[0] - values[1];
    case NodeKind::multiply:
      return values[0] * values[1];
    case NodeKind::divide:
      return values[0] / values[1];
    case NodeKind::least:
      return least_of(values);
    case NodeKind::greatest:
      return greatest_of(values);
    default:
      return mean_of(values);
  }
}

// Divided by something that may be 0 the result may be anything.
bool divides_by_nothing(const Resolved& node, std::span<const Estimate> inputs) {
  for (const Resolved& operand : node.operands)
    if (divides_by_nothing(operand, inputs)) return true;
  if (node.kind != NodeKind::divide) return false;
  const Derived divisor =
      propagated(inputs, [&](std::span<const double> values) { return compute(node.operands[1], values); });
  return divisor.valid && divisor.interval.low <= 0 && divisor.interval.high >= 0;
}

/// Looks the values of one formula up.
class Resolver {
 public:
  Resolver(const LayoutSpec& spec, const LayoutSystems& systems, const LayoutFormulas& formulas)
      : spec_(spec), systems_(systems), formulas_(formulas) {}

  Resolved resolve(const FormulaNode& node, const LayoutPlace& place) {
    Resolved resolved{node.kind, node.number, 0, {}};
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
  void run_through(const FormulaNode& node, const LayoutPlace& place, std::size_t factor, Resolved& resolved) {
    if (factor == node.over.size()) {
      const std::size_t before = inputs_.size();
      Resolved one = resolve(node.operands.front(), place);
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
      else
        attributes = with(std::move(attributes), attribute, text);
    }
    std::vector<const LayoutSystem*> fitting = systems_.matching(attributes, place.group);
    if (attributes.empty()) std::erase_if(fitting, [](const LayoutSystem* system) { return system->is_published; });
    return of_these(fitting, formulas_.value(node.name), place.levels);
  }

  FoundValue of_these(const std::vector<const LayoutSystem*>& fitting, const ValueSpec& value,
                      const NamedTexts& levels) const {
    FoundValue found;
    for (const LayoutSystem* system : fitting) {
      FoundValue one = systems_.find(*system, value, levels);
      if (one.kind == FoundValue::Kind::none) continue;
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
    for (const char mark : input.marks)
      if (value.marks.find(mark) == value.marks.npos) value.marks += mark;
  }
  value.inputs = inputs;
}

void take_number(LayoutValue& value, const Resolved& formula) {
  std::vector<Estimate> estimates;
  for (const FoundValue& input : value.inputs) estimates.push_back(input.estimate);
  // A value by itself is shown even without an interval, with the mark that says so.
  if (formula.kind == NodeKind::value && !estimates[formula.input].interval.available()) {
    value.derived.value = estimates[formula.input].value;
    return;
  }
  value.derived = propagated(estimates, [&](std::span<const double> values) { return compute(formula, values); });
  if (value.derived.valid && divides_by_nothing(formula, estimates))
    value.derived = {std::nan(""), {}, false, "the interval of a divisor reaches 0"};
  if (value.derived.valid) return;
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
  const Resolved formula = resolver.resolve(item.formula, place);
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
