// SPDX-License-Identifier: Apache-2.0
// Memory of a supervisor: bounded however many points a campaign has, when it runs and when it is resumed.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/series/identity.hpp"
#include "run/session/campaign.hpp"
#include "support/campaigns/fake_host.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/environment/live_bytes.hpp"

namespace assay::test {
namespace {

constexpr std::int64_t points = 100'000;
constexpr std::size_t mega = std::size_t{1} << 20U;

CampaignPlan cheap_plan() {
  SeriesPlan series = fake_series("many", {levels("bytes", points)});
  series.precision.rule.name = "fixed";
  series.precision.rule.argument = 1;
  series.precision.incarnations = 1;
  series.precision.batches = 1;
  return fake_plan({series});
}

/// Forgets records, but looks at the memory when so many points are finished.
class Watching final : public Sink {
 public:
  explicit Watching(std::size_t start) : start_(start) {}
  void write(const Record& record) override {
    const auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr) return;
    ++seen;
    if (seen % 500 != 0) return;
    const std::size_t now = live_bytes() - std::min(start_, live_bytes());
    most = std::max(most, now);
    if (seen == points / 2) halfway = now;
    if (seen == points - 500) late = now;
  }
  std::int64_t seen = 0;
  std::size_t most = 0;
  std::size_t halfway = 0;
  std::size_t late = 0;

 private:
  std::size_t start_;
};

/// Runs the cheap campaign on a host that costs nothing.
CampaignEnd measure(const CampaignPlan& plan, History& history, Sink& sink, Continuation* continuation,
                    std::size_t& opened) {
  FakeClock clock;
  FakeHost host(plan, clock,
                [](const FakeTurn& turn, Rng&) { return microseconds(100) * static_cast<double>(turn.reps.count); });
  host.remembers_asked = false;
  const CampaignEnd end = run_campaign(plan, history, {clock, host, sink}, continuation);
  opened = host.opened_in_all();
  return end;
}

/// The record that an earlier session left of a point.
PointRecord finished(const CampaignPlan& plan, std::int64_t level) {
  PointRecord record;
  record.series = "many";
  record.measurement = "fake/many";
  record.point.set("bytes", level);
  record.outcome = Outcome::converged;
  record.results.emplace_back().quantity = "time";
  record.results[0].headline = {"median", 100, {99, 101, 0.95}, "visits"};
  record.id = point_id(plan, plan.series[0], record.point);
  return record;
}

TEST(Faults, F13_a_hundred_thousand_points_leave_the_supervisor_small) {
  if (!allocator_counts()) GTEST_SKIP() << "this allocator does not tell how much is in use";
  Watching sink(live_bytes());
  const CampaignPlan plan = cheap_plan();
  History history(scope_of(plan, true));
  std::size_t opened = 0;
  EXPECT_EQ(measure(plan, history, sink, nullptr, opened).points, points);
  EXPECT_EQ(sink.seen, points);
  RecordProperty("bytes_at_most", std::to_string(sink.most));
  RecordProperty("bytes_halfway", std::to_string(sink.halfway));
  RecordProperty("bytes_late", std::to_string(sink.late));
  // Most of it is the plan's: forty bytes for each of its levels.
  EXPECT_LT(sink.most, 24 * mega);
  EXPECT_LT(sink.late, sink.halfway + mega / 8) << "a finished point leaves nothing";
}

TEST(Faults, F13_a_hundred_thousand_finished_points_are_resumed_in_little_memory) {
  if (!allocator_counts()) GTEST_SKIP() << "this allocator does not tell how much is in use";
  const std::size_t start = live_bytes();
  const CampaignPlan plan = cheap_plan();
  History history(scope_of(plan, true));
  Continuation continuation(plan);
  const auto tell = [&](const Record& record) {
    history.add(record);
    continuation.add(record, history);
  };
  tell(SessionRecord{0, {}, {}, {}});
  tell(SeriesRecord{"many", "fake/many", plan.series[0].measurement.quantities, "fixed:1"});
  constexpr std::int64_t missing = 1000;
  for (std::int64_t level = 1; level <= points - missing; ++level) {
    IncarnationRecord incarnation{"many", {}, 0, 0, 1, {}};
    const PointRecord record = finished(plan, level);
    incarnation.point = record.point;
    incarnation.id = record.id;
    tell(incarnation);
    tell(record);
  }
  continuation.prepare(history);
  EXPECT_EQ(continuation.unfinished(), missing);
  Watching sink(start);
  std::size_t opened = 0;
  EXPECT_EQ(measure(plan, history, sink, &continuation, opened).points, missing);
  EXPECT_EQ(opened, missing);
  RecordProperty("bytes_at_most", std::to_string(sink.most));
  EXPECT_GT(sink.most, 0U);
  EXPECT_LT(sink.most, 32 * mega);
}

}  // namespace
}  // namespace assay::test
