// SPDX-License-Identifier: Apache-2.0
// Layout `desupinski-may`: Table 1 of Benchmarking Pthreads Performance (PDPTA 1999) with this machine beside it.
#include <algorithm>
#include <array>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "record/layout/layouts.hpp"
#include "record/na_code.hpp"
#include "record/shown_value.hpp"
#include "record/table/block_table.hpp"
#include "record/table/results_table.hpp"
#include "text/printable.hpp"

namespace assay {

namespace desupinski_may {

namespace {

/// Where the members of a row's test sit.
enum class Seats : unsigned char { any, unbound, one_cpu, different_cpus };

/// One level that a point must have.
struct Level {
  std::string_view factor;
  std::string_view level;
};

/// A row, as the paper names it, or one below it that asks the same question better.
struct Row {
  std::string_view test;
  std::string_view variant;
  std::array<std::string_view, 4> published;  ///< Digital, IBM, SGI, Sun, in us as printed; empty in a row of our own
  std::string_view measurement;
  std::string_view quantity;  ///< empty: the primary one
  std::array<Level, 3> levels{};
  Seats seats = Seats::any;

  /// True for a row of the paper: its number is the mean under the rule of the paper.
  bool is_published() const { return !published[0].empty(); }
};

// Table 1 as published (times in us), row by row in the paper's order, ours below those that they correct.
constexpr std::array<std::string_view, 4> ours{};
constexpr std::string_view chain = "thread/create_chain";
constexpr std::string_view ring = "logp/round_trip";
constexpr Level condvar{"channel", "condvar-paper"};
constexpr Level mutex_ring{"channel", "mutex-ring"};
constexpr Level mutex{"lock", "mutex"};
constexpr Level detached{"detachstate", "detached"};
constexpr Level joinable{"detachstate", "joinable"};
constexpr Level system{"scope", "system"};
constexpr Level process{"scope", "process"};
constexpr Level sleeper{"channel", "condvar"};

constexpr Row rows[] = {
    {"Thread Create", "Detached, system scope", {"N/A", "265.9", "N/A", "211.0"}, chain, "", {detached, system}},
    {"", "Detached, process scope", {"N/A", "265.5", "30.6", "51.7"}, chain, "", {detached, process}},
    {"", "Undetached, system scope", {"N/A", "312.7", "N/A", "491.5"}, chain, "", {joinable, system}},
    {"", "> with stacks of 64 KiB", ours, chain, "", {joinable, Level{"stack", "65536"}, Level{"chain", "200"}}},
    {"", "Undetached, process scope", {"N/A", "305.1", "68.9", "343.1"}, chain, "", {joinable, process}},
    {"Thread Yield", "", {"1.6", "4.3", "N/A", "9.5"}, "thread/yield", "", {}, Seats::one_cpu},
    {"", "> per context switch counted", ours, "thread/yield", "switch", {}, Seats::one_cpu},
    {"Time slice", "", {"10013", "10001", "N/A", "N/A"}, "thread/time_slice_paper", "", {}, Seats::one_cpu},
    {"", "> upper mode of the turns", ours, "thread/time_slice", "", {}, Seats::one_cpu},
    {"Condition Ping-pong", "Unbound", {"59.5", "48.9", "9.5", "25.0"}, ring, "", {condvar}, Seats::unbound},
    {"", "Same CPU", {"12.4", "29.2", "N/A", "25.7"}, ring, "", {condvar}, Seats::one_cpu},
    {"", "Different CPUs", {"N/A", "74.3", "N/A", "25.1"}, ring, "", {condvar}, Seats::different_cpus},
    {"Condition Signal", "", {"0.0383", "0.606", "0.634", "0.125"}, "sync/condition_signal", ""},
    {"", "> to a waiter asleep", ours, "logp/blocked", "o_s[blk]", {sleeper}, Seats::different_cpus},
    {"Condition Wait", "", {"25.3", "45.7", "N/A", "N/A"}, "sync/condition_wait", "", {}, Seats::different_cpus},
    {"", "> asleep each time, CPU time", ours, "logp/blocked", "o_r[blk,cpu]", {sleeper}, Seats::different_cpus},
    {"Mutex Ping-pong", "Unbound", {"58.8", "3.7", "9.4", "24.3"}, ring, "", {mutex_ring}, Seats::unbound},
    {"", "Same CPU", {"13.4", "37.8", "N/A", "24.2"}, ring, "", {mutex_ring}, Seats::one_cpu},
    {"", "Different CPUs", {"N/A", "3.7", "N/A", "24.2"}, ring, "", {mutex_ring}, Seats::different_cpus},
    {"", "No Contention", {"0.274", "0.638", "0.434", "0.448"}, "sync/lock_ring_alone", "", {mutex}},
    {"", "> one mutex, no overlap", ours, "sync/lock", "", {mutex}},
    {"Mutex lock and unlock", "", {"0.273", "0.726", "0.540", "0.714"}, "sync/lock", "", {mutex}},
    {"Mutex lock", "", {"0.483", "0.343", "0.251", "0.321"}, "sync/lock_array", "lock", {mutex}},
    {"Mutex unlock", "", {"0.495", "0.478", "0.296", "0.417"}, "sync/lock_array", "unlock", {mutex}},
};

constexpr double per_microsecond = 1e-3;

// What this machine has for a row.
struct FoundCell {
  const SeriesGroup* series = nullptr;
  const PointRecord* point = nullptr;
  const Result* result = nullptr;
};

bool has_level(const Point& point, const Level& wanted) {
  return wanted.factor.empty() || (point.find(wanted.factor) != nullptr && point.text(wanted.factor) == wanted.level);
}

// The library's own stacks, unless the row asks for others.
bool has_usual_stack(const Row& row, const Point& point) {
  const bool asks = std::ranges::any_of(row.levels, [](const Level& level) { return level.factor == "stack"; });
  return asks || point.find("stack") == nullptr || point.text("stack") == "0";
}

bool has_seats(Seats seats, const Point& point) {
  if (seats == Seats::any || point.find("placement") == nullptr) return true;
  const std::string placement = point.text("placement");
  const bool is_shared = placement.starts_with("same-pu");
  if (seats == Seats::unbound) return placement == "unbound";
  if (seats == Seats::one_cpu) return is_shared;
  return !is_shared && placement != "unbound";
}

bool fits(const Row& row, const Point& point) {
  return std::ranges::all_of(row.levels, [&](const Level& level) { return has_level(point, level); }) &&
         has_usual_stack(row, point) && has_seats(row.seats, point);
}

const Result* result_of(const SeriesGroup& group, const PointRecord& point, std::string_view quantity) {
  if (quantity.empty() && !group.series.quantities.empty()) quantity = group.series.quantities.front().name;
  const Result* found = nullptr;
  for (const Result& result : point.results)
    if ((quantity.empty() || result.quantity == quantity) &&
        (found == nullptr || result.regime_share > found->regime_share))
      found = &result;
  return found;
}

// The paper's rows prefer what was measured by the paper's rule, ours what was not; both prefer a number to none, and
// near CPUs to far ones.
FoundCell find(const Row& row, const std::vector<SeriesGroup>& groups) {
  FoundCell best;
  int least = 0;
  for (const SeriesGroup& group : groups) {
    if (group.series.measurement != row.measurement) continue;
    const bool is_other_rule = group.series.rule.starts_with("stddev") != row.is_published();
    for (const PointRecord& point : group.points) {
      if (!fits(row, point.point)) continue;
      const Result* result = result_of(group, point, row.quantity);
      const int strange = (result == nullptr ? 2 : 0) + (is_other_rule ? 1 : 0);
      if (best.point != nullptr && strange >= least) continue;
      best = {&group, &point, result};
      least = strange;
    }
  }
  return best;
}

Estimate in_microseconds(Estimate estimate) {
  estimate.value *= per_microsecond;
  estimate.interval.low *= per_microsecond;
  estimate.interval.high *= per_microsecond;
  return estimate;
}

std::string lack_of(const FoundCell& found) {
  if (found.point == nullptr) return "-";
  if (found.point->results.empty() && !found.point->code.empty()) return found.point->code;
  return found.point->results.empty() ? to_text(found.point->outcome) : "-";
}

MarkedText mean_cell(const Row& row, const FoundCell& found) {
  if (!row.is_published()) return {""};
  if (found.result == nullptr) return {lack_of(found)};
  Estimate mean = found.result->verdict.estimate;
  if (mean.statistic != "mean") mean = {"mean", found.result->summary.mean, {}, ""};
  return {short_text(in_microseconds(mean), Unit::nanoseconds)};
}

MarkedText median_cell(const FoundCell& found) {
  if (found.result == nullptr) return {lack_of(found)};
  return {short_text(in_microseconds(found.result->headline), Unit::nanoseconds),
          marks_of(*found.point, *found.result)};
}

std::string interval_cell(const FoundCell& found) {
  if (found.result == nullptr || !found.result->headline.interval.available()) return "-";
  const Estimate headline = in_microseconds(found.result->headline);
  const ShownValue text = shown(headline.value, headline.interval, {1, "us"});
  return text.low + " .. " + text.high;
}

std::string regime_cell(const FoundCell& found) {
  if (found.result == nullptr || found.result->regime == Regime::solo) return "-";
  return regime_text(*found.result);
}

void print_rows(std::ostream& out, const std::vector<FoundCell>& found) {
  constexpr std::array<const char*, 4> machines{"Digital", "IBM", "SGI", "Sun"};
  std::vector<MarkedColumn> columns{{"Test", "", false}, {"(times in us)", "", false}};
  for (const char* machine : machines) columns.emplace_back(machine, "1999");
  columns.emplace_back("here", "mean");
  columns.emplace_back("here", "median");
  columns.emplace_back("interval", "low .. high");
  columns.emplace_back("regime", "", false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Row& row = rows[i];
    columns[0].add({std::string(row.test)});
    columns[1].add({std::string(row.variant)});
    for (std::size_t m = 0; m < machines.size(); ++m) columns[2 + m].add({std::string(row.published.at(m))});
    columns[6].add(mean_cell(row, found[i]));
    columns[7].add(median_cell(found[i]));
    columns[8].add({interval_cell(found[i])});
    columns[9].add({regime_cell(found[i])});
  }
  print_columns(out, columns, 2);
}

// Where "different CPUs" were here, and what the means were measured until.
void print_conditions(std::ostream& out, const std::vector<FoundCell>& found) {
  std::set<std::string> classes;
  std::set<std::string> rules;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].point == nullptr) continue;
    const Point& point = found[i].point->point;
    if (rows[i].seats == Seats::different_cpus && point.find("placement") != nullptr)
      classes.insert(printable(point.text("placement")));
    if (rows[i].is_published()) rules.insert(printable(found[i].series->series.rule));
  }
  for (const std::string& name : classes) out << "different CPUs: " << name << '\n';
  for (const std::string& rule : rules) out << "means until " << rule << '\n';
}

