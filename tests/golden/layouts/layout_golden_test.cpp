// SPDX-License-Identifier: Apache-2.0
// Layouts of fixed journals, byte for byte.
#include <gtest/gtest.h>

#include "golden/samples/cluster_samples.hpp"
#include "golden/samples/desupinski_samples.hpp"
#include "golden/samples/loggp_samples.hpp"
#include "golden/samples/logp_samples.hpp"
#include "record/table/layout.hpp"
#include "support/environment/golden.hpp"
#include "support/records/printed_layout.hpp"

namespace assay {
namespace {

using test::printed;

TEST(LayoutGolden, Logp) {
  EXPECT_TRUE(test::matches_golden(printed("logp", test::logp_records()), "layouts/layout_logp.txt"));
}

TEST(LayoutGolden, LogpExplained) {
  EXPECT_TRUE(
      test::matches_golden(printed("logp", test::logp_records(), Detail::explained), "layouts/layout_logp_explained.txt"));
}

TEST(LayoutGolden, Loggp) {
  EXPECT_TRUE(test::matches_golden(printed("loggp", test::loggp_records()), "layouts/layout_loggp.txt"));
}

TEST(LayoutGolden, LoggpExplained) {
  EXPECT_TRUE(
      test::matches_golden(printed("loggp", test::loggp_records(), Detail::explained), "layouts/layout_loggp_explained.txt"));
}

TEST(LayoutGolden, DesupinskiMay) {
  EXPECT_TRUE(test::matches_golden(printed("desupinski-may", test::desupinski_records(), Detail::explained),
                                   "layouts/layout_desupinski_may.txt"));
}

TEST(LayoutGolden, Cluster) {
  EXPECT_TRUE(
      test::matches_golden(printed("cluster", test::cluster_records(), Detail::explained), "layouts/layout_cluster.txt"));
}

}  // namespace
}  // namespace assay
