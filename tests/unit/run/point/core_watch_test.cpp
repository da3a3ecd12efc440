// SPDX-License-Identifier: Apache-2.0
// What a session says of the distances that its visits were at.
#include "run/point/core_watch.hpp"

#include <gmock/gmock.h>

namespace assay::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(CoreWatch, RecordsTheDistancesThatVisitsWereAt) {
  CoreWatch watch({{}, 3, false}, {}, {});
  for (int i = 0; i < 60; ++i) watch.add_distance({128.0 + i % 5}, {}, {}, false);
  for (int i = 0; i < 6; ++i) watch.add_distance({580.0 + i}, {}, {}, false);
  watch.add_distance({1100}, {}, {}, false);
  watch.add_distance({300}, {}, {}, true);
  EXPECT_THAT(watch.record(0, seconds(1)).distances, ElementsAre(DoubleNear(130, 1), DoubleNear(583, 1)))
      << "one delay is none, and simulated cores are others";
}

/// A visit of two members whose cores read so before it.
VisitYield seen(const CoreReading& first, const CoreReading& second) {
  VisitYield yield;
  yield.apart = {first, second};
  return yield;
}

TEST(CoreWatch, LearnsNearDistancesFromVisitsThatFoundBothCoresAlone) {
  const CoreReading lone{{0.072}, {0.9}};
  const CoreReading busy{{0.13}, {0.92}};
  CoreWatch watch({{}, 3, false}, {}, {});
  for (int i = 0; i < 40; ++i) watch.learn(seen(lone, lone), {0, 1}, false);
  for (int i = 0; i < 200; ++i) {
    watch.add_distance({i % 3 == 0 ? 118.0 : 128.0}, seen(lone, lone), {0, 1}, false);
    watch.add_distance({138}, seen(lone, busy), {0, 1}, false);
    watch.add_distance({138}, seen(busy, lone), {0, 1}, false);
    watch.add_distance({150}, {}, {0, 1}, false);
  }
  const CoresRecord record = watch.record(0, seconds(1));
  ASSERT_EQ(record.pairs.size(), 1U);
  EXPECT_EQ(record.pairs[0].pair, CorePair(1, 0));
  EXPECT_THAT(record.pairs[0].levels, ElementsAre(118, 128));
  const CoreWatch later({{}, 3, false}, {}, record);
  EXPECT_THAT(later.levels(false).distances({0, 1}), ElementsAre(118, 128)) << "of an earlier session";
}

TEST(CoreWatch, LearnsNoDistanceOfMembersThatWentElsewhere) {
  const CoreReading lone{{0.072}, {0.9}};
  CoreWatch watch({{}, 3, false}, {}, {});
  for (int i = 0; i < 40; ++i) watch.learn(seen(lone, lone), {0, 1}, false);
  const auto unbound = [&](int begins, int ends) {
    VisitYield yield = seen(lone, lone);
    yield.apart_cpus = {0, 1};
    Batch& batch = yield.batches.emplace_back(Batch{Reps{1}, std::vector<MemberReport>(2)});
    batch.members[1].cpu_before = begins;
    batch.members[1].cpu_after = ends;
    batch.members[0].cpu_before = batch.members[0].cpu_after = 0;
    return yield;
  };
  for (int i = 0; i < 200; ++i) {
    watch.add_distance({118}, unbound(1, 2), {}, false);
    watch.add_distance({118}, unbound(2, 1), {}, false);
  }
  EXPECT_TRUE(watch.levels(false).distances({0, 1}).empty());
  for (int i = 0; i < 200; ++i) watch.add_distance({118}, unbound(1, 1), {}, false);
  EXPECT_FALSE(watch.levels(false).distances({0, 1}).empty()) << "they stayed";
}

/// A visit of one member on CPU 0, of one batch, before which a system call took so many ns.
VisitYield visit_after(double call) {
  const CoreReading lone{{0.072}, {0.9}};
  VisitYield yield;
  yield.apart = {{lone.wide, lone.chain, {call}}};
  MemberReport& report = yield.batches.emplace_back(Batch{Reps{1}, std::vector<MemberReport>(1)}).members.front();
  report.wall = microseconds(20);
  report.cpu_before = report.cpu_after = 0;
  report.core_before = report.core_after = lone;
  return yield;
}

TEST(CoreWatch, AVisitBesideANeighbourThatWaitsIsNotWorthIt) {
  CoreWatch watch({{}, 3, false}, {}, {});
  for (int i = 0; i < 100; ++i) watch.learn(visit_after(i % 5 == 4 ? 178 : 190), {0}, false);
  const auto is_worth = [&](double call, WantedState wanted) {
    return watch.is_worth(visit_after(call), {0}, wanted, false);
  };
  EXPECT_TRUE(is_worth(190, WantedState::alone));
  EXPECT_TRUE(is_worth(0, WantedState::alone)) << "not read";
  EXPECT_FALSE(is_worth(228, WantedState::alone));
  EXPECT_TRUE(is_worth(178, WantedState::alone)) << "another level of a core alone";
  EXPECT_FALSE(is_worth(190, WantedState::shared));
  EXPECT_FALSE(is_worth(228, WantedState::shared));
}

TEST(CoreWatch, TimeBesideANeighbourThatWaitsIsNoTimeAlone) {
  CoreWatch watch({{}, 3, false}, {}, {});
  for (int i = 0; i < 300; ++i) watch.learn(visit_after(i % 4 == 0 ? 228 : 190), {0}, false);
  const CoresRecord record = watch.record(0, seconds(1));
  EXPECT_THAT(record.alone, DoubleNear(0.75, 0.05));
  EXPECT_EQ(record.shared, 0) << "what it was is not known";
}

}  // namespace
}  // namespace assay::test
