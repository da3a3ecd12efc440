// SPDX-License-Identifier: Apache-2.0
// Oracle: a channel that loses a wake-up is reported as a hang, and the campaign is finished.
#include <gtest/gtest.h>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

TEST(LostWakeUp, IsReportedAndTheCampaignGoesOn) {
  const Scratch folder;
  const auto finished =
      run_campaign_text(folder,
                        "[precision]\nwarm-up = 0ms\ndeadline = 100s\n"
                        "[series.lossy]\ndeadline = 1s\nmeasurement = synthetic/lost_wake_up\nmembers = 2\n"
                        "placement = unbound\nvehicle = thread, process\n"
                        "[series.sound]\nmeasurement = synthetic/normal\nplacement = unbound\n");
  EXPECT_EQ(finished.exit_code, 1) << finished.out << finished.err;
  const auto records = campaign_records(folder);
  const auto lossy = points_of(records, "lossy");
  ASSERT_EQ(lossy.size(), 2U);
  for (const PointRecord& point : lossy) {
    EXPECT_EQ(point.outcome, Outcome::timeout) << point.reason;
    EXPECT_NE(point.reason.find("killed"), std::string::npos) << point.reason;
  }
  const auto sound = points_of(records, "sound");
  ASSERT_EQ(sound.size(), 1U);
  EXPECT_EQ(sound[0].outcome, Outcome::converged);
  EXPECT_EQ(records_of<EndRecord>(records).size(), 1U);
}

}  // namespace
}  // namespace assay::test
