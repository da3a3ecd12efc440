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
  for (int i = 0; i < 60; ++i) watch.add_distance({128.0 + i % 5}, false);
  for (int i = 0; i < 6; ++i) watch.add_distance({580.0 + i}, false);
  watch.add_distance({1100}, false);
  watch.add_distance({300}, true);
  EXPECT_THAT(watch.record(0, seconds(1)).distances, ElementsAre(DoubleNear(130, 1), DoubleNear(583, 1)))
      << "one delay is none, and simulated cores are others";
}

}  // namespace
}  // namespace assay::test
