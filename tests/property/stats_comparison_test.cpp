// SPDX-License-Identifier: Apache-2.0
// The promise of comparisons: hardly a false alarm among hundreds of points, and what changed is found.
#include <gtest/gtest.h>

#include "support/environment/paths.hpp"
#include "support/laws/drawn_runs.hpp"
#include "support/laws/laws.hpp"
#include "support/traces/trace.hpp"

namespace assay::test {
namespace {

constexpr std::size_t many = 20;  ///< incarnations

/// The medians of recorded processes by cell, on a machine that others used too.
const std::vector<std::vector<double>>& recorded_cells() {
  static const auto all = [] {
    std::vector<std::vector<double>> cells;
    for (const ProcessCell& cell :
         read_processes(test::source_directory() + "/tests/traces/busy/processes.txt").cells) {
      auto& medians = cells.emplace_back();
      for (const ProcessRun& run : cell.runs) medians.push_back(run.median);
    }
    return cells;
  }();
  return all;
}

/// The last cell is two threads that spin on two shared virtual CPUs: its processes differ by a factor, so that no
/// number of them shows 10 %. It counts where false alarms do.
std::size_t cells_with_hope() { return recorded_cells().size() - 1; }

Fared on_recorded(const DrawnTrial& trial, RunOrder order, std::size_t each, std::size_t cells) {
  Rng rng(20261120);
  return fared(trial, [&] { return drawn(recorded_cells()[rng.below(cells)], each, order, rng); });
}

/// Processes from a law; one in twenty is slower by 30 % when `has_outliers`.
Fared on_law(const DrawnTrial& trial, const Law& law, bool has_outliers) {
  Rng rng(7);
  const auto median = [&] { return law(rng) * (has_outliers && rng.uniform() < 0.05 ? 1.3 : 1); };
  return fared(trial, [&] {
    std::vector<double> runs;
    for (std::size_t i = 0; i < 2 * many; ++i) runs.push_back(median());
    return dealt(runs, RunOrder::interleaved);
  });
}

TEST(ComparisonPromise, UnchangedPointsRaiseNoAlarm) {
  const Fared fared = on_recorded({1000}, RunOrder::interleaved, many, recorded_cells().size());
  EXPECT_LE(fared.reported, 50);
  EXPECT_LE(fared.alarmed, 10);
}

TEST(ComparisonPromise, ChangesOfSomePointsAreFound) {
  // Fifteen of 300, as where one layer below them changed.
  EXPECT_GE(on_recorded({60, 300, 15, 1.05}, RunOrder::interleaved, many, cells_with_hope()).power(), 0.75);
  EXPECT_GE(on_recorded({60, 300, 15, 1.10}, RunOrder::interleaved, many, cells_with_hope()).power(), 0.85);
}

TEST(ComparisonPromise, AChangeOfOnePointTakesTheIncarnationsThatPlansTell) {
  // Alone it has to be significant at 0.1 / 300. "Three cases of four", less what 80 cases scatter by.
  const Replication needed = replication_for(300);
  const auto power = [](int incarnations, double ratio) {
    const auto each = static_cast<std::size_t>(incarnations);
    return on_recorded({80, 300, 1, ratio}, RunOrder::interleaved, each, cells_with_hope()).power();
  };
  EXPECT_GE(power(needed.ten_percent, 1.10), 0.68);
  EXPECT_GE(power(needed.five_percent, 1.05), 0.68);
  EXPECT_EQ(power(needed.least - 1, 2), 0) << "no single change can show";
}

TEST(ComparisonPromise, OnCleanDataAChangeOfOnePointIsFound) {
  for (const double spread : {0.005, 0.02}) {
    EXPECT_GE(on_law({30, 300, 1, 1.05}, log_normal(100, spread), false).power(), 0.95) << spread;
    EXPECT_GE(on_law({30, 300, 1, 1.10}, log_normal(100, spread), false).power(), 0.95) << spread;
  }
  EXPECT_GE(on_law({30, 300, 1, 1.05}, log_normal(100, 0.005), true).power(), 0.95) << "outlying processes";
}

TEST(ComparisonPromise, OnIndependentNoiseAlarmsStayWithinQ) {
  // Where nothing changed at all, every alarm is a false one and q bounds the share of comparisons that raise any. The
  // margin keeps narrow noise far below; noise wider than it comes near q.
  EXPECT_EQ(on_law({60}, log_normal(100, 0.01), true).reported, 0);
  EXPECT_LE(on_law({100}, log_normal(100, 0.05), true).reported, 15);
  // An alarm stops a build.
  EXPECT_LE(on_law({1000, 40}, log_normal(100, 0.05), true).alarmed, 30);
}

TEST(ComparisonPromise, TwoCampaignsOfTheSameHardlyEverDiffer) {
  // A quick campaign: some forty points, the usual five incarnations, or ten.
  EXPECT_LE(on_recorded({500, 40}, RunOrder::interleaved, 5, recorded_cells().size()).reported, 10);
  EXPECT_LE(on_recorded({500, 40}, RunOrder::interleaved, 10, recorded_cells().size()).reported, 10);
  EXPECT_LE(on_law({500, 40}, log_normal(100, 0.01), true).reported, 10);
  EXPECT_LE(on_law({500, 40}, log_normal(100, 0.02), true).reported, 10);
}

TEST(ComparisonPromise, TenPerCentAreFoundInAnInterleavedPair) {
  EXPECT_GE(on_law({100, 40, 4, 1.10}, log_normal(100, 0.02), true).power(), 0.95);
  EXPECT_GE(on_law({100, 40, 40, 1.10}, log_normal(100, 0.05), true).power(), 0.95) << "all of them";
}

TEST(ComparisonPromise, OneAfterTheOtherDeservesItsWarning) {
  // "7 to 25 false alarms per 300 points": the reason why levels of one campaign are measured in turn.
  const Fared fared = on_recorded({60}, RunOrder::sequential, many, recorded_cells().size());
  EXPECT_GT(fared.reports_per_comparison(), 7);
  EXPECT_LT(fared.reports_per_comparison(), 25);
}

TEST(ComparisonPromise, TooFewIncarnationsAreNeverCalledSame) {
  Rng rng(3);
  std::vector<Contest> all;
  for (std::size_t i = 0; i < 300; ++i)
    all.push_back(drawn(recorded_cells()[rng.below(cells_with_hope())], 5, RunOrder::interleaved, rng));
  for (const Finding& finding : compare(all)) {
    EXPECT_EQ(finding.change, Change::unclear);
    EXPECT_EQ(finding.needed, 8) << "2/12870 <= 0.1/300 < 2/3432";
  }
}

}  // namespace
}  // namespace assay::test
