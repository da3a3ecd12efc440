// SPDX-License-Identifier: Apache-2.0
// What a finished point says of the reference round trips beside its visits.
#include <gtest/gtest.h>

#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

// A pair at a placement, with 40 visits whose reference round trips change half-way.
PointRecord finished_at(const Placement& placement, double before, double after) {
  SeriesPlan series = fake_team("pair", 2, Waiting::spins);
  series.placements = {placement};
  Point point;
  point.set("placement", placement.name);
  const auto rule = make_rule(series.precision.rule);
  OpenPoint open(series, 0, point, *rule, 2);
  open.calibrated({Reps{100}, {10}, {1}});
  Fed fed(series);
  for (int i = 0; i < 40; ++i) {
    std::vector<Batch> batches;
    for (int k = 0; k < 8; ++k) {
      Batch batch = fed.batch(10 + 0.1 * fed.rng.normal());
      for (std::size_t rank = 0; rank < batch.members.size() && placement.bound(); ++rank)
        batch.members[rank].cpu_before = batch.members[rank].cpu_after = placement.cpus[rank];
      batches.push_back(batch);
    }
    const double trip = (i < 20 ? before : after) * (1 + 0.02 * fed.rng.normal());
    const VisitPlace place{0, open.next_incarnation(), i, milliseconds(100) * i, milliseconds(1)};
    open.add({0, Nanoseconds{trip}, std::move(batches)}, place);
  }
  return open.finish({Outcome::converged, "", {}});
}

const Placement bound{.name = "same-l3", .cpus = {0, 1}};
const Placement unbound{.name = "unbound", .cpus = {}};

TEST(FinishedPoint, TellsThatTheCpusOfItsBoundMembersMoved) {
  const PointRecord record = finished_at(bound, 62, 367);
  EXPECT_EQ(record.reference.visits, 40U);
  EXPECT_TRUE(record.reference.moved);
  EXPECT_NEAR(record.reference.low, 62, 3);
  EXPECT_NEAR(record.reference.high, 367, 15);
}

TEST(FinishedPoint, OfCpusThatStayedHasNotMoved) { EXPECT_FALSE(finished_at(bound, 95, 95).reference.moved); }

TEST(FinishedPoint, WhoseMembersAreFreeMayMove) {
  const PointRecord record = finished_at(unbound, 62, 367);
  EXPECT_EQ(record.reference.visits, 40U);
  EXPECT_FALSE(record.reference.moved);
}

// Then the partner waited for a CPU meanwhile.
TEST(FinishedPoint, KnowsNoDistanceAboveTheLongest) {
  const auto distance = [](Nanoseconds trip, const Placement& placement) {
    SeriesPlan series = fake_team("pair", 2, Waiting::spins);
    series.placements = {placement};
    Point point;
    point.set("placement", placement.name);
    const auto rule = make_rule(series.precision.rule);
    return OpenPoint(series, 0, point, *rule, 2).distance_in(trip);
  };
  const Placement together{.name = "same-pu", .cpus = {0, 0}};
  for (const Placement& placement : {bound, unbound}) {
    EXPECT_EQ(distance(longest_distance, placement), longest_distance) << placement.name;
    EXPECT_EQ(distance(longest_distance * 1.01, placement), std::nullopt) << placement.name;
  }
  EXPECT_EQ(distance(Nanoseconds{60}, together), std::nullopt);
}

TEST(FinishedPoint, WithoutReferenceKnowsNothing) {
  Fed fed(fake_series("one", {}));
  fed.visits(10, {10}, 0.01);
  EXPECT_EQ(fed.point.finish({Outcome::converged, "", {}}).reference.visits, 0U);
}

}  // namespace
}  // namespace assay::test
