// SPDX-License-Identifier: Apache-2.0
// What stands between two campaigns: settings, processors, schedules; and what is only told.
#include "app/results/comparability.hpp"

#include <gmock/gmock-more-matchers.h>

#include "unit/record/compared.hpp"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

struct ComparabilityTest : testing::Test {
  Comparability found() const { return comparability(a.records(), b.records()); }
  ComparedCampaign a;
  ComparedCampaign b;
};

TEST_F(ComparabilityTest, AlikeNothingStandsBetween) {
  EXPECT_THAT(found().refusals, IsEmpty());
  EXPECT_THAT(found().notes, IsEmpty());
  EXPECT_THAT(found().series, IsEmpty());
}

TEST_F(ComparabilityTest, AnotherSchedule) {
  b.campaign.schedule = "consecutive";
  EXPECT_THAT(found().refusals, ElementsAre("the schedule differs: interleaved in A, consecutive in B"));
}

TEST_F(ComparabilityTest, AnotherClock) {
  b.campaign.configuration = "[campaign]\nclock = counter\n";
  EXPECT_THAT(found().refusals, ElementsAre("the clock differs: monotonic in A, counter in B"));
}

TEST_F(ComparabilityTest, AnotherProcessorOrArchitecture) {
  a.session.facts = {{"cpu.model", "one"}, {"kernel.architecture", "x86_64"}};
  b.session.facts = {{"cpu.model", "two"}, {"kernel.architecture", "aarch64"}};
  EXPECT_THAT(found().refusals, ElementsAre("cpu.model differs: one in A, two in B",
                                            "kernel.architecture differs: x86_64 in A, aarch64 in B"));
}

TEST_F(ComparabilityTest, AProcessorThatIsNotKnownIsTold) {
  b.session.facts[0].second = "not available: open: No such file";
  EXPECT_THAT(found().refusals, IsEmpty());
  EXPECT_THAT(found().notes, ElementsAre("cpu.model differs: synthetic in A, not available: open: No such file in B"));
}

TEST_F(ComparabilityTest, AnotherKernelMayBeThePurpose) {
  b.session.facts[1].second = "6.6";
  EXPECT_THAT(found().refusals, IsEmpty());
  EXPECT_THAT(found().notes, ElementsAre("kernel.release differs: 6.1 in A, 6.6 in B"));
}

TEST_F(ComparabilityTest, ColdAgainstWarm) {
  b.campaign.configuration = "[campaign]\nclock = monotonic\n[series.one]\nwarm-up = 0\n";
  EXPECT_THAT(found().refusals, IsEmpty());
  EXPECT_THAT(found().series, ElementsAre(Pair("one", "the warm-up differs: 5ms in A, 0 in B")));
}

TEST_F(ComparabilityTest, TheFirstLevelIsTheConfigurations) {
  a.campaign.configuration = "[series.one]\nvariant = old, new\nbytes = 8..64 *2\n";
  EXPECT_EQ(first_level(a.records(), "variant", {"new", "old"}), "old");
  EXPECT_EQ(first_level(a.records(), "bytes", {"8", "16"}), "8");
  EXPECT_EQ(first_level(a.records(), "other", {"x", "y"}), "x");
}

}  // namespace
}  // namespace assay::test
