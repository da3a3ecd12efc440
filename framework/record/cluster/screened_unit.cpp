// SPDX-License-Identifier: Apache-2.0
// Units of a screening as derived values, and back.
#include "record/cluster/screened_unit.hpp"

#include <array>
#include <utility>

namespace assay::cluster {

namespace {

constexpr const char* derived_name = "screened";
constexpr std::array<const char*, 3> verdict_words{"slow", "lacking", "unclear"};

void set_unless_empty(Point& point, const char* factor, const std::string& level) {
  if (!level.empty()) point.set(factor, level);
}

std::string level_or_nothing(const Point& point, const char* factor) {
  return point.find(factor) == nullptr ? std::string() : point.text(factor);
}

std::optional<Screened> parse_screened(const std::string& word) {
  for (std::size_t i = 0; i < verdict_words.size(); ++i)
    if (word == verdict_words.at(i)) return static_cast<Screened>(i);
  return std::nullopt;
}

}  // namespace

std::string to_text(Screened verdict) { return verdict_words.at(static_cast<std::size_t>(verdict)); }

DerivedRecord record_of(const ScreenedUnit& unit) {
  DerivedRecord record;
  record.series = unit.series;
  record.name = derived_name;
  record.formula = "time over that of healthy units";
  set_unless_empty(record.group, "node", unit.node);
  set_unless_empty(record.group, "peer", unit.peer);
  set_unless_empty(record.group, "part", unit.part);
  record.group.set("verdict", to_text(unit.verdict));
  record.quantity = "time";
  record.unit = symbol(Unit::ratio);
  if (unit.verdict == Screened::lacking)
    record.derived = not_derived(unit.reason);
  else
    record.derived = {unit.ratio, unit.interval, true, unit.reason};
  return record;
}

std::optional<ScreenedUnit> screened_unit(const Record& record) {
  const auto* derived = std::get_if<DerivedRecord>(&record);
  if (derived == nullptr || derived->name != derived_name) return std::nullopt;
  const auto verdict = parse_screened(level_or_nothing(derived->group, "verdict"));
  if (!verdict) return std::nullopt;
  return ScreenedUnit{derived->series,
                      *verdict,
                      level_or_nothing(derived->group, "node"),
                      level_or_nothing(derived->group, "peer"),
                      level_or_nothing(derived->group, "part"),
                      derived->derived.value,
                      derived->derived.interval,
                      derived->derived.reason};
}

}  // namespace assay::cluster
