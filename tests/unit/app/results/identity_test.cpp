// SPDX-License-Identifier: Apache-2.0
// Identity by meaning: what changes it, and what may change without it.
#include "run/series/identity.hpp"

#include <gmock/gmock-matchers.h>

#include <algorithm>
#include <set>

#include "app/results/comparability.hpp"
#include "base/rng.hpp"
#include "design/design.hpp"
#include "run/series/series_run.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

class IdentityTest : public PlanTest {
 protected:
  /// The ids of all points that a text requests.
  std::set<std::string> ids(const std::string& text) const {
    const CampaignPlan plan = load(text);
    std::set<std::string> found;
    for (const SeriesPlan& series : plan.series)
      for (const PointRequest& request : design_of(series)->ask()) found.insert(point_id(plan, series, request.point));
    return found;
  }
  std::string campaign(const std::string& text) const { return id_of(meaning_of(load(text))); }
  std::vector<std::string> changes(const std::string& then, const std::string& now) const {
    return differences(meaning_of(load(then)), meaning_of(load(now)));
  }
};

constexpr const char* plain = "[series.one]\nmeasurement = demo/pair\nbytes = 8, 16\nplacement = same-l3\n";

TEST_F(IdentityTest, APointHasAnIdOfItsOwn) {
  const auto found = ids(plain);
  EXPECT_EQ(found.size(), 2U);
  for (const std::string& id : found) EXPECT_EQ(id.size(), 32U);
}

TEST_F(IdentityTest, TitlesBudgetsPrecisionAndFoldersChangeNoPoint) {
  const std::string other =
      "[campaign]\ntitle = other\noutput = there\nseed = 9\nsessions = 3\ntime-limit = 1h\nmax-workers = 3\n"
      "[precision]\neps = 1%\nincarnations = 9\nmax-time = 9s\nwarm-up = 1ms\n";
  EXPECT_EQ(ids(plain), ids(other + plain));
}

TEST_F(IdentityTest, WhatIsMeasuredChangesEveryPoint) {
  const auto before = ids(plain);
  const std::vector<std::string> others{
      std::string(plain) + "channel = futex\n",
      std::string(plain) + "vehicle = process\n",
      std::string(plain) + "warm-up = 0ms\n",
      "[campaign]\nschedule = consecutive\n" + std::string(plain),
      "[campaign]\nclock = counter\n" + std::string(plain),
      "[variant.fast]\nsetup = tune\n" + std::string(plain) + "variant = fast\n",
      "[series.one]\nmeasurement = demo/pair\nbytes = 8, 16\nplacement = unbound\n",
  };
  std::set<std::string> all = before;
  for (const std::string& text : others) {
    for (const std::string& id : ids(text)) EXPECT_TRUE(all.insert(id).second) << text;
  }
  catalogue_.built_in[0].version = 2;
  for (const std::string& id : ids(plain)) EXPECT_TRUE(all.insert(id).second);
}

TEST_F(IdentityTest, VariantsAreWhatTheyDo) {
  const std::string series = std::string(plain) + "variant = fast\n";
  EXPECT_NE(ids("[variant.fast]\nsetup = tune 1\n" + series), ids("[variant.fast]\nsetup = tune 2\n" + series));
  EXPECT_EQ(ids("[variant.fast]\nsetup = tune\nrounds = 1\n" + series),
            ids("[variant.fast]\nsetup = tune\nrounds = 5\n" + series));
}

/// A file's lines in another order within their sections, with comments and the line ends of other systems.
std::string rewritten(const std::vector<std::pair<std::string, std::vector<std::string>>>& sections, Rng& rng) {
  std::string text;
  for (const auto& [header, lines] : rng.shuffled(sections)) {
    text += header + "\r\n";
    for (const std::string& line : rng.shuffled(lines)) {
      if (rng.below(2) == 1) text += "# a remark " + std::to_string(rng.next()) + "\n";
      if (rng.below(3) == 0) text += "\n";
      text += line + (rng.below(2) == 1 ? "\r\n" : "\n");
    }
  }
  return text;
}

