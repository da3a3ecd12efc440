// SPDX-License-Identifier: Apache-2.0
// The text of derived values.
#include "record/table/derived_text.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "record/core_cycles.hpp"
#include "record/shown_value.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

constexpr double least_p = 0.0001;

// The levels of the group that differ within the series, quantity and regime where they say something.
std::string subject_of(const DerivedRecord& record, const SeriesGroup& group) {
  std::string text = printable(record.name);
  std::string where;
  for (const auto& [factor, level] : record.group.levels())
    if (group.points.empty() || varies(factor, group.points))
      where += ' ' + factor + '=' + shown_level(record.group, factor);
  if (!where.empty()) text += " at" + where;
  if (group.series.quantities.size() > 1) text += " of " + printable(record.quantity);
  if (record.regime != Regime::solo) text += ", " + to_text(record.regime);
  return text;
}

// A unit of our own is scaled; a composed one, such as ns/B, stays.
std::string value_of(const DerivedRecord& record) {
  const Derived& derived = record.derived;
  if (!derived.valid) return "n/a: " + printable(derived.reason);
  const auto unit = parse_unit(record.unit);
  const Scale scale = unit ? scale_of(derived.value, *unit) : Scale{1, printable(record.unit)};
  const ShownValue text = shown(derived.value, derived.interval, scale);
  const std::string interval =
      derived.interval.available() ? " [" + text.low + " .. " + text.high + "]" : " [no interval]";
  return text.value + interval + (scale.name.empty() ? "" : " ") + scale.name;
}

std::string at(const SymmetryTest::Representative& one, const Scale& scale) {
  return shown(one.value, {}, scale).value + " (" + printable(one.placement) + ")";
}

// The verdict first, since it says how to read the values.
std::string symmetry_of(const DerivedRecord& record) {
  const SymmetryTest& test = *record.symmetry;
  std::string text = to_text(test.verdict);
  if (!record.derived.reason.empty()) text += ": " + printable(record.derived.reason);
  if (test.placements < 2) return text;
  const Scale scale = scale_of(test.lowest.value, parse_unit(test.unit).value_or(Unit::ratio));
  text += "; " + at(test.lowest, scale) + " .. " + at(test.middle, scale) + " .. " + at(test.highest, scale);
  if (!scale.name.empty()) text += " " + scale.name;
  text += ", " + std::to_string(test.placements) + " representatives";
  if (!std::isfinite(test.p)) return text;
  return text + (test.p < least_p ? ", p < 0.0001" : ", p = " + fixed_text(test.p, 4));
}

// What it was derived from: results of its quantity and regime at the points of its group.
std::vector<const Result*> inputs_of(const DerivedRecord& record, const SeriesGroup& group) {
  std::vector<const Result*> inputs;
  for (const PointRecord& point : group.points) {
    const bool is_in_group = std::ranges::all_of(record.group.levels(), [&](const auto& level) {
      const Value* found = point.point.find(level.first);
      return found != nullptr && *found == level.second;
    });
    const Result* result = is_in_group ? find_result(point, record.quantity, record.regime) : nullptr;
    if (result != nullptr) inputs.push_back(result);
  }
  return inputs;
}

// A time that is derived from times of one clock; empty for others.
std::string cycles_beside(const DerivedRecord& record, const SeriesGroup& group) {
  if (record.symmetry || !record.derived.valid || record.unit != symbol(Unit::nanoseconds)) return {};
  const auto clock = common_clock(inputs_of(record, group));
  if (!clock) return {};
  const Estimate cycles = in_cycles({"", record.derived.value, record.derived.interval, ""}, *clock);
  const ShownValue text = shown(cycles.value, cycles.interval, {1, "cycles"});
  const std::string interval = cycles.interval.available() ? " [" + text.low + " .. " + text.high + "]" : "";
  return ", " + text.value + interval + " cycles";
}

}  // namespace

void print_derived(std::ostream& out, const SeriesGroup& group, bool cycles) {
  if (!group.derived.empty()) out << '\n';
  for (const DerivedRecord& record : group.derived) {
    out << subject_of(record, group) << " = " << (record.symmetry ? symmetry_of(record) : value_of(record));
    if (cycles) out << cycles_beside(record, group);
    if (!record.formula.empty()) out << " (" << printable(record.formula) << ')';
    out << '\n';
  }
}

}  // namespace assay
