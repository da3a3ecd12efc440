// SPDX-License-Identifier: Apache-2.0
// The majority of nodes, fact by fact, and counters beside those of the other nodes.
#include "record/cluster/node_causes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>

#include "record/table/block_table.hpp"
#include "stats/sample/summary.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay::cluster {
namespace {

constexpr std::string_view not_available = "not available";

constexpr std::array<std::string_view, 10> kept_groups{"assay.",  "build.", "cgroup.", "cpu.",    "firmware.",
                                                       "kernel.", "libc.",  "limit.",  "memory.", "virtual."};
constexpr std::array<std::string_view, 7> kept_facts{"clock.source",
                                                     "clock.sources",
                                                     "mpi.library",
                                                     "process.scheduling",
                                                     "process.preload",
                                                     "system.shell",
                                                     "process.address_randomisation"};
constexpr std::array<std::string_view, 2> changing_facts{"kernel.boot_id", "memory.available"};

/// Those that can explain a time, most likely ones first.
constexpr std::array<std::string_view, 26> timing_facts{"cgroup.cpu_quota",
                                                        "cpu.governor",
                                                        "cpu.max_khz",
                                                        "cpu.min_khz",
                                                        "cpu.turbo",
                                                        "cpu.power_cap_watts",
                                                        "cpu.heat_throttles",
                                                        "cpu.model",
                                                        "cpu.topology",
                                                        "cpu.usable",
                                                        "cpu.smt",
                                                        "cpu.caches",
                                                        "cpu.isolated",
                                                        "cpu.frequency_driver",
                                                        "cpu.idle_driver",
                                                        "cpu.microcode",
                                                        "firmware.version",
                                                        "kernel.release",
                                                        "kernel.parameters",
                                                        "kernel.preemption",
                                                        "kernel.numa_balancing",
                                                        "memory.total",
                                                        "memory.transparent_huge_pages",
                                                        "clock.source",
                                                        "process.scheduling",
                                                        "virtual.hypervisor"};

constexpr double same_size = 0.02;

bool is_comparable(const std::string& key) {
  if (std::ranges::find(changing_facts, key) != changing_facts.end()) return false;
  return std::ranges::find(kept_facts, key) != kept_facts.end() ||
         std::ranges::any_of(kept_groups, [&](std::string_view group) { return key.starts_with(group); });
}

/// "16314728 kB"; 0 where it is no size.
double kilobytes(const std::string& value) {
  double number = 0;
  const auto end = std::from_chars(value.data(), value.data() + value.size(), number).ptr;
  return std::string_view(end, value.data() + value.size()) == " kB" ? number : 0;
}

/// Firmware and kernel keep some megabytes, and not always as many.
bool is_same(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const double size = kilobytes(a);
  const double other = kilobytes(b);
  return size > 0 && other > 0 && std::abs(size - other) <= same_size * std::max(size, other);
}

using Values = std::vector<OddFact::Other>;

void add(Values& values, const std::string& value, const std::string& node) {
  const auto found = std::ranges::find_if(values, [&](const auto& one) { return is_same(one.value, value); });
  if (found != values.end())
    found->nodes.push_back(node);
  else
    values.push_back({value, {node}});
}

}  // namespace

Facts comparable_facts(const Facts& facts) {
  Facts kept;
  for (const auto& [key, value] : facts)
    if (is_comparable(key)) kept.emplace_back(key, value.starts_with(not_available) ? not_available : value);
  return kept;
}

std::vector<OddFact> odd_facts(const std::vector<Record>& records) {
  std::map<std::string, Values> by_key;
  for (const Record& record : records)
    if (const auto* node = std::get_if<NodeRecord>(&record))
      for (const auto& [key, value] : node->facts) add(by_key[key], value, node->node);
  std::vector<OddFact> odd;
  for (auto& [key, values] : by_key) {
    std::ranges::stable_sort(values, std::ranges::greater{}, [](const auto& one) { return one.nodes.size(); });
    std::size_t all = 0;
    for (const auto& one : values) all += one.nodes.size();
    const std::size_t usual = values.front().nodes.size();
    if (values.size() < 2 || 2 * usual <= all) continue;
    odd.push_back({key, values.front().value, usual, {values.begin() + 1, values.end()}});
  }
  return odd;
}

std::vector<std::string> causes_in_facts(const std::vector<OddFact>& facts, const std::string& node) {
  std::vector<std::string> causes;
  for (const std::string_view key : timing_facts) {
    const auto fact = std::ranges::find(facts, key, &OddFact::key);
    if (fact == facts.end()) continue;
    for (const auto& other : fact->others)
      if (std::ranges::find(other.nodes, node) != other.nodes.end())
        causes.push_back(fact->key + " is " + other.value + ", on most nodes " + fact->usual);
  }
  return causes;
}

void print_odd_facts(std::ostream& out, const std::vector<OddFact>& facts) {
  if (facts.empty()) return;
  constexpr std::size_t most_nodes = 8;
  std::vector<MarkedColumn> columns{
      {"fact", "", false}, {"on most nodes", "", false}, {"differs", "", false}, {"on", "", false}};
  for (const OddFact& fact : facts)
    for (const auto& other : fact.others) {
      columns[0].add({printable(fact.key)});
      columns[1].add({printable(fact.usual)});
      columns[2].add({printable(other.value)});
      columns[3].add({printable(joined(other.nodes, ", ", most_nodes))});
    }
  print_columns(out, columns, columns.size());
  out << '\n';
}

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
