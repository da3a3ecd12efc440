// SPDX-License-Identifier: Apache-2.0
// The worst verdict of each node.
#include "record/cluster/cluster_verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <ostream>
#include <utility>

#include "record/cluster/node_causes.hpp"
#include "record/cluster/screened_unit.hpp"
#include "record/table/block_table.hpp"
#include "stats/sample/summary.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay::cluster {

namespace {

constexpr std::size_t least_others = 2;
constexpr double often_shared = 0.4;     // less hardly moves a median
constexpr double than_others = 2;        // times
constexpr double most_by_sharing = 2.5;  // times as long
constexpr double yields_less = 1.2;      // a ratio
constexpr double slower_clock = 1.05;
constexpr double explained = 0.5;  // of the slowdown's logarithm

/// Something of a node's cores that is a number, or is not known.
using Trait = std::function<std::optional<double>(const CoresRecord&)>;

std::optional<double> over_cores(const CoresRecord& cores, const auto& value_of) {
  std::vector<double> values;
  for (const CoreLevel& level : cores.levels)
    if (const double value = value_of(level); value > 0) values.push_back(value);
  return values.empty() ? std::nullopt : std::optional(median(std::move(values)));
}

std::optional<double> shared_share(const CoresRecord& cores) {
  // Both are 0 where no core is known well enough.
  return cores.alone + cores.shared > 0 ? std::optional(1 - cores.alone) : std::nullopt;
}

std::optional<double> chain_of(const CoresRecord& cores) {
  return over_cores(cores, [](const CoreLevel& level) { return level.chain.count; });
}

std::optional<double> ghz_of(const CoresRecord& cores) {
  const auto chain = chain_of(cores);
  return chain && cores.cycles_per_step > 0 ? std::optional(cores.cycles_per_step / *chain) : std::nullopt;
}

/// The least that an addition takes, whether or not it is known to be what a core alone takes.
std::optional<double> best_cost(const CoresRecord& cores) {
  return over_cores(cores, [](const CoreLevel& level) { return level.alone; });
}

bool is_proved(const CoreLevel& level) { return level.because != AloneBecause::nothing; }

std::optional<double> proved_cost(const CoresRecord& cores) {
  return std::ranges::all_of(cores.levels, is_proved) ? best_cost(cores) : std::nullopt;
}

/// A node beside the other ones.
class Comparison {
 public:
  Comparison(const std::vector<const CoresRecord*>& nodes, const Symptom& symptom) : symptom_(symptom) {
    for (const CoresRecord* cores : nodes) {
      if (cores->by_ranks != symptom.by_ranks) continue;
      if (cores->node == symptom.node)
        own_ = cores;
      else
        others_.push_back(cores);
    }
  }

  std::vector<std::string> causes() const {
    std::vector<std::string> causes;
    if (own_ == nullptr) return causes;
    for (auto& cause : {sharing(), always_shared(), clock()})
      if (!cause.empty()) causes.push_back(cause);
    return causes;
  }

 private:
  /// The median over the other nodes where enough of them have it.
  std::optional<double> of_others(const Trait& trait) const {
    std::vector<double> values;
    for (const CoresRecord* cores : others_)
      if (const auto value = trait(*cores)) values.push_back(*value);
    return values.size() < least_others ? std::nullopt : std::optional(median(std::move(values)));
  }

  bool may_be_sharing() const { return !symptom_.is_of_lone_cores && symptom_.slowdown.value_or(1) <= most_by_sharing; }

  std::string sharing() const {
    const auto own = shared_share(*own_);
    const auto others = of_others(shared_share);
    if (!may_be_sharing() || !own || !others || *own < often_shared || *own < than_others * *others) return {};
    return "its cores were shared " + percent(*own) + " of the time, the others' " + percent(*others);
  }

  std::string always_shared() const {
    const auto own = best_cost(*own_);
    const auto others = of_others(proved_cost);
    if (!may_be_sharing() || !own || !others || std::ranges::any_of(own_->levels, is_proved)) return {};
    if (*own < yields_less * *others) return {};
    return "the throughput of its cores never exceeded " + percent(*others / *own) +
           " of that of the others' alone: shared all the time, or of another kind";
  }

