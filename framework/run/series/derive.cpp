// SPDX-License-Identifier: Apache-2.0
// Derived values over the finished points of a series.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"
#include "record/shown_value.hpp"
#include "run/point/open_point.hpp"
#include "stats/fit/line_fit.hpp"
#include "stats/fit/plateaus.hpp"

namespace assay {

namespace {

/// What levels are searched in, and how the values are named.
struct LevelSearch {
  DerivedRecord like;               ///< series, group, regime and quantity of all; its name stands before theirs
  Unit unit = Unit::count;          ///< of the abscissas
  std::vector<KnownLevel> known{};  ///< ascending; beyond the last is main memory. None: nothing is known
  double alpha = 0.05;
};

class LevelRecords {
 public:
  LevelRecords(const LevelSearch& search, const Estimates& curve)
      : search_(search), curve_(curve), found_(plateaus(curve, search.alpha)) {
    indexes_ = known_levels_of(found_, search.known);
  }

  std::vector<DerivedRecord> all() && {
    for (std::size_t i = 0; i < found_.size(); ++i) add_plateau(i);
    for (std::size_t i = 0; i < search_.known.size(); ++i)
      if (std::ranges::count(indexes_, i) == 0) add_absent(search_.known[i].name, absence(i));
    if (knows_caches() && !has_main()) add_absent("main", absence(search_.known.size()));
    if (records_.empty()) add_absent("level1", "no plateau: no values within 8 % of each other over a factor of 2");
    return std::move(records_);
  }

 private:
  bool knows_caches() const { return !search_.known.empty(); }
  // Main memory is beyond all caches; of several plateaus there it is the last.
  bool is_main(std::size_t i) const { return has_main() && i + 1 == found_.size(); }
  bool has_main() const { return knows_caches() && !indexes_.empty() && indexes_.back() == search_.known.size(); }
  std::string text(double abscissa) const {
    const Scale scale = scale_of(abscissa, search_.unit);
    const double value = abscissa / scale.size;
    return fixed_text(value, value == std::floor(value) ? 0 : 1) + (scale.name.empty() ? "" : " " + scale.name);
  }

  DerivedRecord& add(const std::string& name, Derived derived) {
    DerivedRecord record = search_.like;
    record.name += "." + name;
    record.derived = std::move(derived);
    return records_.emplace_back(std::move(record));
  }

  void add_plateau(std::size_t i) {
    const Plateau& plateau = found_[i];
    const std::string name = is_main(i) ? "main" : "level" + std::to_string(i + 1);
    std::string range = ": " + text(plateau.first) + " to " + text(plateau.last);
    if (indexes_[i] < search_.known.size()) {
      const KnownLevel& known = search_.known[indexes_[i]];
      range += "; " + known.name + " has " + text(known.last);
    }
    add(name + "." + search_.like.quantity, plateau.level).formula += range;
    if (!plateau.end.available()) return;
    DerivedRecord& size = add(name + ".size", {plateau.last, plateau.end, true, {}});
    size.unit = search_.unit == Unit::count ? std::string() : symbol(search_.unit);
    size.formula += range;
  }

  void add_absent(const std::string& name, std::string reason) { add(name, not_derived(std::move(reason))); }

  // Why a known level, or main memory behind the last one, does not show.
  std::string absence(std::size_t i) const {
    const double from = i == 0 ? 0 : search_.known[i - 1].last;
    const bool is_last = i == search_.known.size();
    const double to = is_last ? std::numeric_limits<double>::infinity() : search_.known[i].last;
    const auto values =
        std::ranges::count_if(curve_, [&](const Abscissa& point) { return point.x > from && point.x <= to; });
    const std::string where = is_last ? "beyond " + text(from) : "between " + text(from) + " and " + text(to);
    if (values < 2) return "the curve has " + std::to_string(values) + " values " + where;
    return "no plateau " + where + ", where it would show";
  }

  const LevelSearch& search_;
  const Estimates& curve_;
  std::vector<Plateau> found_;
  std::vector<std::size_t> indexes_;  ///< of known levels, by plateau
  std::vector<DerivedRecord> records_;
};

/// For each plateau "NAME.level1.latency" with the quantity's own name and "NAME.level1.size", the largest abscissa on
/// it, whose interval ends at the first one beyond; the last beyond all known levels is "NAME.main.latency". For each
/// known level (and main memory) that does not show a value "NAME.L2" that is not valid, with the reason.
std::vector<DerivedRecord> level_records(const LevelSearch& search, const Estimates& curve) {
  return LevelRecords(search, curve).all();
}

constexpr double least_share = 0.25;  // of the batches, for a regime to count in a slope

/// A point's result for the quantity in its dominant regime, or why there is none that could be used.
struct Input {
  const Result* result = nullptr;
  std::string lack;
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
  return {found, {}};
}

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
std::map<Regime, Estimates> curves_of(const SeriesPlan& series, const DerivedSpec& spec, const DerivedGroup& group) {
  std::map<Regime, Estimates> curves;
  for (const PointRecord* point : group.points)
    if (const auto x = number_of(point->point.level(spec.factor)))
      for (const Result* result : results_of(series, spec, *point))
        curves[result->regime].push_back({*x, result->headline});
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
    record.derived = slope(line, series.precision.rule.alpha);
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
    std::ranges::move(level_records(search, curve), std::back_inserter(records));
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
