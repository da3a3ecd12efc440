// SPDX-License-Identifier: Apache-2.0
// The majority of nodes, fact by fact.
#include "record/cluster/node_facts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <ostream>

#include "record/table/block_table.hpp"
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

}  // namespace assay::cluster