  std::string clock() const {
    const auto own = chain_of(*own_);
    const auto others = of_others(chain_of);
    if (!symptom_.slowdown || !own || !others || *own < slower_clock * *others) return {};
    if (std::log(*own / *others) < explained * std::log(*symptom_.slowdown)) return {};
    const auto own_ghz = ghz_of(*own_);
    const auto others_ghz = of_others(ghz_of);
    if (!own_ghz || !others_ghz) return "its clock is " + rounded(*others / *own) + " times the others'";
    return "its clock is " + rounded(*own_ghz) + " GHz, the others' " + rounded(*others_ghz) + " GHz";
  }

  const Symptom& symptom_;
  const CoresRecord* own_ = nullptr;
  std::vector<const CoresRecord*> others_;
};

}  // namespace

std::vector<std::string> causes_in_cores(const std::vector<const CoresRecord*>& nodes, const Symptom& symptom) {
  return Comparison(nodes, symptom).causes();
}

std::vector<const CoresRecord*> cores_of_nodes(const std::vector<Record>& records) {
  std::vector<const CoresRecord*> found;
  for (const Record& record : records)
    if (const auto* cores = std::get_if<CoresRecord>(&record); cores != nullptr && !cores->node.empty())
      found.push_back(cores);
  return found;
}

