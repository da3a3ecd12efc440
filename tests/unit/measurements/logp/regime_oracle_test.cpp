// SPDX-License-Identifier: Apache-2.0
// Oracle: the regimes of batches as they were recorded, judged with the traits that the catalog declares for the
// channel.
#include <gtest/gtest.h>

#include "catalog.hpp"
#include "team/batch_classifier.hpp"

namespace assay {
namespace {

struct Counts {
  std::int64_t voluntary;
  std::int64_t involuntary;
};

Judgement judged(const std::string& channel, std::int64_t reps, Counts initiator, Counts responder) {
  Registry registry;
  register_all(registry);
  const Description& description = registry.find("logp/round_trip")->description;
  Point point;
  point.set("channel", channel);
  Batch batch{Reps{reps}, std::vector<MemberReport>(2)};
  const auto fill = [&](MemberReport& report, Counts counts) {
    report.claims = microseconds(250 * static_cast<double>(reps));
    report.wall = report.cpu = microseconds(251 * static_cast<double>(reps));
    report.voluntary = counts.voluntary;
    report.involuntary = counts.involuntary;
  };
  fill(batch.members[0], initiator);
  fill(batch.members[1], responder);
  return judge(batch, traits_at(description, point), description, Placement{});
}

// Recorded: work = compute of 100 us on both sides, so that each side sleeps for each message of the other. Of the
// responder's 101 sleeps one is for the exchange before the clock.
TEST(RegimeOracle, AFutexWithASlowResponderIsBlocked) {
  const Judgement judgement = judged("futex", 100, {101, 2}, {101, 1});
  EXPECT_EQ(judgement.regime, Regime::blocked);
  EXPECT_TRUE(judgement.disturbed.none()) << "switches are what is measured";
}

// Recorded: without work the partner's message is often there before the wait begins.
TEST(RegimeOracle, AFutexThatFindsItsMessageNeverSleeps) {
  EXPECT_EQ(judged("futex", 1000, {0, 0}, {1, 0}).regime, Regime::spin);
}

TEST(RegimeOracle, AFutexThatSleepsNowAndThenIsNeither) {
  EXPECT_EQ(judged("futex", 1000, {430, 0}, {612, 3}).regime, Regime::mixed);
}

TEST(RegimeOracle, AFlagSpinsAndASwitchDisturbsIt) {
  const Judgement calm = judged("flag", 1000, {0, 0}, {0, 0});
  EXPECT_EQ(calm.regime, Regime::spin);
  EXPECT_TRUE(calm.disturbed.none());
  const Judgement preempted = judged("flag", 1000, {0, 0}, {0, 1});
  EXPECT_EQ(preempted.regime, Regime::spin);
  EXPECT_TRUE(preempted.disturbed.test(static_cast<std::size_t>(Disturbance::switched)));
}

}  // namespace
}  // namespace assay
