// SPDX-License-Identifier: Apache-2.0
// Counters beside those of the other nodes.
#include "record/cluster/node_causes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "stats/sample/summary.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay::cluster {

namespace {

constexpr std::size_t least_other_nodes = 2;
constexpr double many_times = 2;     // as many detours, or as long
constexpr double mostly = 0.5;       // of the detours are switches
constexpr double few_disturbed = 5;  // batches
constexpr double far_more = 4;       // times

std::optional<double> number_of(const Cell& cell, std::string_view quantity) {
  if (cell.point == nullptr) return std::nullopt;
  const Result* result = dominant_result(*cell.point, quantity);
  return result != nullptr && std::isfinite(result->headline.value) ? std::optional(result->headline.value)
                                                                    : std::nullopt;
}

/// The median over the others of what `of` finds in a cell, where two of them have it.
template <class Of>
std::optional<double> of_others(const Table& table, const UnitRow& unit, Of of) {
  std::vector<double> values;
  for (const UnitRow& other : table.units)
    if (&other != &unit)
      if (const auto value = of(other.cell)) values.push_back(*value);
  return values.size() < least_other_nodes ? std::nullopt : std::optional(median(std::move(values)));
}

std::optional<double> disturbed_batches(const Cell& cell, Disturbance cause) {
  if (cell.point == nullptr) return std::nullopt;
  return static_cast<double>(cell.point->disturbed.at(static_cast<std::size_t>(cause)));
}

std::string times_a_second(double rate) { return rounded(rate) + " times a second"; }

/// How the node stands in the table; nothing where it has no result there.
std::optional<Oddity> oddity_of(const Table& table, const std::string& node) {
  const auto unit = std::ranges::find(table.units, node, &UnitRow::name);
  if (unit == table.units.end() || unit->cell.result == nullptr) return std::nullopt;
  return unit->finding.oddity;
}

/// In which it differs from other tables of its series.
std::string levels_of(const Table& table) {
  std::vector<std::string> words;
  for (const auto& level : table.common.levels())
    if (varies(level.first, table.series->points))
      words.push_back(level.first + "=" + shown_level(table.common, level.first));
  return joined(words, " ");
}

}  // namespace

std::string cause_in_noise(const Table& table, const UnitRow& unit) {
  const auto of = [](const char* quantity) {
    return [quantity](const Cell& cell) { return number_of(cell, quantity); };
  };
  const auto detours = number_of(unit.cell, "detours");
  const auto switches = number_of(unit.cell, "switches");
  const auto others = of_others(table, unit, of("detours"));
  const auto switches_of_others = of_others(table, unit, of("switches"));
  if (!detours || !switches || !others || !switches_of_others) return {};
  if (*detours >= many_times * *others) {
    if (*switches - *switches_of_others >= mostly * (*detours - *others))
      return "other threads took its CPU " + times_a_second(*switches) + ", the others' " +
             times_a_second(*switches_of_others);
    return "interrupts or a hypervisor took its CPU " + times_a_second(*detours) + ", the others' " +
           times_a_second(*others) + ", of which threads " + times_a_second(*switches);
  }
  const auto longest = number_of(unit.cell, "longest");
  const auto longest_of_others = of_others(table, unit, of("longest"));
  if (!longest || !longest_of_others || *longest < many_times * *longest_of_others) return {};
  return "its CPU was taken for " + rounded(Nanoseconds{*longest}) + " at a time, the others' for " +
         rounded(Nanoseconds{*longest_of_others});
}

std::vector<std::string> causes_in_disturbances(const Table& table, const UnitRow& unit) {
  constexpr std::array<std::pair<Disturbance, const char*>, 3> told{
      {{Disturbance::throttled, "batches that a quota or heat throttled: "},
       {Disturbance::stolen, "batches without all of their CPU time: "},
       {Disturbance::fault, "batches with page faults: "}}};
  std::vector<std::string> causes;
  for (const auto& [cause, text] : told) {
    const auto count = [cause = cause](const Cell& cell) { return disturbed_batches(cell, cause); };
    const auto own = count(unit.cell);
    const auto others = of_others(table, unit, count);
    if (!own || !others || *own < few_disturbed || *own < far_more * *others) continue;
    causes.push_back(text + rounded(*own) + ", the others' " + rounded(*others));
  }
  return causes;
}

std::string cause_in_levels(const std::vector<Table>& tables, const std::string& series, const std::string& node) {
  std::vector<const Table*> slow;
  std::vector<const Table*> well;
  for (const Table& table : tables) {
    if (table.factor != "node" || !table.links.empty() || table.series->series.series != series) continue;
    const auto oddity = oddity_of(table, node);
    if (!oddity || *oddity == Oddity::unclear) return {};
    (*oddity == Oddity::slow ? slow : well).push_back(&table);
  }
  if (slow.empty() || well.empty()) return {};
  std::vector<std::string> levels;
  for (const Table* table : slow) levels.push_back(levels_of(*table));
  constexpr std::size_t most = 4;
  return series + " only at " + joined(levels, ", ", most);
}

std::string cause_of_lack(const UnitRow& unit) {
  if (unit.cell.point == nullptr) return {};
  const std::string& reason = unit.cell.point->reason;
  return reason.substr(0, std::min(reason.find('\n'), reason.size()));
}

}  // namespace assay::cluster