namespace {

/// What failed, as against what was not asked for, cannot be had, or is in another regime.
bool is_lacking(const Cell& cell) {
  return cell.point != nullptr && (has_failed(cell.point->outcome) || lacks_batches(cell.point->outcome));
}

template <class Items>
bool most_have_results(const Items& items) {
  const auto having = std::ranges::count_if(items, [](const auto& item) { return item.cell.result != nullptr; });
  return 2 * static_cast<std::size_t>(having) > items.size();
}

Standing standing_of(Oddity oddity) {
  constexpr std::array<Standing, 4> standings{Standing::ok, Standing::slow, Standing::fast, Standing::unclear};
  return standings.at(static_cast<std::size_t>(oddity));
}

void add_node(Verdicts& verdicts, const std::string& node, Standing standing, const std::string& series) {
  auto found = std::ranges::find(verdicts.nodes, node, &NodeVerdict::node);
  if (found == verdicts.nodes.end()) {
    verdicts.nodes.push_back({node, Standing::ok, {}, {}, {}, {}});
    found = verdicts.nodes.end() - 1;
  }
  if (standing == Standing::ok || standing > found->standing) return;
  if (standing < found->standing) found->series.clear();
  found->standing = standing;
  if (std::ranges::find(found->series, series) == found->series.end()) found->series.push_back(series);
}

void add_nodes(Verdicts& verdicts, const Table& table) {
  const bool most = most_have_results(table.units);
  for (const UnitRow& unit : table.units) {
    const bool lacks = table.links.empty() && most && is_lacking(unit.cell);
    add_node(verdicts, unit.name, lacks ? Standing::lacking : standing_of(unit.finding.oddity),
             table.series->series.series);
  }
}

void add_links(Verdicts& verdicts, const Table& table) {
  const bool most = most_have_results(table.links);
  const auto deviates = [&](std::size_t unit) {
    const auto node = std::ranges::find(verdicts.nodes, table.units[unit].name, &NodeVerdict::node);
    return node != verdicts.nodes.end() && node->standing <= Standing::lacking;
  };
  for (const Link& link : table.links) {
    const bool lacks = most && is_lacking(link.cell);
    if (link.from == link.to || (lacks && (deviates(link.from) || deviates(link.to)))) continue;
    if (!lacks && link.finding.oddity != Oddity::slow) continue;
    const LinkVerdict verdict{table.units[link.from].name, table.units[link.to].name,
                              lacks ? Standing::lacking : Standing::slow, table.series->series.series};
    if (std::ranges::find(verdicts.links, verdict) == verdicts.links.end()) verdicts.links.push_back(verdict);
  }
}

/// How many times as long the unit takes as the others; nothing where a ratio has no meaning.
std::optional<double> slowdown_of(const UnitRow& unit) {
  const Shift& shift = unit.finding.shift;
  if (!shift.is_ratio || !(shift.value > 0) || !std::isfinite(shift.value)) return std::nullopt;
  return std::max(shift.value, 1 / shift.value);  // of a rate it is below 1
}

/// The visits ended without enough of them on cores that were alone.
bool is_without_lone_cores(const Cell& cell) { return cell.point != nullptr && lacks_batches(cell.point->outcome); }

/// What there is to explain of a node that stands so in a table; nothing where cores are no explanation.
std::optional<Symptom> symptom_of(const UnitRow& unit, const Table& table, Standing standing) {
  Symptom symptom{unit.name, std::nullopt, false, !table.links.empty()};
  if (standing == Standing::lacking)
    return table.links.empty() && is_without_lone_cores(unit.cell) ? std::optional(symptom) : std::nullopt;
  if (standing != Standing::slow || unit.finding.oddity != Oddity::slow) return std::nullopt;
  symptom.slowdown = slowdown_of(unit);
  symptom.is_of_lone_cores = unit.cell.result != nullptr && unit.cell.result->state.sharing == Sharing::alone;
  return symptom.slowdown ? std::optional(symptom) : std::nullopt;
}

void add_cause(NodeVerdict& verdict, std::string cause) {
  if (!cause.empty() && std::ranges::find(verdict.causes, cause) == verdict.causes.end())
    verdict.causes.push_back(std::move(cause));
}

bool lacks_result(const NodeVerdict& verdict, const UnitRow& unit) {
  return verdict.standing == Standing::lacking && unit.cell.result == nullptr && is_lacking(unit.cell);
}

/// What its cores say, and of its own series the counters beside their times.
void add_causes(NodeVerdict& verdict, const Table& table, const UnitRow& unit,
                const std::vector<const CoresRecord*>& cores) {
  if (const auto symptom = symptom_of(unit, table, verdict.standing))
    for (std::string& cause : causes_in_cores(cores, *symptom)) add_cause(verdict, std::move(cause));
  const bool is_slow = verdict.standing == Standing::slow && unit.finding.oddity == Oddity::slow;
  if (!table.links.empty() || !(is_slow || lacks_result(verdict, unit))) return;
  if (is_slow) add_cause(verdict, cause_in_noise(table, unit));
  for (std::string& cause : causes_in_disturbances(table, unit)) add_cause(verdict, std::move(cause));
}

/// How far it is off where it deviates most.
void add_shift(NodeVerdict& verdict, const Table& table, const UnitRow& unit) {
  const bool is_slow = verdict.standing == Standing::slow && unit.finding.oddity == Oddity::slow;
  const bool is_fast = verdict.standing == Standing::fast && unit.finding.oddity == Oddity::fast;
  if (!is_slow && !is_fast) return;
  const auto size = [](const Shift& shift) {
    return shift.is_ratio && shift.value > 0 ? std::abs(std::log(shift.value)) : 0;
  };
  if (verdict.shift && size(*verdict.shift) >= size(unit.finding.shift)) return;
  verdict.shift = unit.finding.shift;
  verdict.shift_in = table.series->series.series;
}

/// The reasons of points that failed.
void add_lack(NodeVerdict& verdict, const std::vector<Table>& tables) {
  for (const Table& table : tables)
    for (const UnitRow& unit : table.units)
      if (unit.name == verdict.node && table.links.empty() && lacks_result(verdict, unit))
        add_cause(verdict, cause_of_lack(unit));
}

void explain(NodeVerdict& verdict, const std::vector<Table>& tables, const std::vector<const CoresRecord*>& cores,
             const std::vector<OddFact>& facts) {
  for (const Table& table : tables) {
    const auto unit = std::ranges::find(table.units, verdict.node, &UnitRow::name);
    if (table.factor != "node" || unit == table.units.end()) continue;
    add_shift(verdict, table, *unit);
    add_causes(verdict, table, *unit, cores);
  }
  if (verdict.standing > Standing::lacking) return;
  if (verdict.standing == Standing::slow)
    for (const std::string& series : verdict.series) add_cause(verdict, cause_in_levels(tables, series, verdict.node));
  for (std::string& cause : causes_in_facts(facts, verdict.node)) add_cause(verdict, std::move(cause));
  add_lack(verdict, tables);
}

/// What screenings of links found, whose pairs are in no table.
void add_screened(Verdicts& verdicts, const ScreenedUnit& unit) {
  constexpr std::array<Standing, 3> standings{Standing::slow, Standing::lacking, Standing::unclear};
  const Standing standing = standings.at(static_cast<std::size_t>(unit.verdict));
  const Shift shift{true, unit.ratio, unit.interval, 1};
  if (!unit.part.empty()) {
    if (standing == Standing::slow) verdicts.parts.push_back({unit.part, unit.series, shift});
    return;
  }
  if (!unit.peer.empty()) {
    if (standing != Standing::unclear) verdicts.links.push_back({unit.node, unit.peer, standing, unit.series});
    return;
  }
  add_node(verdicts, unit.node, standing, unit.series);
  const auto node = std::ranges::find(verdicts.nodes, unit.node, &NodeVerdict::node);
  if (standing == Standing::slow && node->standing == Standing::slow && !node->shift) {
    node->shift = shift;
    node->shift_in = unit.series;
  }
}

std::string listed(std::vector<std::string> words, const std::string& separator = ", ") {
  for (std::string& word : words) word = printable(word);
  return joined(words, separator);
}

}  // namespace

