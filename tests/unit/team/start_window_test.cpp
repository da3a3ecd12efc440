// SPDX-License-Identifier: Apache-2.0
// Windows widen until starts are in time, or say why they never will be.
#include "team/start_window.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "support/simulated_network.hpp"
#include "team/agreed_starts.hpp"
#include "team/rank_tree.hpp"
#include "team/start_wait.hpp"

namespace assay {
namespace {

using test::Law;
using test::SimulatedNetwork;
using test::SimulatedRank;
using test::SimulatedWire;
using testing::ElementsAre;
using testing::HasSubstr;

using Latenesses = std::vector<std::vector<Nanoseconds>>;

WindowRule rule_of(int batches) {
  WindowRule rule;
  rule.batches = batches;
  return rule;
}

TEST(StartWindow, PlansStartsAheadAndApart) {
  const StartWindow window(rule_of(3), {});
  const Windows windows = window.plan({1'000'000'000'000'000'000});
  EXPECT_EQ(windows.start(0).ns, 1'000'000'000'000'100'000);
  EXPECT_EQ(windows.start(2).ns, 1'000'000'000'000'300'000);
}

TEST(StartWindow, ABatchThatAnyRankStartsLateDoesNotCount) {
  StartWindow window(rule_of(4), {});
  const Judgement judgement = window.judge(Latenesses{{{0}, {900}, {0}, {0}}, {{50}, {0}, {1200}, {0}}});
  EXPECT_THAT(judgement.valid, ElementsAre(true, true, false, true)) << "a microsecond is tolerated";
  EXPECT_EQ(judgement.worst_rank, 1);
  EXPECT_EQ(judgement.worst.count, 1200);
  EXPECT_EQ(window.width(), microseconds(100)) << "one in four may be late";
  EXPECT_EQ(window.valid(), 3);
  EXPECT_EQ(window.judged(), 4);
}

TEST(StartWindow, WidensToTwiceOrToWhatWouldHaveSufficed) {
  StartWindow window(rule_of(4), {});
  window.judge(Latenesses{{{2'000}, {2'000}, {0}, {0}}});
  EXPECT_EQ(window.width(), microseconds(200));
  // Each batch takes a millisecond longer than its window.
  const Judgement judgement = window.judge(Latenesses{{{0}, {1e6}, {2e6}, {3e6}}});
  EXPECT_EQ(judgement.late, 3);
  EXPECT_EQ(window.width(), 1.5 * (microseconds(200) + microseconds(750)));
  EXPECT_EQ(window.batches(), 2) << "three late in a row of four";
  window.judge(Latenesses{{{1e6}, {0}}});
  EXPECT_EQ(window.batches(), 2) << "one of two is not more than half";
}

TEST(StartWindow, GivesUpWithTheReasonWhereMembersOutnumberCpus) {
  WindowRule rule = rule_of(1);
  rule.most_widenings = 3;
  StartWindow window(rule, {{2, 2}, {4, 2}});
  Judgement judgement;
  for (int stretch = 0; stretch < 4; ++stretch) {
    EXPECT_EQ(judgement.gave_up, "");
    judgement = window.judge(Latenesses{{{0}}, {{4e6}}});
  }
  EXPECT_THAT(judgement.gave_up, HasSubstr("rank 1 was still 4 ms late after windows were widened 3 times"));
  EXPECT_THAT(judgement.gave_up, HasSubstr("(0 of 4 starts in time)"));
  EXPECT_THAT(judgement.gave_up, HasSubstr("members outnumber CPUs: 4 on 2"));
  EXPECT_THROW(window.plan({0}), std::logic_error);
}

TEST(StartWindow, BlamesNoCrowdWhereThereIsNone) {
  WindowRule rule = rule_of(1);
  rule.most_widenings = 0;
  StartWindow window(rule, {{2, 2}});
  const Judgement judgement = window.judge(Latenesses{{{4e6}}});
  EXPECT_THAT(judgement.gave_up, HasSubstr("something else runs on its CPUs"));
  EXPECT_THAT(judgement.gave_up, testing::Not(HasSubstr("outnumber")));
}

TEST(StartWindow, WindowsInTimeMakeUpForWidenings) {
  WindowRule rule = rule_of(1);
  rule.most_widenings = 1;
  StartWindow window(rule, {});
  for (int stretch = 0; stretch < 5; ++stretch) {
    EXPECT_EQ(window.judge(Latenesses{{{4e6}}}).gave_up, "");
    EXPECT_EQ(window.judge(Latenesses{{{0}}}).late, 0);
  }
}

TEST(StartWindow, RefusesRulesAndLatenessesThatMeanNothing) {
  EXPECT_THROW(StartWindow(rule_of(0), {}), std::invalid_argument);
  StartWindow window(rule_of(2), {});
  EXPECT_THROW(window.judge({}), std::invalid_argument);
  EXPECT_THROW(window.judge(Latenesses{{{0}, {0}}, {{0}}}), std::invalid_argument);
}

// Ranks of two nodes that start batches of 300 us together, five stretches long.
struct Outcome {
  Judgement last;
  int valid = 0;
  int judged = 0;
  Nanoseconds apart{};  // of true starts of batches that count
  Nanoseconds bound{};  // of that
};

struct Started {
  std::int64_t times[64] = {};
  Nanoseconds bound{};
};

class AgreedStarts : public testing::Test {
 protected:
  Outcome outcome(bool crowded, Law oversleep) {
    network_.oversleep = std::move(oversleep);
    Outcome outcome;
    network_.run([&](SimulatedWire& wire) {
      const CommonClock clock = synchronize(wire);
      StartWindow window(rule_of(16), {{crowded ? 4 : 2, 2}, {2, 2}});
      for (int stretch = 0; stretch < 20; ++stretch) {
        const Judgement judgement = run_stretch(wire, clock, window, crowded, outcome);
        if (wire.rank() == 0) outcome.last = judgement;
        if (!judgement.gave_up.empty()) break;
      }
      if (wire.rank() != 0) return;
      outcome.valid = window.valid();
      outcome.judged = window.judged();
    });
    return outcome;
  }

