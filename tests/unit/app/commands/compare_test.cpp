// SPDX-License-Identifier: Apache-2.0
// `assay compare` as its user meets it: options, refusals, exit codes.
#include <gmock/gmock-matchers.h>

#include <filesystem>
#include <fstream>

#include "unit/app/commands/compare_fixture.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;

TEST_F(CompareTest, NothingSlowerIsSuccess) {
  EXPECT_EQ(call_both(), 0) << err_.str();
  EXPECT_EQ(counted("same"), 3);
  EXPECT_EQ(counted("possibly_slower"), 0);
  change(1, 0.9);
  EXPECT_EQ(call_both(), 0) << "faster is no regression";
  EXPECT_EQ(counted("possibly_faster"), 1);
}

TEST_F(CompareTest, SomethingSlowerIsARegressionOnRequest) {
  change(1, 1.1);
  EXPECT_EQ(call_both(), 0);
  EXPECT_EQ(counted("possibly_slower"), 1);
  EXPECT_EQ(counted("same"), 2);
  EXPECT_EQ(call_both({"--strict"}), 6);
}

TEST_F(CompareTest, AMarginAndQAreAsked) {
  change(1, 1.1);
  EXPECT_EQ(counted("same", {"--margin", "15%"}), 3);
  EXPECT_EQ(counted("unclear", {"--q", "0.000001"}), 3);
}

TEST_F(CompareTest, SessionsThatDifferWidenTheMargin) {
  for (ComparedCampaign* side : {&a_, &b_}) {
    side->points.push_back(side->points[0]);
    side->points.back().results[0] = compared_result(104, 10, 1);
  }
  change(0, 1.04);
  change(3, 1.04);
  EXPECT_EQ(call_both(), 0) << out_.str();
  EXPECT_THAT(out_.str(), HasSubstr("5.55"));
  EXPECT_EQ(counted("same"), 3);
}

TEST_F(CompareTest, ARateIsFasterWhenItGrows) {
  for (ComparedCampaign* side : {&a_, &b_}) {
    side->series.quantities[0].unit = Unit::per_second;
    for (PointRecord& point : side->points) point.results[0].unit = Unit::per_second;
  }
  change(1, 1.1);
  EXPECT_EQ(counted("possibly_faster"), 1);
}

TEST_F(CompareTest, FormatsForPrograms) {
  EXPECT_EQ(call_both({"--format", "csv"}), 0);
  EXPECT_TRUE(out_.str().starts_with("series,measurement,n,quantity,")) << out_.str();
  EXPECT_EQ(call_both({"--format", "json"}), 0);
  EXPECT_TRUE(out_.str().starts_with("{\"a\":")) << out_.str();
  EXPECT_EQ(call_both({"--format", "jsn"}), 2);
}

TEST_F(CompareTest, WrongUse) {
  for (const std::vector<std::string>& options : wrong_options) {
    EXPECT_EQ(call_both(options), 2) << options.front();
    EXPECT_NE(err_.str(), "");
    EXPECT_EQ(out_.str(), "");
  }
  EXPECT_EQ(call({folder_ / "nothing", folder_ / "nothing"}), 2);
  EXPECT_EQ(call({}), 2);
}

TEST_F(CompareTest, NotMeasuredAlikeIsRefusedWithEveryReason) {
  b_.campaign.schedule = "consecutive";
  b_.session.facts[0].second = "other";
  EXPECT_EQ(call_both(), 5);
  for (const char* part : {"schedule", "cpu.model"}) EXPECT_THAT(err_.str(), HasSubstr(part));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(CompareTest, NothingComparableIsRefusedWithTheReasons) {
  b_.points = {compared_point(9, compared_result(1))};
  EXPECT_EQ(call_both(), 5);
  EXPECT_EQ(counted("refused"), 4);
}

TEST_F(CompareTest, OneIncarnationIsRefused) {
  b_.points[0].results[0] = compared_result(100, 1);
  EXPECT_EQ(call_both(), 0);
  EXPECT_EQ(counted("refused"), 1);
  EXPECT_EQ(counted("same"), 2);
}

TEST_F(CompareTest, MarkedResultsOnRequest) {
  b_.points[0].results[0].verdict.outcome = Outcome::bimodal;
  change(0, 1.2);
  EXPECT_EQ(call_both(), 0);
  EXPECT_EQ(counted("refused"), 1);
  EXPECT_EQ(call_both({"--accept-marked", "--strict"}), 6);
  EXPECT_EQ(counted("possibly_slower", {"--accept-marked"}), 1);
}

TEST_F(CompareTest, AnOlderJournalIsRefused) {
  const std::string old = folder_ / "old";
  std::filesystem::create_directory(old);
  const std::string body = R"({"v":0,"seq":0,"type":"note","text":"x")";
  std::ofstream(old + "/" + journal_name) << body << R"(,"crc":")" << crc_text(crc32c(body)) << "\"}\n";
  EXPECT_EQ(call({old, write("b", b_)}), 5);
}

TEST_F(CompareTest, LevelsOfOneCampaign) {
  const auto path = write("levels", with_levels());
  EXPECT_EQ(call({path}), 6) << err_.str();
  EXPECT_EQ(counted_in(path, "slower", "old"), 3);
  EXPECT_EQ(counted_in(path, "same", "old"), 3);
  EXPECT_EQ(call({path, "--base", "new"}), 0);
  EXPECT_EQ(counted_in(path, "faster", "new"), 6);
  EXPECT_EQ(call({path, "--base", "mew"}), 2);
  EXPECT_EQ(call({path, "--factor", "n"}), 6) << "any factor will do";
  EXPECT_EQ(call({path, "--factor", "bytes"}), 2);
}

TEST_F(CompareTest, LevelsThatWereNotMeasuredInTurnAreTold) {
  const auto share = [&](const char* name, bool in_turn) {
    EXPECT_EQ(call({write(name, measured(in_turn)), "--base", "old"}), 0) << err_.str();
    return out_.str().find("12.5") != std::string::npos;
  };
  EXPECT_TRUE(share("apart", false));
  EXPECT_FALSE(share("alternately", true));
}

TEST_F(CompareTest, LevelsThatWereMeasuredInBlocksAreSequential) {
  a_.campaign.schedule = "consecutive";
  EXPECT_NE(call({write("levels", a_), "--factor", "n", "--format", "json"}), 5);
  EXPECT_EQ(parse_json(out_.str()).at("design").string(), "sequential");
}

}  // namespace
}  // namespace assay::test
