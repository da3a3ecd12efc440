// SPDX-License-Identifier: Apache-2.0
// Results of a point at other distances of its members.
#include <gtest/gtest.h>

#include "record/distances.hpp"

namespace assay::test {
namespace {

Result polled_in(const CoreState& state, double value) {
  Result result;
  result.quantity = "rtt";
  result.regime = Regime::spin;
  result.regime_share = 1;
  result.state = state;
  result.state_share = 0.3;
  result.headline.value = value;
  result.headline.interval.low = 0.99 * value;
  result.headline.interval.high = 1.01 * value;
  result.headline.interval.level = 0.95;
  return result;
}

/// A headline at 130 ns, and another result at 49.
PointRecord at_two_distances(Spread headline, Spread other) {
  PointRecord point;
  point.results.push_back(polled_in({.sharing = Sharing::alone, .distance_ns = 130, .spread = headline}, 90));
  point.others.push_back(polled_in({.sharing = Sharing::alone, .distance_ns = 49, .spread = other}, 56));
  return point;
}

std::size_t results_found(Spread headline, Spread other) {
  const PointRecord point = at_two_distances(headline, other);
  return results_by_distance(point, "rtt", Regime::spin).size();
}

TEST(ResultsByDistance, AreThoseOfMembersThatWereApartAlike) {
  EXPECT_EQ(results_found(Spread::unknown, Spread::unknown), 2U);
  EXPECT_EQ(results_found(Spread::own_cpus, Spread::own_cpus), 2U);
  EXPECT_EQ(results_found(Spread::one_cpu, Spread::own_cpus), 1U) << "together they have none to be held against";
}

}  // namespace
}  // namespace assay::test