void print_reasons(std::ostream& out, const std::vector<FoundCell>& found) {
  std::set<std::string> told;
  for (const FoundCell& one : found)
    if (one.point != nullptr && one.result == nullptr && told.insert(lack_of(one)).second)
      out << lack_of(one) << "  " << printable(one.point->reason) << '\n';
}

void print_statistics(std::ostream& out) {
  out << "mean: as in the paper; median and interval: of the same timings or, in rows with >, of a better experiment\n"
         "published N/A: on Digital threads could not be bound to different CPUs; on SGI bindings did not hold and "
         "threads\n"
         "of system scope hung; on Sun the machine was shared; for the others the paper gives no reason\n\n";
}

void print_explanation(std::ostream& out) {
  out << "Rows with > give a correct answer to the question of the row above where its method is misleading.\n"
         "> with stacks of 64 KiB: stacks of joinable threads not yet joined overflow the library's cache.\n"
         "> per context switch counted: a yield need not switch; the kernel decides.\n"
         "> upper mode of the turns: the paper's mean includes whatever else ran on that CPU.\n"
         "> to a waiter asleep: a signal without a waiter says nothing about one that wakes a thread.\n"
         "> asleep each time: against a thread that signals continuously the wait hardly ever waits.\n"
         "> one mutex, no overlap: the processor overlaps operations on the four mutexes of the ring.\n"
         "The rule `stddev` stops soonest where every timing contains the same disturbances: compare mean and "
         "median.\n\n";
}

void print(std::ostream& out, const std::vector<Record>& records, Detail detail) {
  const auto groups = group_by_series(records);
  std::vector<FoundCell> found;
  for (const Row& row : rows) found.push_back(find(row, groups));
  print_title(out, records);
  print_rows(out, found);
  out << '\n';
  print_conditions(out, found);
  print_reasons(out, found);
  print_statistics(out);
  std::string marks;
  for (const FoundCell& one : found)
    if (one.result != nullptr) marks += marks_of(*one.point, *one.result);
  print_legend(out, marks);
  if (detail == Detail::explained) print_explanation(out);
  std::set<std::string> shown;
  for (const SeriesGroup& group : groups)
    if (std::ranges::any_of(rows, [&](const Row& row) { return row.measurement == group.series.measurement; }))
      shown.insert(group.series.series);
  print_unshown(out, groups, shown);
  print_close(out, records, groups);
}

}  // namespace

}  // namespace desupinski_may

Layout desupinski_may_layout() {
  return {"desupinski-may",
          "Table 1 of de Supinski and May (1999), with this machine added",
          {},
          one_by_one(&desupinski_may::print)};
}

}  // namespace assay
