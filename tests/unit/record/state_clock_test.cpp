// SPDX-License-Identifier: Apache-2.0
// The clock of batches in a state, by the CPUs that their members were on.
#include <gtest/gtest.h>

#include "record/state_sorter.hpp"

namespace assay::test {
namespace {

constexpr CoreReading alone{{0.072}, {0.9}};
constexpr CoreReading shared{{0.13}, {0.92}};
constexpr double usual = 3 / 0.9;  // GHz

/// CPUs 0 to 2 alone at the usual clock, 3 at half of it.
CoreLevels known_levels() {
  CoreLevels levels(3);
  for (int i = 0; i < 40; ++i) {
    for (const int cpu : {0, 1, 2}) levels.add(cpu, alone);
    levels.add(3, {alone.wide * 2, alone.chain * 2});
  }
  return levels;
}

JudgedBatch batch_on(const std::vector<int>& cpus, const std::vector<CoreReading>& readings) {
  JudgedBatch judged;
  for (std::size_t rank = 0; rank < cpus.size(); ++rank) {
    MemberReport& report = judged.batch.members.emplace_back();
    report.wall = microseconds(20);
    report.cpu_before = report.cpu_after = cpus[rank];
    report.core_before = report.core_after = readings[rank];
  }
  return judged;
}

/// Of batches whose members were on these CPUs, by rank; `apart`: what each read while the others rested.
CoreClock clock_of(const std::vector<int>& cpus, const std::vector<CoreReading>& readings, bool one_cpu,
                   const std::vector<CoreReading>& apart = {}) {
  const CoreLevels levels = known_levels();
  StateSorter sorter;
  const std::vector<JudgedBatch> batches(8, batch_on(cpus, readings));
  for (int visit = 0; visit < 4; ++visit) sorter.add({0, 0, visit, {}, apart, batches});
  sorter.settle(levels);
  return sorter.clock_in({Sharing::alone, 0, 0}, one_cpu);
}

TEST(StateClock, IsThatOfTheCpusOfAllMembers) {
  EXPECT_NEAR(clock_of({0}, {alone}, true).ghz, usual, 1e-9);
  EXPECT_NEAR(clock_of({0, 1}, {alone, alone}, false).ghz, usual, 1e-9);
  EXPECT_EQ(clock_of({0, 3}, {alone, {alone.wide * 2, alone.chain * 2}}, false).why, NoClock::differ);
}

TEST(StateClock, OfWhatOnlyOneCpuFollowsIsNoneBetweenTwo) {
  EXPECT_EQ(clock_of({0, 1}, {alone, alone}, true).why, NoClock::several_cpus);
  EXPECT_NEAR(clock_of({2, 2}, {alone, alone}, true).ghz, usual, 1e-9);
}

TEST(StateClock, OfMembersOnOneCoreIsReadWhileTheOthersRest) {
  EXPECT_NEAR(clock_of({0, 1}, {shared, shared}, false, {alone, alone}).ghz, usual, 1e-9);
}

TEST(StateClock, IsNoneOfAStateThatThereWasNot) { EXPECT_EQ(clock_of({0}, {shared}, true).why, NoClock::not_read); }

/// States of a hundred batches of this length on a core that was alone in all readings but the last.
std::optional<CoreState> state_of_the_last(Nanoseconds length) {
  const CoreLevels levels = known_levels();
  StateSorter sorter;
  for (int visit = 0; visit < 100; ++visit) {
    std::vector<JudgedBatch> one{batch_on({0}, {alone})};
    one.front().batch.members.front().wall = length;
    if (visit == 99) one.front().batch.members.front().core_after = shared;
    sorter.add({0, 0, visit, {}, {}, one});
  }
  sorter.settle(levels);
  return sorter.state_of(99);
}

// A long window is not void because two readings of a few microseconds differ.
TEST(StateOfALongBatch, IsNotDecidedByTwoShortReadings) {
  EXPECT_EQ(state_of_the_last(milliseconds(500)), (CoreState{Sharing::alone, 0, 0}));
  EXPECT_EQ(state_of_the_last(microseconds(100)), std::nullopt);
}

// 2.94 and 2.96 GHz are one clock, though they would be rounded to 2.9 and 3.0.
TEST(StateClock, AtTheEdgeOfTwoRoundedNumbersIsOneState) {
  const CoreLevels levels = known_levels();
  StateSorter sorter;
  std::size_t batches = 0;
  for (int visit = 0; visit < 6; ++visit) {
    const double slower = usual / (visit % 2 == 0 ? 2.94 : 2.96);
    const CoreReading reading{alone.wide * slower, alone.chain * slower};
    const std::vector<JudgedBatch> kept(8, batch_on({0}, {reading}));
    sorter.add({0, 0, visit, {}, {}, kept});
    batches += kept.size();
  }
  sorter.settle(levels);
  const auto first = sorter.state_of(0);
  ASSERT_TRUE(first.has_value());
  EXPECT_NEAR(first->clock_ghz, 2.95, 0.051);
  for (std::size_t batch = 0; batch < batches; ++batch) EXPECT_EQ(sorter.state_of(batch), first) << batch;
}

/// What an earlier session knew of CPU 0, on a node where the cycles of a step are known and on one where they are not.
CoreLevels levels_by_nodes() {
  CoreLevels levels;
  levels.know({"known", 3, false});
  for (const char* node : {"", "known"})
    levels.confirm({0, 0.08, alone.chain, AloneBecause::two_levels, 100, 50, node});
  return levels;
}

CoreReading at_clock(double over_usual) { return {alone.wide / over_usual, alone.chain / over_usual}; }

/// Of visits of eight batches at the usual clock, and a last one whose batches were read before and behind at these.
StateSorter last_read_at(const CoreLevels& levels, const std::vector<std::pair<double, double>>& clocks) {
  StateSorter sorter;
  for (int visit = 0; visit < 10; ++visit)
    sorter.add({0, 0, visit, {}, {}, std::vector<JudgedBatch>(8, batch_on({0}, {alone}))});
  std::vector<JudgedBatch> last;
  for (const auto& [before, after] : clocks) {
    MemberReport& report = last.emplace_back(batch_on({0}, {alone})).batch.members.front();
    report.core_before = at_clock(before);
    report.core_after = at_clock(after);
  }
  sorter.add({0, 0, 10, {}, {}, last});
  sorter.settle(levels);
  return sorter;
}

CoreLevels one_clock() {
  CoreLevels levels(3);
  for (int i = 0; i < 100; ++i) {
    levels.add(0, alone);
    levels.add_clock("", {alone.chain, 10, false});
  }
  return levels;
}

TEST(StateClock, IsUnknownWhereHalfOfAVisitWasAtAnother) {
  const CoreLevels levels = one_clock();
  const StateSorter sorter = last_read_at(levels, {{1, 1}, {1, 1}, {0.87, 0.87}, {0.87, 0.87}});
  for (std::size_t batch = 80; batch < 84; ++batch) EXPECT_EQ(sorter.state_of(batch), std::nullopt) << batch;
  EXPECT_EQ(sorter.state_of(0), (CoreState{Sharing::alone, 0, 0}));
}

TEST(StateClock, OfTwoReadingsThatDifferIsInNoMean) {
  const CoreLevels levels = one_clock();
  const StateSorter sorter = last_read_at(levels, {{1, 0.05}});
  EXPECT_NEAR(sorter.step_in({Sharing::alone, 0, 0}).count, 0.9, 0.002)
      << "levels are in steps of a quarter of a per cent";
}

/// The states of visits, one at each clock, on a node.
std::vector<std::string> states_at(const std::vector<double>& clocks, const std::string& node) {
  const CoreLevels levels = levels_by_nodes();
  StateSorter sorter;
  const std::vector<std::string> nodes(node.empty() ? 0 : 1, node);
  for (std::size_t visit = 0; visit < clocks.size(); ++visit) {
    const std::vector<JudgedBatch> kept(2, batch_on({0}, {at_clock(clocks[visit])}));
    sorter.add({0, 0, static_cast<int>(visit), {}, {}, kept, nodes});
  }
  sorter.settle(levels);
  std::vector<std::string> states;
  for (std::size_t batch = 0; batch < sorter.size(); batch += 2)
    states.push_back(to_text(sorter.state_of(batch).value()));
  return states;
}

TEST(UnusualClock, IsOverTheUsualOneWhereCyclesOfAStepAreNotKnown) {
  EXPECT_EQ(states_at({1, 0.87, 1.2, 1.02}, ""), std::vector<std::string>({"alone", "alone, clock 0.87 of the usual",
                                                                           "alone, clock 1.2 of the usual", "alone"}));
  EXPECT_EQ(states_at({1, 0.87}, "known"), std::vector<std::string>({"alone", "alone, clock 2.9 GHz"}));
}

// 0.864 and 0.876 are one clock, though they would be rounded to 0.86 and 0.88.
TEST(UnusualClock, AtTheEdgeOfTwoRoundedRatiosIsOneState) {
  const auto states = states_at({1, 0.864, 0.876, 0.864, 0.876}, "");
  EXPECT_EQ(states[0], "alone");
  for (std::size_t i = 1; i < states.size(); ++i) EXPECT_EQ(states[i], states[1]) << i;
  EXPECT_NE(states[1], "alone");
}

// Two readings with coarse time stamps are 3 % off: two campaigns of one clock would be held for two.
TEST(StateClock, TheStepOfAResultIsThatOfItsLevel) {
  for (const char* node : {"known", ""}) {
    CoreLevels levels = levels_by_nodes();
    levels.confirm(NodeClocks{"known", alone.chain, {{alone.chain.count, 100}, {alone.chain.count / 0.9, 100}}});
    StateSorter sorter;
    const std::vector<std::string> nodes(1, node);
    for (int visit = 0; visit < 4; ++visit) {
      const double clock = visit == 3 ? 0.7 : visit % 2 == 0 ? 0.98 : 0.99;  // the last was delayed
      const std::vector<JudgedBatch> kept(1, batch_on({0}, {at_clock(clock)}));
      sorter.add({0, 0, visit, {}, {}, kept, nodes});
    }
    sorter.settle(levels);
    const bool is_known = *node != '\0';
    EXPECT_EQ(sorter.step_in({Sharing::alone, 0, 0}), is_known ? alone.chain : Nanoseconds{}) << node;
    EXPECT_EQ(sorter.step_in({}), is_known ? alone.chain : Nanoseconds{}) << node;
  }
}

// A chat's own threads fill the cores around each of its batches: only before a visit they all sleep.
TEST(StateClock, OfActionsThatShareTheirCoreWithThemselvesIsReadBeforeTheVisit) {
  CoreLevels levels = levels_by_nodes();
  levels.confirm(NodeClocks{"known", alone.chain, {{alone.chain.count, 100}, {alone.chain.count / 0.9, 100}}});
  const std::vector<std::string> nodes(1, "known");
  for (const bool is_rested : {true, false}) {
    StateSorter sorter;
    for (int visit = 0; visit < 20; ++visit) {
      std::vector<JudgedBatch> chat{batch_on({0}, {shared})};
      chat.front().batch.members.front().wall = milliseconds(50);
      const std::vector<CoreReading> apart{is_rested ? at_clock(visit < 15 ? 0.9 : 1) : shared};
      sorter.add({0, 0, visit, {}, apart, chat, nodes});
    }
    sorter.settle(levels);
    ASSERT_TRUE(sorter.outlasts_states());
    EXPECT_EQ(to_text(sorter.state_of(0).value()), is_rested ? "as found, clock 3 GHz" : "as found");
    EXPECT_EQ(to_text(sorter.state_of(19).value()), is_rested ? "as found, clock 3.33 GHz" : "as found");
  }
}

TEST(UnusualClock, OfASharedCoreIsNotNamed) {
  const CoreLevels levels = levels_by_nodes();
  StateSorter sorter;
  const CoreReading slow{shared.wide / 0.8, shared.chain / 0.8};
  const std::vector<JudgedBatch> kept(4, batch_on({0}, {slow}));
  sorter.add({0, 0, 0, {}, {}, kept});
  sorter.settle(levels);
  EXPECT_EQ(sorter.state_of(0), (CoreState{Sharing::shared, 0, 0}));
}

TEST(StateSorter, VisitsOfAnotherFollowItsOwn) {
  const CoreLevels levels = levels_by_nodes();
  StateSorter joint;
  const std::vector<JudgedBatch> first(3, batch_on({0}, {alone}));
  const std::vector<JudgedBatch> second(2, batch_on({0}, {at_clock(0.8)}));
  joint.add({0, 0, 0, {}, {}, first});
  StateSorter later;
  later.add({1, 0, 1, {}, {}, second});
  joint.append(later);
  joint.settle(levels);
  ASSERT_EQ(joint.size(), 5U);
  EXPECT_EQ(joint.state_of(2), (CoreState{Sharing::alone, 0, 0}));
  EXPECT_EQ(joint.state_of(3), (CoreState{Sharing::alone, 0, 0, 0.8}));
}

}  // namespace
}  // namespace assay::test
