// SPDX-License-Identifier: Apache-2.0
// Predictions and advice from campaigns that the program measured itself.
#include <gtest/gtest.h>

#include "support/environment/scratch.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

constexpr const char* short_precision =
    "[precision]\nrule = fixed:16\nwarm-up = 0ms\nincarnations = 2\nspan = 0s\n[series.a]\nplacement = unbound\n";

TEST(Predict, ACampaignOfSomethingElseIsRefusedWithWhatToMeasure) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, std::string(short_precision) + "measurement = sync/empty\n").exit_code, 0);
  const Finished done = run_assay({"predict", folder / "campaign"});
  EXPECT_EQ(done.exit_code, 5);
  EXPECT_NE(done.err.find("nothing can be predicted from it"), std::string::npos) << done.err;
}

TEST(Predict, AdviceIsOnWhatWasMeasuredAndNamesTheRest) {
  const Scratch folder;
  const Finished ran =
      run_campaign_text(folder, std::string(short_precision) + "measurement = logp/round_trip\nchannel = pipe, sem\n");
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const Finished done = run_assay({"predict", folder / "campaign", "--advise", "hand-over rate=100/s"});
  EXPECT_NE(done.out.find("tcp"), std::string::npos) << done.out << done.err;
  EXPECT_NE(done.out.find("flag-one-line"), std::string::npos) << done.out << done.err;
}

}  // namespace
}  // namespace assay::test