TEST_F(IdentityTest, IsStableUnderReorderingCommentsAndLineEnds) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> sections{
      {"[campaign]", {"schedule = consecutive", "seed = 3"}},
      {"[precision]", {"eps = 3%", "warm-up = 2ms", "incarnations = 4"}},
      {"[series.one]", {"measurement = demo/pair", "bytes = 8..64 *2", "channel = flag, pipe", "vehicle = process"}},
      {"[series.two]", {"measurement = demo/solo", "wait = 1us, 2500ns", "rule = fixed:20"}}};
  Rng rng(5);
  const std::string first = rewritten(sections, rng);
  const auto points = ids(first);
  EXPECT_GT(points.size(), 4U);
  for (int i = 0; i < 50; ++i) {
    const std::string other = rewritten(sections, rng);
    EXPECT_EQ(ids(other), points) << other;
    EXPECT_EQ(campaign(other), campaign(first)) << other;
  }
}

TEST_F(IdentityTest, UnitsDoNotMatterButKindsDo) {
  const std::string solo = "[series.one]\nmeasurement = demo/solo\nwait = ";
  EXPECT_EQ(ids(solo + "1us\n"), ids(solo + "1000ns\n"));
  EXPECT_NE(ids(solo + "1us\n"), ids(solo + "1001ns\n"));
}

TEST_F(IdentityTest, NoTextCanPassForTwo) {
  EXPECT_NE(id_of({{"a", "b"}, {"c", "d"}}), id_of({{"a", "b1:c1:d"}}));
  EXPECT_NE(id_of({{"ab", "c"}}), id_of({{"a", "bc"}}));
}

TEST_F(IdentityTest, ChangesOfACampaignAreNamed) {
  EXPECT_TRUE(
      changes(plain, "[campaign]\ntitle = x\ntime-limit = 5s\n" + std::string(plain) + "max-time = 1s\n").empty());
  EXPECT_THAT(changes(plain, std::string(plain) + "eps = 1%\n"),
              testing::ElementsAre(testing::HasSubstr("series.one.rule: median-ci(eps=0.02")));
  EXPECT_THAT(changes("[series.one]\nmeasurement = demo/solo\nwait = 1us\n",
                      "[series.one]\nmeasurement = demo/solo\nwait = 1us, 2us\n"),
              testing::ElementsAre(testing::HasSubstr("series.one.wait: ")));
}

TEST_F(IdentityTest, HardAndSoftFactsAreToldApart) {
  const Facts then{{"cpu.model", "A"}, {"cpu.usable", "0-3"}, {"kernel.boot_id", "1"}, {"load.average", "0.1"}};
  const Facts now{{"cpu.model", "A"}, {"cpu.usable", "0-1"}, {"kernel.boot_id", "2"}, {"load.average", "9"}};
  EXPECT_THAT(hard_differences(then, now), testing::ElementsAre("cpu.usable: 0-3 then, 0-1 now"));
  EXPECT_THAT(soft_differences(then, now), testing::ElementsAre("kernel.boot_id: 1 then, 2 now"));
  EXPECT_TRUE(hard_differences(then, then).empty());
}

TEST_F(IdentityTest, EveryHardFactCounts) {
  for (const char* key : {"assay.version", "assay.revision", "build.compiler", "build.flags", "build.type",
                          "clock.source", "cpu.model", "cpu.topology", "cpu.usable", "cpu.smt", "mpi.library"})
    EXPECT_EQ(hard_differences({{key, "a"}}, {{key, "b"}}).size(), 1U) << key;
  for (const char* key : {"host.name", "kernel.boot_id", "kernel.release", "cpu.microcode", "cpu.governor"})
    EXPECT_EQ(soft_differences({{key, "a"}}, {{key, "b"}}).size(), 1U) << key;
}

}  // namespace
}  // namespace assay::test
