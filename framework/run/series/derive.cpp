// SPDX-License-Identifier: Apache-2.0
// Derived values over the finished points of a series.
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "record/known_cores.hpp"
#include "run/point/open_point.hpp"
#include "run/series/level_records.hpp"
#include "stats/fit/line_fit.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr double least_share = 0.25;  // of the batches, for a regime to count in a slope

/// A point's result for the quantity in its dominant regime, or why there is none that could be used.
struct Input {
  const Result* result = nullptr;
  std::string lack;
  const PointRecord* point = nullptr;
};

/// Points that are equal but for one factor.
struct DerivedGroup {
  Point common;
  std::vector<const PointRecord*> points;
};

const Quantity& quantity_of(const SeriesPlan& series, const DerivedSpec& spec) {
  const auto& all = series.measurement.quantities;
  const auto named = std::ranges::find(all, spec.quantity, &Quantity::name);
  return named == all.end() ? all.front() : *named;
}

Input input_of(const SeriesPlan& series, const DerivedSpec& spec, const PointRecord& point) {
  const std::string& quantity = quantity_of(series, spec).name;
  const Result* found = dominant_result(point, quantity);
  if (!ran_its_course(point.outcome))
    return {nullptr, to_text(point.outcome) + (point.code.empty() ? "" : " " + point.code)};
  if (!found || !found->headline.interval.available()) return {nullptr, "no interval"};
  return {found, {}, &point};
}

// What a reader of the input is warned of, and so has to know of what is derived from it; empty for nothing.
std::string warning_of(const PointRecord& point, const Result& result) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  if (point.outcome != Outcome::converged) add(to_text(point.outcome));
  if (result.noisy) add(percent(result.disturbed_share) + " of the batches disturbed");
  if (const std::string found = found_text(point, result); !found.empty()) add(found);
  if (point.reference.moved) add("CPUs moved");
  return text;
}

// Inputs with warnings, of which some are named. That all of them are short-term is said once.
class Warnings {
 public:
  void add(const std::string& name, const PointRecord& point, const Result& result) {
    inputs_.push_back({name, warning_of(point, result), result.term == Term::short_term});
    if (const Nanoseconds step = result.state.step; step > Nanoseconds{} && result.state.sharing == Sharing::alone) {
      slowest_ = std::max(slowest_, step);
      fastest_ = fastest_ > Nanoseconds{} ? std::min(fastest_, step) : step;
    }
  }
  /// Joins a value that has no more to say of itself.
  void mark(Derived& derived) const {
    if (!derived.valid || inputs_.empty()) return;
    const bool is_all_short = std::ranges::all_of(inputs_, &Marked::is_short_term);
    std::vector<std::string> parts;
    if (!derived.reason.empty()) parts.push_back(derived.reason);
    if (is_all_short) parts.push_back(inputs_.size() == 1 ? "short-term" : "all inputs short-term");
    if (fastest_ > Nanoseconds{} && !is_one_clock(slowest_, fastest_))
      parts.push_back("the clocks of its inputs differ by up to " + percent(slowest_ / fastest_ - 1));
    std::size_t warned = 0;
    for (const Marked& input : inputs_) {
      const std::string text = input.text(!is_all_short);
      if (text.empty()) continue;
      if (++warned <= most_named) parts.push_back(input.name + ": " + text);
    }
    if (warned > most_named)
      parts.push_back(std::to_string(warned) + " of " + counted(inputs_.size(), "input") + " in all");
    derived.reason = joined(parts, "; ");
  }

 private:
  struct Marked {
    std::string name;
    std::string warning;
    bool is_short_term;

    std::string text(bool says_term) const {
      if (!says_term || !is_short_term) return warning;
      return warning.empty() ? "short-term" : warning + ", short-term";
    }
  };
  static constexpr std::size_t most_named = 3;
  std::vector<Marked> inputs_;
  Nanoseconds slowest_{};  ///< step of the chain, of inputs of cores alone
  Nanoseconds fastest_{};
};

std::vector<DerivedGroup> groups_of(const std::vector<PointRecord>& points, const std::string& factor) {
  std::vector<DerivedGroup> groups;
  for (const PointRecord& point : points) {
    if (!point.point.find(factor)) continue;
    Point common = point.point.without(factor);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const DerivedGroup& g) { return g.common == common; });
    if (group == groups.end()) group = groups.insert(groups.end(), {std::move(common), {}});
    group->points.push_back(&point);
  }
  return groups;
}

DerivedRecord blank(const SeriesPlan& series, const DerivedSpec& spec, const DerivedGroup& group) {
  DerivedRecord record;
  record.series = series.name;
  record.name = spec.name;
  record.formula = spec.text;
  record.group = group.common;
  record.quantity = quantity_of(series, spec).name;
  record.unit = symbol(quantity_of(series, spec).unit);
  return record;
}

Input input_at(const SeriesPlan& series, const DerivedSpec& spec, const DerivedGroup& group, const std::string& level) {
  const std::string name = spec.factor + "=" + level;
  for (const PointRecord* point : group.points)
    if (point->point.text(spec.factor) == level) {
      Input input = input_of(series, spec, *point);
      if (!input.result) input.lack = name + ": " + input.lack;
      return input;
    }
  return {nullptr, "no point with " + name};
}

