// SPDX-License-Identifier: Apache-2.0
// Comparisons of real campaigns: levels measured in turn, and two campaigns one after the other.
#include <gmock/gmock-matchers.h>

#include <memory>

#include "support/machines/fake_clock.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;

const char* const configuration = R"([precision]
rule = fixed:96
incarnations = 12
max-incarnations = 12
warm-up = 0ms
[series.law]
measurement = synthetic/normal
placement = unbound
median = 1000, 1100
spread = 0.02
between = 0.005, 0.01
)";

/// One campaign for all tests of this file; its journal, or one made from it, is what they compare.
class CompareCampaigns : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<Scratch>();
    finished_ = run_campaign_text(*folder_, configuration, {"--set", "campaign.seed=1"});
  }
  static void TearDownTestSuite() { folder_.reset(); }
  void SetUp() override { ASSERT_EQ(finished_.exit_code, 0) << finished_.err; }

  /// The same campaign as a change of what is measured would leave it: every time is longer.
  static std::string slowed(double ratio) {
    const std::string directory = *folder_ / "slowed";
    std::filesystem::remove_all(directory);
    const FakeClock clock;
    Journal journal(directory, clock);
    for (Record record : campaign_records(*folder_)) {
      if (auto* point = std::get_if<PointRecord>(&record))
        for (Result& result : point->results)
          for (IncarnationMedian& process : result.processes) process.value *= ratio;
      journal.write(record);
    }
    return directory;
  }

  static inline std::unique_ptr<Scratch> folder_;
  static inline Finished finished_;
};

TEST_F(CompareCampaigns, OfLevelsMeasuredInTurnTheSlowerOneIsARegression) {
  const Finished done = run_assay({"compare", *folder_ / "campaign", "--factor", "median"});
  EXPECT_EQ(done.exit_code, 6) << done.err;
  EXPECT_THAT(done.out, HasSubstr("1000"));
  EXPECT_THAT(done.out, HasSubstr("2 results compared: 2 slower"));
  EXPECT_THAT(done.out, HasSubstr("interleaved"));
  const Finished back = run_assay({"compare", *folder_ / "campaign", "--factor", "median", "--base", "1100"});
  EXPECT_EQ(back.exit_code, 0) << back.out;
  EXPECT_THAT(back.out, HasSubstr("2 faster"));
}

TEST_F(CompareCampaigns, AnotherRunOfTheSameIsNoRegression) {
  const Scratch again;
  const Finished run = run_campaign_text(again, configuration, {"--set", "campaign.seed=2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Finished done = run_assay({"compare", *folder_ / "campaign", again / "campaign"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_THAT(done.out, HasSubstr("sequential"));
  EXPECT_THAT(done.out, HasSubstr("4 results compared: 0 possibly slower, 0 possibly faster"));
}

TEST_F(CompareCampaigns, ASlowerRunIsARegressionOnRequest) {
  const std::string slow = slowed(1.1);
  const Finished done = run_assay({"compare", *folder_ / "campaign", slow, "--format", "csv"});
  EXPECT_EQ(done.exit_code, 0) << "who can tell what else changed between two campaigns?" << done.err;
  EXPECT_THAT(done.out, HasSubstr(",possibly slower,"));
  EXPECT_EQ(run_assay({"compare", *folder_ / "campaign", slow, "--strict"}).exit_code, 6);
  EXPECT_EQ(run_assay({"compare", slow, *folder_ / "campaign", "--strict"}).exit_code, 0);
}

TEST_F(CompareCampaigns, SimulatedTimeIsRecordedAsSuch) {
  for (const PointRecord& point : points_of(campaign_records(*folder_), "law")) EXPECT_TRUE(point.simulated);
}

TEST_F(CompareCampaigns, VariantsAreWhatIsComparedByDefault) {
  const Scratch variants;
  const Finished run = run_campaign_text(variants, R"([precision]
rule = fixed:80
incarnations = 10
max-incarnations = 10
warm-up = 0ms
[variant.changed]
env.ASSAY_TEST_ONLY = 1
[series.law]
measurement = synthetic/normal
placement = unbound
spread = 0.01
variant = plain, changed
)");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Finished done = run_assay({"compare", variants / "campaign"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_THAT(done.out, HasSubstr("plain"));
  EXPECT_THAT(done.out, HasSubstr("changed"));
  EXPECT_THAT(done.out, HasSubstr("1 result compared: 0 slower, 0 faster, 1 same"));
}

}  // namespace
}  // namespace assay::test
