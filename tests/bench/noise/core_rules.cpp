// SPDX-License-Identifier: Apache-2.0
// What rules for the state of a core do on recorded batches: how many shared ones they let pass, how many lone ones
// they refuse, how long a state lasts.
#include <boost/program_options.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>

#include "bench/text_table.hpp"
#include "stats/core/core_levels.hpp"
#include "stats/sample/summary.hpp"
#include "support/environment/paths.hpp"
#include "support/traces/state_truth.hpp"

namespace assay::bench {
namespace {

namespace options = boost::program_options;
using test::KeptReading;
using test::KeptVisit;
using test::Truth;

/// A trace with what its batches' own times say.
struct Judged {
  explicit Judged(const std::string& file) : trace(test::read_states(file)), truth(trace) {}
  test::StateTrace trace;
  test::StateTruth truth;
};

/// How much is read at one instant, and what is made of it: throughput over latency.
struct Yardstick {
  std::string name;
  /// `before`: what is nearest to the batch that follows; else to the one that went before.
  std::function<double(const test::StateTrace&, const KeptReading&, bool before)> cost;
};

double cost_of(const test::StateTrace& trace, const KeptReading& kept, std::size_t first, std::size_t count) {
  const CoreReading reading = trace.of_tries(kept, first, count);
  return reading.wide / reading.chain;
}

const std::vector<Yardstick>& yardsticks() {
  static const std::vector<Yardstick> all{
      {"usual",
       [](const auto& trace, const auto& kept, bool before) { return cost_of(trace, kept, before ? 2 : 0, 2); }},
      {"half as long",
       [](const auto& trace, const auto& kept, bool before) { return cost_of(trace, kept, before ? 3 : 0, 1); }},
      {"twice as long", [](const auto& trace, const auto& kept, bool) { return cost_of(trace, kept, 0, 4); }},
      {"least of 2", [](const auto& trace, const auto& kept,
                        bool) { return std::min(cost_of(trace, kept, 0, 2), cost_of(trace, kept, 2, 2)); }},
      {"least of 4, half as long",
       [](const auto& trace, const auto& kept, bool) {
         double least = cost_of(trace, kept, 0, 1);
         for (std::size_t i = 1; i < KeptReading::tries; ++i) least = std::min(least, cost_of(trace, kept, i, 1));
         return least;
       }},
  };
  return all;
}

enum class Around { nothing, visit, batch };

/// When a batch counts as alone.
struct Rule {
  const Yardstick* yardstick = nullptr;
  Around around = Around::batch;
  double threshold = 1.04;
  double walk = std::numeric_limits<double>::infinity();  ///< of the third yardstick, if it is asked
};

/// Both yardsticks' levels of a core that is alone, learned over a trace as the program does.
struct Levels {
  double cost = 0;
  double walk = 0;
};

Levels levels_of(const test::StateTrace& trace, const Yardstick& yardstick) {
  constexpr double rare = 0.01;
  LevelCounts costs;
  LevelCounts walks;
  for (const KeptVisit& visit : trace.visits)
    for (const KeptReading& kept : visit.readings) {
      for (const bool before : {false, true}) costs.add(yardstick.cost(trace, kept, before));
      walks.add(static_cast<double>(kept.walk));
    }
  return {costs.lowest(rare).value_or(0), walks.lowest(rare).value_or(0)};
}

bool is_alone(const Rule& rule, const Levels& levels, const test::StateTrace& trace, const KeptReading& kept,
              bool before) {
  return rule.yardstick->cost(trace, kept, before) <= rule.threshold * levels.cost &&
         static_cast<double>(kept.walk) <= rule.walk * levels.walk;
}

/// Of each batch of a visit, whether it counts.
std::vector<bool> counted(const Rule& rule, const Levels& levels, const test::StateTrace& trace,
                          const KeptVisit& visit) {
  std::vector<bool> counts;
  const auto both = [&](std::size_t first, std::size_t last) {
    return is_alone(rule, levels, trace, visit.readings[first], true) &&
           is_alone(rule, levels, trace, visit.readings[last], false);
  };
  const bool by_visit = rule.around == Around::nothing || both(0, visit.batches.size());
  for (std::size_t i = 0; i < visit.batches.size(); ++i)
    counts.push_back(!visit.batches[i].switched && (rule.around == Around::batch ? both(i, i + 1) : by_visit));
  return counts;
}

/// What became of the batches of one cell.
struct Tally {
  std::array<std::size_t, 3> all{};      ///< by Truth
  std::array<std::size_t, 3> counted{};  ///< of them
  std::size_t groups = 0;                ///< of visits in a row, with enough batches that count
  std::size_t groups_right = 0;          ///< median within 2 % of that of all lone batches
};

constexpr std::size_t group_visits = 25;
constexpr std::size_t enough = 16;
constexpr double right_within = 0.02;

void close_group(std::vector<double>& group, double truth, Tally& tally) {
  if (group.size() >= enough) {
    ++tally.groups;
    tally.groups_right += std::fabs(median(group) / truth - 1) <= right_within ? 1 : 0;
  }
  group.clear();
}

Tally tally_of(const Judged& judged, std::size_t cell, const Rule& rule) {
  const Levels levels = levels_of(judged.trace, *rule.yardstick);
  Tally tally;
  std::vector<double> group;
  std::size_t visits = 0;
  for (const KeptVisit& visit : judged.trace.visits) {
    if (visit.cell != cell) continue;
    const std::vector<bool> counts = counted(rule, levels, judged.trace, visit);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (visit.batches[i].switched) continue;
      const auto truth = static_cast<std::size_t>(judged.truth.of(cell, visit.batches[i]));
      ++tally.all[truth];
      tally.counted[truth] += counts[i] ? 1 : 0;
      if (counts[i]) group.push_back(static_cast<double>(visit.batches[i].elapsed));
    }
    if (++visits % group_visits == 0) close_group(group, judged.truth.cell(cell).lone_median, tally);
  }
  return tally;
}

double share(std::size_t part, std::size_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : std::nan("");
}

/// "let pass / refused / counts / groups right", in per cent.
std::string cell_text(const Tally& tally) {
  constexpr auto lone = static_cast<std::size_t>(Truth::lone);
  constexpr auto shared = static_cast<std::size_t>(Truth::shared);
  const std::size_t counts = tally.counted[0] + tally.counted[1] + tally.counted[2];
  const auto percent = [](double of_one) { return decimal(100 * of_one, 1); };
  return percent(share(tally.counted[shared], tally.all[shared])) + " / " +
         percent(1 - share(tally.counted[lone], tally.all[lone])) + " / " +
         decimal(100 * share(counts, tally.all[0] + tally.all[1] + tally.all[2]), 0) + " / " +
         hundredths(share(tally.groups_right, tally.groups));
}

std::vector<std::pair<std::string, Rule>> rules() {
  std::vector<std::pair<std::string, Rule>> all{{"all", {&yardsticks().front(), Around::nothing}}};
  for (const double threshold : {1.02, 1.03, 1.04, 1.06, 1.08, 1.15})
    all.emplace_back("each batch, " + decimal(threshold, 2), Rule{&yardsticks().front(), Around::batch, threshold});
  for (const double threshold : {1.04, 1.08, 1.15})
    all.emplace_back("the visit, " + decimal(threshold, 2), Rule{&yardsticks().front(), Around::visit, threshold});
  for (std::size_t i = 1; i < yardsticks().size(); ++i)
    all.emplace_back("each batch, 1.04, " + yardsticks()[i].name, Rule{&yardsticks()[i], Around::batch, 1.04});
  for (const double walk : {1.1, 1.5, 2.0})
    all.emplace_back("each batch, 1.04, walk " + decimal(walk, 1),
                     Rule{&yardsticks().front(), Around::batch, 1.04, walk});
  return all;
}

void print_rules(const std::string& name, const Judged& judged, bool markdown) {
  TextTable table{name + ": shared let pass / lone refused / counts / groups of " + std::to_string(group_visits) +
                      " visits within 2 %, in per cent",
                  {"readings around"},
                  {}};
  for (const auto& cell : judged.trace.cells) table.headings.push_back(cell.name);
  for (const auto& [text, rule] : rules()) {
    std::vector<std::string> row{text};
    for (std::size_t cell = 0; cell < judged.trace.cells.size(); ++cell)
      row.push_back(judged.truth.cell(cell).decidable() ? cell_text(tally_of(judged, cell, rule)) : "-");
    table.rows.push_back(std::move(row));
  }
  print(std::cout, table, markdown);
}

void print_modes(const std::string& name, const Judged& judged, bool markdown) {
  TextTable table{
      name + ": modes of the actions' own times", {"cell", "lone", "lone %", "shared %", "between %", ""}, {}};
  for (std::size_t i = 0; i < judged.trace.cells.size(); ++i) {
    const test::CellTruth& cell = judged.truth.cell(i);
    table.rows.push_back({judged.trace.cells[i].name, decimal(cell.lone / 1e3, 2) + " us",
                          hundredths(share(cell.lones, cell.batches)), hundredths(share(cell.shareds, cell.batches)),
                          hundredths(share(cell.batches - cell.lones - cell.shareds, cell.batches)),
                          cell.decidable() ? "" : "not decidable"});
  }
  print(std::cout, table, markdown);
}

/// What is known of batches as long as so many in a row.
struct Window {
  std::size_t windows = 0;
  std::size_t began = 0;       ///< alone
  std::size_t stayed = 0;      ///< alone at the end as well
  double length = 0;           ///< ns, of all windows
  std::vector<double> errors;  ///< of the mean time, where both ends were alone
};

constexpr std::size_t longest_window = 128;  // batches; only visits that are longer are looked at

Window windows_of(const Judged& judged, std::size_t batches) {
  const Rule rule{&yardsticks().front()};
  const Levels levels = levels_of(judged.trace, *rule.yardstick);
  Window window;
  for (const KeptVisit& visit : judged.trace.visits) {
    const double lone = judged.truth.cell(visit.cell).lone_median;
    if (visit.batches.size() < longest_window) continue;
    for (std::size_t first = 0; first + batches <= visit.batches.size(); first += batches) {
      double time = 0;
      bool switched = false;
      for (std::size_t i = first; i < first + batches; ++i) {
        time += static_cast<double>(visit.batches[i].elapsed);
        switched = switched || visit.batches[i].switched;
      }
      if (switched) continue;
      const bool before = is_alone(rule, levels, judged.trace, visit.readings[first], true);
      const bool after = is_alone(rule, levels, judged.trace, visit.readings[first + batches], false);
      ++window.windows;
      window.length += time;
      window.began += before ? 1 : 0;
      window.stayed += before && after ? 1 : 0;
      if (before && after) window.errors.push_back(time / static_cast<double>(batches) / lone - 1);
    }
  }
  return window;
}

void print_durations(const std::string& name, const Judged& judged, bool markdown) {
  TextTable table{name + ": what batches were like that began and ended alone, by their length",
                  {"length, us", "batches", "began alone %", "ended so %", "error above 2 %", "above 5 %",
                   "mean error %", "median error %"},
                  {}};
  for (std::size_t batches = 1; batches <= longest_window; batches *= 2) {
    const Window window = windows_of(judged, batches);
    if (window.errors.empty()) break;
    const auto above = [&](double bound) {
      return share(static_cast<std::size_t>(std::ranges::count_if(window.errors, [&](double e) { return e > bound; })),
                   window.errors.size());
    };
    double sum = 0;
    for (const double error : window.errors) sum += error;
    table.rows.push_back(
        {decimal(window.length / static_cast<double>(window.windows) / 1e3, 0), std::to_string(window.windows),
         hundredths(share(window.began, window.windows)), hundredths(share(window.stayed, window.began)),
         decimal(100 * above(0.02), 1), decimal(100 * above(0.05), 1),
         decimal(100 * sum / static_cast<double>(window.errors.size()), 2), decimal(100 * median(window.errors), 2)});
  }
  print(std::cout, table, markdown);
}

/// How much of the state is left after so long, from 1 (all) to 0 (as good as any other time), over pairs of visits.
void print_memory(const std::string& name, const Judged& judged, bool markdown) {
  constexpr std::array bounds{1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7};
  const Rule rule{&yardsticks().front()};
  const Levels levels = levels_of(judged.trace, *rule.yardstick);
  std::vector<std::pair<double, bool>> states;
  for (const KeptVisit& visit : judged.trace.visits)
    states.emplace_back(static_cast<double>(visit.at), is_alone(rule, levels, judged.trace, visit.readings[1], true));
  const auto alones = static_cast<std::size_t>(std::ranges::count_if(states, [](const auto& s) { return s.second; }));
  const double usual = share(alones, states.size());
  std::array<std::size_t, bounds.size()> began{};
  std::array<std::size_t, bounds.size()> stayed{};
  for (std::size_t i = 0; i < states.size(); ++i)
    for (std::size_t j = i + 1; states[i].second && j < states.size(); ++j) {
      const auto bin = std::ranges::lower_bound(bounds, states[j].first - states[i].first) - bounds.begin();
      if (static_cast<std::size_t>(bin) == bounds.size()) break;
      ++began[static_cast<std::size_t>(bin)];
      stayed[static_cast<std::size_t>(bin)] += states[j].second ? 1 : 0;
    }
  TextTable table{name + ": alone " + hundredths(usual) + " % of the time; alone again later",
                  {"up to", "pairs", "alone %", "memory"},
                  {}};
  for (std::size_t i = 0; i < bounds.size(); ++i)
    table.rows.push_back({decimal(bounds[i] / 1e3, 0) + " ms", std::to_string(began[i]),
                          hundredths(share(stayed[i], began[i])),
                          decimal((share(stayed[i], began[i]) - usual) / (1 - usual), 2)});
  print(std::cout, table, markdown);
}

int compare(const std::vector<std::string>& words) {
  options::options_description known("core_rules [FILE...], with");
  std::vector<std::string> files;
  known.add_options()("markdown", "tables for documents")("file", options::value(&files),
                                                          "what record_noise states made");
  options::positional_options_description positions;
  positions.add("file", -1);
  options::variables_map given;
  options::store(options::command_line_parser(words).options(known).positional(positions).run(), given);
  options::notify(given);
  if (files.empty())
    for (const char* folder : {"calm", "busy"})
      files.push_back(test::source_directory() + "/tests/traces/" + folder + "/states.txt");
  for (const std::string& file : files) {
    const Judged judged(file);
    const std::string name = file.substr(file.find_last_of('/', file.find_last_of('/') - 1) + 1);
    const bool markdown = given.count("markdown") > 0;
    print_modes(name, judged, markdown);
    print_rules(name, judged, markdown);
    print_durations(name, judged, markdown);
    print_memory(name, judged, markdown);
  }
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  try {
    return assay::bench::compare({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