// With 0 as its value, as journals have it, where not_derived() has NaN.
Derived invalid(std::string reason) {
  Derived derived;
  derived.reason = std::move(reason);
  return derived;
}

Derived pair_value(const DerivedSpec& spec, const Input& a, const Input& b) {
  if (!a.result || !b.result) return invalid(a.result ? b.lack : a.lack);
  if (a.result->regime != b.result->regime)
    return invalid("the regimes differ: " + to_text(a.result->regime) + ", " + to_text(b.result->regime));
  const bool is_ratio = spec.kind == DerivedSpec::Kind::ratio;
  return is_ratio ? ratio(a.result->headline, b.result->headline) : difference(a.result->headline, b.result->headline);
}

DerivedRecord pair_record(const SeriesPlan& series, const DerivedSpec& spec, const DerivedGroup& group) {
  DerivedRecord record = blank(series, spec, group);
  const Input a = input_at(series, spec, group, spec.first);
  const Input b = input_at(series, spec, group, spec.second);
  if (a.result) record.regime = a.result->regime;
  if (spec.kind == DerivedSpec::Kind::ratio) record.unit = symbol(Unit::ratio);
  record.derived = pair_value(spec, a, b);
  Warnings warnings;
  if (a.result) warnings.add(spec.factor + "=" + spec.first, *a.point, *a.result);
  if (b.result) warnings.add(spec.factor + "=" + spec.second, *b.point, *b.result);
  warnings.mark(record.derived);
  return record;
}

std::string per_level(const SeriesPlan& series, const std::string& name) {
  for (const Factor& factor : series.measurement.factors)
    if (factor.name == name && factor.unit != Unit::count) return symbol(factor.unit);
  return name;
}

/// The usable results of a point for the quantity, one for each regime that it was in often enough.
std::vector<const Result*> results_of(const SeriesPlan& series, const DerivedSpec& spec, const PointRecord& point) {
  std::vector<const Result*> found;
  if (!ran_its_course(point.outcome)) return found;
  for (const Result& result : point.results)
    if (result.quantity == quantity_of(series, spec).name && result.regime_share >= least_share &&
        result.headline.interval.available())
      found.push_back(&result);
  return found;
}

/// One curve per regime: a slope through two regimes would describe neither.
struct Curve {
  Estimates line;
  Warnings warnings;
};
std::map<Regime, Curve> curves_of(const SeriesPlan& series, const DerivedSpec& spec, const DerivedGroup& group) {
  std::map<Regime, Curve> curves;
  for (const PointRecord* point : group.points)
    if (const auto x = number_of(point->point.level(spec.factor)))
      for (const Result* result : results_of(series, spec, *point)) {
        Curve& curve = curves[result->regime];
        curve.line.push_back({*x, result->headline});
        curve.warnings.add(spec.factor + "=" + point->point.text(spec.factor), *point, *result);
      }
  return curves;
}

std::vector<DerivedRecord> slopes(const SeriesPlan& series, const DerivedSpec& spec, const DerivedGroup& group) {
  const auto lines = curves_of(series, spec, group);
  DerivedRecord record = blank(series, spec, group);
  record.unit += "/" + per_level(series, spec.factor);
  record.derived = invalid("no point has a usable value");
  if (lines.empty()) return {record};
  std::vector<DerivedRecord> records;
  for (const auto& [regime, line] : lines) {
    record.regime = regime;
    record.derived = slope(line.line, series.precision.rule.alpha);
    line.warnings.mark(record.derived);
    records.push_back(record);
  }
  return records;
}

Unit unit_of_levels(const SeriesPlan& series, const std::string& name) {
  const auto& factors = series.measurement.factors;
  const auto found = std::ranges::find(factors, name, &Factor::name);
  return found == factors.end() ? Unit::count : found->unit;
}

std::vector<DerivedRecord> levels(const SeriesPlan& series, const DerivedSpec& spec, const DerivedGroup& group) {
  const Unit unit = unit_of_levels(series, spec.factor);
  LevelSearch search{blank(series, spec, group), unit, {}, series.precision.rule.alpha};
  if (unit == Unit::bytes) search.known = series.caches;
  const auto curves = curves_of(series, spec, group);
  if (curves.empty()) {
    search.like.derived = invalid("no point has a usable value");
    return {search.like};
  }
  std::vector<DerivedRecord> records;
  for (const auto& [regime, curve] : curves) {
    search.like.regime = regime;
    for (DerivedRecord& record : level_records(search, curve.line)) {
      curve.warnings.mark(record.derived);
      records.push_back(std::move(record));
    }
  }
  return records;
}

std::vector<DerivedRecord> records_of(const SeriesPlan& series, const DerivedSpec& spec, const DerivedGroup& group) {
  if (spec.kind == DerivedSpec::Kind::slope) return slopes(series, spec, group);
  if (spec.kind == DerivedSpec::Kind::plateaus) return levels(series, spec, group);
  return {pair_record(series, spec, group)};
}

}  // namespace

std::vector<DerivedRecord> derive(const SeriesPlan& series, const std::vector<PointRecord>& points) {
  std::vector<DerivedRecord> records;
  for (const DerivedSpec& spec : series.derived)
    for (const DerivedGroup& group : groups_of(points, spec.factor))
      std::ranges::move(records_of(series, spec, group), std::back_inserter(records));
  return records;
}

}  // namespace assay
