// SPDX-License-Identifier: Apache-2.0
// The documents' example as a shared object: described by a probe, run by workers.
#include <gtest/gtest.h>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

std::string example_campaign(const std::string& plugin) {
  return "[campaign]\nplugins = " + plugin +
         "\n[precision]\nrule = fixed:16\nincarnations = 1\n[series.turn]\nmeasurement = "
         "example/turn\nvehicle = thread, process\n";
}

TEST(Plugin, TheExampleIsMeasuredUnderBothVehicles) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, example_campaign(ASSAY_SDK "/plugins/turn.so"));
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const auto points = points_of(campaign_records(folder), "turn");
  EXPECT_GE(points.size(), 4U);
  // Whether a spinning pair can be measured well depends on what else runs here; that it is measured does not.
  for (const auto& point : points) {
    EXPECT_NE(point.outcome, Outcome::failed) << point.reason;
    EXPECT_NE(point.outcome, Outcome::timeout) << point.reason;
    EXPECT_NE(point.outcome, Outcome::unsupported) << point.reason;
  }
}

TEST(Plugin, AMissingOneIsNamedAndNothingIsCreated) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, example_campaign("./no-such.so"));
  EXPECT_EQ(finished.exit_code, 3) << finished.err;
  EXPECT_NE(finished.err.find("no-such.so"), std::string::npos) << finished.err;
}

TEST(Plugin, AnObjectWithoutAStampIsRefused) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, example_campaign(ASSAY_SDK "/plugins/stampless.so"));
  EXPECT_EQ(finished.exit_code, 3) << finished.err;
  EXPECT_NE(finished.err.find("stamp"), std::string::npos) << finished.err;
}

}  // namespace
}  // namespace assay::test
