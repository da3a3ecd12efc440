// SPDX-License-Identifier: Apache-2.0
// The campaigns of two thread libraries' benchmarks, cut short: every row is there.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <set>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;

std::vector<Record> run_suite(const Scratch& folder, const std::string& file,
                              const std::vector<std::string>& settings) {
  std::vector<std::string> command{"run",
                                   source_directory() + "/configs/" + file,
                                   "--output",
                                   folder / "campaign",
                                   "--quiet",
                                   "--set",
                                   "precision.incarnations=1",
                                   "--set",
                                   "precision.max-incarnations=1",
                                   "--set",
                                   "precision.warm-up=0ms"};
  for (const std::string& setting : settings) command.insert(command.end(), {"--set", setting});
  const Finished finished = run_assay(command);
  EXPECT_TRUE(finished.exit_code == 0 || finished.exit_code == 1) << finished.out << finished.err;
  return campaign_records(folder);
}

/// What the batches of a series claimed, kept or left out.
std::set<std::string> claimed_in(const std::vector<Record>& records, const std::string& series) {
  std::vector<Quantity> quantities;
  for (const SeriesRecord& record : records_of<SeriesRecord>(records))
    if (record.series == series) quantities = record.quantities;
  std::set<std::string> names;
  for (const VisitRecord& visit : records_of<VisitRecord>(records)) {
    if (visit.series != series) continue;
    for (const JudgedBatch& judged : visit.batches)
      for (std::size_t index = 0; index < quantities.size(); ++index)
        if (combined_claims(judged.batch, quantities[index], index)) names.insert(quantities[index].name);
  }
  return names;
}

/// Every point of the series was measured, and all of these quantities were. Whether a quantity has a result, too, is
/// for the machine to decide: of few timings the disturbed ones can be all.
void expect_rows(const std::vector<Record>& records, const std::string& series, std::size_t points,
                 const std::set<std::string>& quantities) {
  const auto found = points_of(records, series);
  EXPECT_EQ(found.size(), points) << series;
  for (const PointRecord& point : found) {
    SCOPED_TRACE(series + ": " + to_text(point.outcome) + " " + point.reason);
    for (const Outcome none : {Outcome::failed, Outcome::timeout, Outcome::unsupported, Outcome::not_applicable})
      EXPECT_NE(point.outcome, none);
    EXPECT_TRUE(point.outcome == Outcome::too_noisy || !point.results.empty());
    for (const Result& result : point.results) EXPECT_TRUE(quantities.contains(result.quantity)) << result.quantity;
  }
  EXPECT_EQ(claimed_in(records, series), quantities) << series;
}

TEST(ThreadSuites, PthreadbenchHasEveryRowInBothWays) {
  const Scratch folder;
  std::vector<std::string> settings{"precision.rule=fixed:8", "precision.min-visits=1"};
  for (const char* series : {"lifecycle", "context", "wakeup", "uncontended"})
    settings.push_back("series." + std::string(series) + "-window.window=10ms");
  const auto records = run_suite(folder, "pthreadbench.ini", settings);
  expect_rows(records, "lifecycle", 2, {"time", "elsewhere"});
  expect_rows(records, "lifecycle-window", 2, {"rate", "count", "elapsed", "elsewhere"});
  expect_rows(records, "context", 4, {"time", "switches"});
  expect_rows(records, "context-window", 4, {"rate", "count", "elapsed", "switches"});
  const std::set<std::string> of_wakeup{"asleep", "switches", "idle_returns"};
  std::set<std::string> batches = of_wakeup;
  batches.insert("time");
  std::set<std::string> windows = of_wakeup;
  windows.insert({"rate", "count", "elapsed"});
  expect_rows(records, "wakeup", 2, batches);
  expect_rows(records, "wakeup-window", 2, windows);
  expect_rows(records, "uncontended", 2, {"time"});
  expect_rows(records, "uncontended-window", 2, {"rate", "count", "elapsed"});
  expect_rows(records, "clock", 1, {"frequency", "cycle"});
}

TEST(ThreadSuites, NptlCreateHasEveryCell) {
  const Scratch folder;
  const auto records =
      run_suite(folder, "nptl-create.ini",
                {ASSAY_SANITIZED ? "precision.rule=fixed:2" : "precision.rule=fixed:8", "precision.min-visits=1",
                 "series.matrix.creations=50", "series.matrix.children=1, 3, 10", "series.detached.creations=50",
                 "series.small-stacks.creations=50", "series.run.creations=1000"});
  const std::set<std::string> quantities{"time", "switches", "run"};
  expect_rows(records, "matrix", 60, quantities);
  expect_rows(records, "run", 1, quantities);
  expect_rows(records, "detached", 6, quantities);
  expect_rows(records, "small-stacks", 6, quantities);
  const auto calls = points_of(records, "calls");
  EXPECT_EQ(calls.size(), 4U);
  for (const PointRecord& point : calls)
    if (point.outcome == Outcome::unsupported) {
      EXPECT_THAT(point.reason, HasSubstr("system calls cannot be counted"));
    }
}

TEST(ThreadSuites, ARefusedThreadIsARowThatNamesItsLimit) {
  const Scratch folder;
  const Finished finished = run_campaign_text(folder,
                                              "[precision]\nincarnations = 1\n"
                                              "[series.large]\nmeasurement = thread/mass_create\nplacement = bound\n"
                                              "stack = 100000Gi\ncreations = 10\n");
  const auto points = points_of(campaign_records(folder), "large");
  ASSERT_EQ(points.size(), 1U) << finished.err;
  EXPECT_EQ(points[0].outcome, Outcome::unsupported);
  EXPECT_THAT(points[0].reason, HasSubstr("lower stack"));
}

}  // namespace
}  // namespace assay::test