 private:
  static Judgement run_stretch(SimulatedWire& wire, const CommonClock& clock, StartWindow& window, bool crowded,
                               Outcome& outcome) {
    Started started;
    const Judgement judgement = run_windows(wire, clock, window, [&](int batch, Instant start) {
      const Nanoseconds late = wait_for_start(wire.clock(), start, {.may_poll = !crowded});
      started.times[batch] = wire.time();
      wire.pass(microseconds(300));
      return late;
    });
    started.bound = clock.model.bound_at(wire.clock().now());
    const std::vector<Started> all = gather(wire, started);
    if (wire.rank() == 0) note(judgement, all, outcome);
    return judgement;
  }

  static void note(const Judgement& judgement, const std::vector<Started>& all, Outcome& outcome) {
    for (std::size_t batch = 0; batch < judgement.valid.size(); ++batch) {
      if (!judgement.valid[batch]) continue;
      const auto by_time = [&](const Started& a, const Started& b) { return a.times[batch] < b.times[batch]; };
      const auto [first, last] = std::minmax_element(all.begin(), all.end(), by_time);
      outcome.apart = std::max(outcome.apart, {static_cast<double>(last->times[batch] - first->times[batch])});
    }
    for (const Started& one : all) outcome.bound = std::max(outcome.bound, one.bound);
  }

  SimulatedNetwork network_{{{0, 0, 0}, {0, 0, 0}, {1, 77'000'000'000, 3e-5}, {1, 77'000'000'000, 3e-5}}, 9};
};

TEST_F(AgreedStarts, BeginTogetherOnceWindowsAreWideEnough) {
  const Outcome outcome =
      this->outcome(false, [](Rng& rng, std::int64_t) { return -55'000 * std::log(1 - rng.uniform()); });
  EXPECT_EQ(outcome.last.gave_up, "");
  EXPECT_GT(outcome.valid, outcome.judged / 2);
  EXPECT_LE(outcome.apart, microseconds(1) + 2 * outcome.bound);
}

TEST_F(AgreedStarts, AreGivenUpWhereMembersOutnumberCpus) {
  // Who sleeps waits for the time slices of others.
  const Outcome outcome = this->outcome(true, [](Rng& rng, std::int64_t) { return 8e6 * rng.uniform(); });
  EXPECT_THAT(outcome.last.gave_up, HasSubstr("members outnumber CPUs: 4 on 2"));
  EXPECT_EQ(outcome.valid, 0);
  EXPECT_GT(outcome.judged, 0);
}

}  // namespace
}  // namespace assay