std::string to_text(Standing standing) {
  constexpr std::array<const char*, 5> names{"slow", "lacking", "fast", "unclear", "ok"};
  return names.at(static_cast<std::size_t>(standing));
}

std::size_t count_of(const std::vector<NodeVerdict>& nodes, Standing standing) {
  return static_cast<std::size_t>(std::ranges::count(nodes, standing, &NodeVerdict::standing));
}

std::string against_others(const Shift& shift) {
  if (shift.is_ratio) return rounded(shift.value) + " times the others";
  return (shift.value < 0 ? "less than the others by " : "more than the others by ") + rounded(std::abs(shift.value));
}

bool Verdicts::has_deviating() const {
  return !links.empty() || !parts.empty() || std::ranges::any_of(nodes, [](const NodeVerdict& node) {
    return node.standing == Standing::slow || node.standing == Standing::lacking;
  });
}

Verdicts verdicts_of(const std::vector<Table>& tables, const std::vector<Record>& records) {
  Verdicts verdicts;
  for (const Table& table : tables)
    if (table.factor == "node") add_nodes(verdicts, table);
  for (const Table& table : tables)
    if (table.factor == "node") add_links(verdicts, table);
  for (const Record& record : records) {
    if (const auto unit = screened_unit(record)) add_screened(verdicts, *unit);
    verdicts.compared += std::holds_alternative<NodeRecord>(record) ? 1U : 0U;
  }
  verdicts.compared = std::max(verdicts.compared, verdicts.nodes.size());
  const auto cores = cores_of_nodes(records);
  const auto facts = odd_facts(records);
  for (NodeVerdict& verdict : verdicts.nodes) explain(verdict, tables, cores, facts);
  return verdicts;
}

Verdicts verdicts_of(const std::vector<Record>& records) {
  const auto groups = group_by_series(records);
  return verdicts_of(tables_of(groups), records);
}

void print_verdicts(std::ostream& out, const Verdicts& verdicts) {
  if (verdicts.nodes.empty() && verdicts.links.empty() && verdicts.parts.empty()) return;
  std::vector<MarkedColumn> columns{
      {"node or link", "", false}, {"verdict", "", false}, {"in", "", false}, {"why", "", false}};
  const auto add = [&](const std::string& what, Standing standing, const std::string& series,
                       const std::string& why = {}) {
    columns[0].add({what});
    columns[1].add({to_text(standing)});
    columns[2].add({series});
    columns[3].add({why});
  };
  for (const NodeVerdict& node : verdicts.nodes)
    add(printable(node.node), node.standing, listed(node.series), listed(node.causes, "; "));
  for (const LinkVerdict& link : verdicts.links)
    add(printable(link.node) + " - " + printable(link.peer), link.standing, printable(link.series));
  for (const PartVerdict& part : verdicts.parts)
    add(printable(part.part), Standing::slow, printable(part.series), against_others(part.shift));
  // What explains a verdict stands beside it, however long it is.
  print_columns(out, columns, columns.size());
  out << '\n';
}

}  // namespace assay::cluster
