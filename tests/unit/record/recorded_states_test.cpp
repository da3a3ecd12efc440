// SPDX-License-Identifier: Apache-2.0
// Recorded states read back as they were written, and the program's rule is right about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

#include "record/state_sorter.hpp"
#include "stats/core/core_levels.hpp"
#include "stats/sample/summary.hpp"
#include "support/environment/paths.hpp"
#include "support/environment/scratch.hpp"
#include "support/traces/state_truth.hpp"

namespace assay {
namespace {

using test::KeptReading;
using test::KeptVisit;
using test::StateTrace;
using test::Truth;
using ::testing::HasSubstr;

KeptReading reading_of(std::int64_t wide) { return {{wide, wide + 1, wide - 2, wide}, 800, 100}; }

StateTrace two_visits() {
  StateTrace trace{{{"a", 64}, {"b", 1}}, 4800, 800, 32, 3, {}, {{"load.start", "0.1 0.2"}}};
  trace.visits.push_back({0, 1, {reading_of(390), reading_of(640)}, {{25'000, false}}});
  trace.visits.push_back(
      {7'000'000, 0, {reading_of(391), reading_of(392), reading_of(393)}, {{31'000, true}, {30, false}}});
  return trace;
}

class StateTraceFile : public ::testing::Test {
 protected:
  StateTrace read_back(const std::string& text) {
    std::ofstream(scratch_ / "states.txt", std::ios::binary) << text;
    return test::read_states(scratch_ / "states.txt");
  }
  std::string refusal(const std::string& text) {
    try {
      read_back(text);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "read";
  }
  test::Scratch scratch_;
};

TEST_F(StateTraceFile, ReadsBack) {
  const StateTrace trace = two_visits();
  const StateTrace read = read_back(to_text(trace));
  ASSERT_EQ(read.cells.size(), 2U);
  EXPECT_EQ(read.cells[0].name, "a");
  EXPECT_EQ(read.cells[0].reps, 64);
  EXPECT_EQ(read.additions, 4800);
  EXPECT_EQ(read.steps, 800);
  EXPECT_EQ(read.lines, 32);
  EXPECT_EQ(read.cycles_per_step, 3);
  EXPECT_EQ(read.visits, trace.visits);
  EXPECT_EQ(read.circumstances, trace.circumstances);
}

TEST_F(StateTraceFile, WhatIsDamagedOrOfAnotherKindIsRefused) {
  const std::string whole = to_text(two_visits());
  std::string other = whole;
  other[whole.size() / 2] ^= 1;
  EXPECT_THAT(refusal(other), HasSubstr("its checksum is another"));
  StateTrace trace = two_visits();
  trace.visits[0].cell = 2;
  EXPECT_THAT(refusal(to_text(trace)), HasSubstr("names a cell that it does not list"));
  EXPECT_THAT(refusal(test::to_text(test::Timings{"a", 1, 1, {1}, {}})), HasSubstr("does not begin with"));
}

TEST_F(StateTraceFile, TheReadingNextToABatchIsOfTheTriesNextToIt) {
  const StateTrace trace = two_visits();
  const KeptReading kept{{400, 402, 404, 408}, 800, 100};
  EXPECT_DOUBLE_EQ(trace.after_batch(kept).wide.count, 802.0 / 9600);
  EXPECT_DOUBLE_EQ(trace.before_batch(kept).wide.count, 812.0 / 9600);
  EXPECT_DOUBLE_EQ(trace.before_batch(kept).chain.count, 1);
}

TEST(StateTruth, ModesAreTheActionsOwn) {
  StateTrace trace{{{"a", 1}}, 4800, 800, 32, 3, {}, {}};
  for (int i = 0; i < 100; ++i) {
    const std::int64_t elapsed = i < 70 ? 1000 + i % 5 : 1400;
    trace.visits.push_back({i, 0, {reading_of(390), reading_of(390)}, {{elapsed, i == 99}}});
  }
  const test::StateTruth truth(trace);
  EXPECT_TRUE(truth.cell(0).decidable());
  EXPECT_EQ(truth.cell(0).lones, 70U);
  EXPECT_EQ(truth.cell(0).shareds, 29U);  // one was switched
  EXPECT_EQ(truth.cell(0).lone_median, 1002);
  EXPECT_EQ(truth.of(0, {1000, false}), Truth::lone);
  EXPECT_EQ(truth.of(0, {1120, false}), Truth::between);
  EXPECT_EQ(truth.of(0, {1400, false}), Truth::shared);
}

TEST(StateTruth, ModesThatOverlapDecideNothing) {
  StateTrace trace{{{"a", 1}}, 4800, 800, 32, 3, {}, {}};
  for (int i = 0; i < 100; ++i)
    trace.visits.push_back({i, 0, {reading_of(390), reading_of(390)}, {{1000 + 4 * i, false}}});
  EXPECT_FALSE(test::StateTruth(trace).cell(0).decidable());
}

/// The program's own rule, told a recording as if it were a campaign, a point for each cell.
class ToldStates {
 public:
  explicit ToldStates(const StateTrace& trace)
      : levels_(trace.cycles_per_step), points_(trace.cells.size()), elapsed_(trace.cells.size()) {
    for (const KeptVisit& visit : trace.visits) tell(trace, visit);
    for (StateSorter& point : points_) point.settle(levels_);
  }
  std::size_t size(std::size_t cell) const { return elapsed_[cell].size(); }
  const KeptVisit::KeptBatch& batch(std::size_t cell, std::size_t index) const { return elapsed_[cell][index]; }
  Sharing sharing(std::size_t cell, std::size_t index) const { return points_[cell].sharing_of(index); }
  bool outlasts(std::size_t cell) const { return points_[cell].outlasts_states(); }
  CoreLevel level() const { return levels_.level(0).value(); }

 private:
  void tell(const StateTrace& trace, const KeptVisit& visit) {
    std::vector<JudgedBatch> kept;
    for (std::size_t i = 0; i < visit.batches.size(); ++i) {
      MemberReport report;
      report.cpu_before = report.cpu_after = 0;
      report.wall = {static_cast<double>(visit.batches[i].elapsed)};
      report.core_before = trace.before_batch(visit.readings[i]);
      report.core_after = trace.after_batch(visit.readings[i + 1]);
      levels_.add(0, report.core_before);
      levels_.add(0, report.core_after);
      if (visit.batches[i].switched) continue;
      kept.push_back({{Reps{1}, {report}}, {}});
      elapsed_[visit.cell].push_back(visit.batches[i]);
    }
    points_[visit.cell].add({0, 0, 0, std::nullopt, {}, kept});
  }

  CoreLevels levels_;
  std::vector<StateSorter> points_;
  std::vector<std::vector<KeptVisit::KeptBatch>> elapsed_;
};

/// A trace, and what the rule may get wrong in it. What begins and ends within a batch no reading sees: the more of the
/// neighbours' work comes in pieces so short, the more passes.
struct Recorded {
  const char* folder;
  double let_pass;
  double refused = 0.12;
};

class RecordedStates : public ::testing::TestWithParam<Recorded> {
 protected:
  const StateTrace trace_ =
      test::read_states(test::source_directory() + "/tests/traces/" + GetParam().folder + "/states.txt");
  const test::StateTruth truth_{trace_};
  const ToldStates told_{trace_};

  std::vector<std::size_t> decidable() const {
    std::vector<std::size_t> cells;
    for (std::size_t cell = 0; cell < trace_.cells.size(); ++cell)
      if (truth_.cell(cell).decidable()) cells.push_back(cell);
    return cells;
  }
  /// Of the cell's batches that are of that truth, the share that was told to be alone.
  double told_alone(std::size_t cell, Truth truth) const {
    double all = 0;
    double alone = 0;
    for (std::size_t i = 0; i < told_.size(cell); ++i) {
      if (truth_.of(cell, told_.batch(cell, i)) != truth) continue;
      ++all;
      alone += told_.sharing(cell, i) == Sharing::alone ? 1 : 0;
    }
    return alone / all;
  }
  /// Medians of so many batches told alone in a row, over that of all that were lone in truth.
  std::vector<double> medians(std::size_t cell, std::size_t group) const {
    std::vector<double> ratios;
    std::vector<double> values;
    for (std::size_t i = 0; i < told_.size(cell); ++i) {
      if (told_.sharing(cell, i) != Sharing::alone) continue;
      values.push_back(static_cast<double>(told_.batch(cell, i).elapsed));
      if (values.size() < group) continue;
      ratios.push_back(median(values) / truth_.cell(cell).lone_median);
      values.clear();
    }
    return ratios;
  }
};

TEST_P(RecordedStates, MostActionsTellTheTruthByThemselves) { EXPECT_GE(decidable().size(), 4U); }

TEST_P(RecordedStates, AreSeenToBeAloneForSure) { EXPECT_NE(told_.level().because, AloneBecause::nothing); }

TEST_P(RecordedStates, LastLongerThanBatches) {
  for (const std::size_t cell : decidable()) EXPECT_FALSE(told_.outlasts(cell)) << trace_.cells[cell].name;
}

TEST_P(RecordedStates, FewSharedBatchesPass) {
  for (const std::size_t cell : decidable())
    EXPECT_LT(told_alone(cell, Truth::shared), GetParam().let_pass) << trace_.cells[cell].name;
}

TEST_P(RecordedStates, FewLoneBatchesAreRefused) {
  for (const std::size_t cell : decidable()) {
    // What the kernel does in a fault leaves the loops of the reading behind it to be learned anew.
    const double refused = trace_.cells[cell].name == "page-fault" ? 0.3 : GetParam().refused;
    EXPECT_GT(told_alone(cell, Truth::lone), 1 - refused) << trace_.cells[cell].name;
  }
}

TEST_P(RecordedStates, WhatIsToldAloneHasTheMedianOfACoreAlone) {
  for (const std::size_t cell : decidable()) {
    const std::vector<double> ratios = medians(cell, 200);
    ASSERT_GE(ratios.size(), 2U) << trace_.cells[cell].name;
    for (const double ratio : ratios)  // a mutex pair takes a cycle of twenty more or less, for some visits in a row
      EXPECT_NEAR(ratio, 1, trace_.cells[cell].name == "mutex-pair" ? 0.06 : 0.02) << trace_.cells[cell].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, RecordedStates, ::testing::Values(Recorded{"calm", 0.08}, Recorded{"busy", 0.03}),
                         [](const auto& tested) { return std::string(tested.param.folder); });

}  // namespace
}  // namespace assay
