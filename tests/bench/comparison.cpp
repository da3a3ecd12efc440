// SPDX-License-Identifier: Apache-2.0
// False alarms and power of comparisons on recorded or fresh processes: this framework's and others', runs of A and B
// one after the other and in turn.
#include <boost/program_options.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

#include "bench/change_tests.hpp"
#include "bench/noise/fresh_process.hpp"
#include "bench/text_table.hpp"
#include "stats/comparison/comparison.hpp"
#include "stats/sample/summary.hpp"
#include "support/environment/paths.hpp"
#include "support/laws/drawn_runs.hpp"
#include "support/traces/trace.hpp"

namespace assay::bench {
namespace {

namespace options = boost::program_options;
using test::RunOrder;

constexpr std::size_t points = 300;
constexpr std::size_t changed_points = 15;
constexpr double alpha = 0.05;

struct Request {
  std::string trace = test::source_directory() + "/tests/traces/busy/processes.txt";
  int live = 0;
  int draws = 200;
  int comparisons = 40;
  std::uint64_t seed = 1;
  bool markdown = false;
};

/// A design of the experiment.
struct Layout {
  RunOrder order;
  std::size_t each;
  std::string name() const { return (order == RunOrder::sequential ? "seq. R=" : "int. R=") + std::to_string(each); }
};
const Layout layouts[] = {
    {RunOrder::sequential, 10}, {RunOrder::sequential, 20}, {RunOrder::interleaved, 10}, {RunOrder::interleaved, 20}};

std::vector<Cell> recorded(const std::string& file) {
  std::vector<Cell> cells;
  for (const test::ProcessCell& cell : test::read_processes(file).cells) {
    Cell& made = cells.emplace_back(Cell{cell.cell, {}});
    for (const test::ProcessRun& run : cell.runs) made.runs.push_back({{}, run.median, run.median});
  }
  return cells;
}

/// So many rounds of fresh processes, one per cell in random order.
std::vector<Cell> measured(int rounds, Rng rng) {
  constexpr std::int64_t timings = 200;
  std::vector<Cell> cells;
  for (const NoiseCell& cell : noise_cells()) cells.push_back({cell.name, {}});
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int round = 0; round < rounds; ++round)
    for (const std::size_t index : rng.shuffled(order)) {
      const NoiseCell& cell = noise_cells()[index];
      Run run;
      for (const std::int64_t elapsed : in_fresh_process(cell, cell.reps_process, {timings, timings, 0}))
        run.timings.push_back(static_cast<double>(elapsed) / static_cast<double>(cell.reps_process));
      const Summary summary = summarize(run.timings);
      run.median = summary.median;
      run.mean = summary.mean;
      cells[index].runs.push_back(std::move(run));
    }
  return cells;
}

/// Runs from a random place of a cell, dealt to two sides.
Sides drawn(const Cell& cell, const Layout& layout, double ratio, Rng& rng) {
  std::vector<double> places(cell.runs.size());
  std::iota(places.begin(), places.end(), 0.0);
  const Contest dealt = test::drawn(places, layout.each, layout.order, rng);
  const auto run_at = [&](double place) { return &cell.runs[static_cast<std::size_t>(place)]; };
  Sides sides;
  sides.ratio = ratio;
  for (const double place : dealt.a) sides.a.push_back(run_at(place));
  for (const double place : dealt.b) sides.b.push_back(run_at(place));
  // Of one run each, neighbours: the last of A's and the first of B's where all of A came first.
  if (layout.order == RunOrder::sequential) std::reverse(sides.a.begin(), sides.a.end());
  return sides;
}

/// Share of draws of a cell in which a test detects a change.
double told(const ChangeTest& change_test, const Cell& cell, const Layout& layout, double ratio,
            const Request& request) {
  Rng rng = Rng(request.seed).substream(cell.name + layout.name());
  int count = 0;
  for (int i = 0; i < request.draws; ++i) count += change_test.tells(drawn(cell, layout, ratio, rng), rng) ? 1 : 0;
  return static_cast<double>(count) / request.draws;
}

std::string rates(const ChangeTest& change_test, const std::vector<Cell>& cells, const Layout& layout,
                  const Request& request) {
  double alarms = 0;
  double worst = 0;
  double power = 0;
  for (const Cell& cell : cells) {
    const double share = told(change_test, cell, layout, 1, request);
    alarms += share / static_cast<double>(cells.size());
    worst = std::max(worst, share);
    power += told(change_test, cell, layout, 1.05, request) / static_cast<double>(cells.size());
  }
  return hundredths(alarms) + " (" + hundredths(worst) + "), " + hundredths(power);
}

TextTable single_points(const std::vector<Cell>& cells, const Request& request) {
  TextTable table{"One point: false alarms in % of unchanged pairs (worst cell), power in % at +5 %", {"test"}, {}};
  for (const Layout& layout : layouts) table.headings.push_back(layout.name());
  const bool has_timings = !cells.front().runs.front().timings.empty();
  for (const ChangeTest& change_test : change_tests()) {
    if (change_test.needs_timings && !has_timings) continue;
    std::vector<std::string> row{change_test.name};
    for (const Layout& layout : layouts)
      row.push_back(change_test.of_one_run && layout.each > 10 ? "" : rates(change_test, cells, layout, request));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A rule over all points of a comparison: which of them changed.
struct FamilyRule {
  std::string name;
  bool (*tells)(const Finding& finding);
};

const FamilyRule family_rules[] = {
    {"p < 0.05", [](const Finding& one) { return one.shift.p < alpha; }},
    {"Bonferroni", [](const Finding& one) { return one.shift.p < alpha / points; }},
    {"Benjamini-Hochberg, q = 0.05", [](const Finding& one) { return one.adjusted_p <= alpha; }},
    {"shift beyond 5 %, no test", [](const Finding& one) { return std::abs(one.shift.value - 1) > 0.05; }},
    {"assay: Benjamini-Hochberg, q = 0.10, and beyond 2 %", [](const Finding& one) { return is_change(one.change); }},
    {"assay, alarms: q = 0.02",
     [](const Finding& one) { return one.change == Change::slower || one.change == Change::faster; }}};

struct Tally {
  int alarms = 0;
  int found = 0;
};

std::vector<Tally> tallies(const std::vector<Cell>& cells, const Layout& layout, double ratio, std::size_t changed,
                           const Request& request) {
  Rng rng = Rng(request.seed).substream(layout.name() + std::to_string(ratio));
  std::vector<Tally> sums(std::size(family_rules));
  for (int i = 0; i < request.comparisons; ++i) {
    std::vector<Contest> all;
    for (std::size_t point = 0; point < points; ++point) {
      const Sides sides = drawn(cells[rng.below(cells.size())], layout, point < changed ? ratio : 1, rng);
      Contest& contest = all.emplace_back();
      for (const Run* run : sides.a) contest.a.push_back(run->median);
      for (const Run* run : sides.b) contest.b.push_back(run->median * sides.ratio);
    }
    const auto findings = compare(all);
    for (std::size_t point = 0; point < points; ++point)
      for (std::size_t rule = 0; rule < sums.size(); ++rule)
        if (family_rules[rule].tells(findings[point])) ++(point < changed ? sums[rule].found : sums[rule].alarms);
  }
  return sums;
}

TextTable families(const std::vector<Cell>& cells, std::size_t changed, const Request& request) {
  TextTable table{std::to_string(points) + " points, " + std::to_string(changed) +
                      " of them slower: false alarms per comparison, power in % at +5 % and at +10 %",
                  {"rule"},
                  {}};
  for (const FamilyRule& rule : family_rules) table.rows.push_back({rule.name});
  for (const Layout& layout : layouts) {
    table.headings.push_back(layout.name());
    const auto small = tallies(cells, layout, 1.05, changed, request);
    const auto large = tallies(cells, layout, 1.10, changed, request);
    const double all = static_cast<double>(changed) * request.comparisons;
    for (std::size_t rule = 0; rule < table.rows.size(); ++rule)
      table.rows[rule].push_back(decimal(static_cast<double>(small[rule].alarms) / request.comparisons, 1) + ", " +
                                 hundredths(small[rule].found / all) + ", " + hundredths(large[rule].found / all));
  }
  return table;
}

options::options_description described(Request& request) {
  options::options_description known("comparison, with");
  auto add = known.add_options();
  add("help", "this text");
  add("trace", options::value(&request.trace)->default_value(request.trace), "recorded processes");
  add("live", options::value(&request.live)->default_value(0), "instead measure so many fresh processes per cell");
  add("draws", options::value(&request.draws)->default_value(request.draws), "pairs per test and cell");
  add("comparisons", options::value(&request.comparisons)->default_value(request.comparisons), "of 300 points each");
  add("seed", options::value(&request.seed)->default_value(1), "of what is drawn");
  add("markdown", options::bool_switch(&request.markdown), "print tables in Markdown");
  return known;
}

int run(const std::vector<std::string>& words) {
  Request request;
  const options::options_description known = described(request);
  options::variables_map given;
  options::store(options::command_line_parser(words).options(known).run(), given);
  options::notify(given);
  if (given.count("help") > 0) {
    std::cout << known;
    return 0;
  }
  if (request.live != 0 && request.live < 40) throw options::error("20 runs of either side take 40 processes");
  const auto cells = request.live > 0 ? measured(request.live, Rng(request.seed)) : recorded(request.trace);
  print(std::cout, single_points(cells, request), request.markdown);
  for (const std::size_t changed : {changed_points, std::size_t{1}})
    print(std::cout, families(cells, changed, request), request.markdown);
  // Where two threads spin on shared virtual CPUs, processes differ by a factor and nothing can be found.
  auto steady = cells;
  std::erase_if(steady, [](const Cell& cell) { return cell.name == "add-two-threads"; });
  std::cout << "Without add-two-threads:\n";
  for (const std::size_t changed : {changed_points, std::size_t{1}})
    print(std::cout, families(steady, changed, request), request.markdown);
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  try {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (const auto done = assay::bench::serve_fresh_process(words)) return *done;
    return assay::bench::run(words);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
