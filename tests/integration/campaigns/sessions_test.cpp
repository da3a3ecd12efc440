// SPDX-License-Identifier: Apache-2.0
// Sessions of real campaigns: at once, added later, and refused.
#include <gtest/gtest.h>

#include <filesystem>

#include "platform/file/append_file.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

constexpr const char* two_points = R"(
[precision]
warm-up = 0ms
[series.laws]
measurement = synthetic/normal
median = 1000, 2000
placement = unbound
)";

TEST(SessionsOfACampaign, ThreeMakeItsIntervalsLongTerm) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, two_points, {"--sessions", "2", "--every", "100ms"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const auto more = run_assay({"resume", folder / "campaign", "--add-session"});
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_NE(more.out.find("converged, long-term over 3 sessions"), std::string::npos) << more.out;
  const auto records = campaign_records(folder);
  EXPECT_EQ(records_of<CampaignRecord>(records).size(), 1U);
  EXPECT_EQ(records_of<SessionRecord>(records).size(), 3U);
  EXPECT_EQ(records_of<SessionRecord>(records)[2].command_line,
            "assay resume " + (folder / "campaign") + " --add-session");
  const auto points = points_of(records, "laws");
  ASSERT_FALSE(points.empty());
  EXPECT_EQ(points.back().results.at(0).headline.basis, "sessions");
  EXPECT_EQ(points.back().results.at(0).sessions.size(), 3U);
}

TEST(SessionsOfACampaign, GoOnAfterATornEnd) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, two_points).exit_code, 0);
  const std::string journal = (folder / "campaign") + "/journal.jsonl";
  const std::string whole = read_file(journal, 1 << 24);
  write_file(journal, whole.substr(0, whole.size() - 20));
  const auto more = run_assay({"resume", folder / "campaign", "--add-session"});
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_NE(more.err.find("unfinished record"), std::string::npos) << more.err;
  EXPECT_EQ(records_of<SessionRecord>(campaign_records(folder)).size(), 2U);
}

TEST(SessionsOfACampaign, AreRefusedOnOtherCpus) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, two_points).exit_code, 0);
  const std::string journal = (folder / "campaign") + "/journal.jsonl";
  const std::string before = read_file(journal, 1 << 24);
  const auto refused =
      run_program({"taskset", "-c", "0", assay_program(), "resume", folder / "campaign", "--add-session"});
  if (refused.exit_code == 0) GTEST_SKIP() << "only one CPU is usable, so that the mask changes nothing";
  EXPECT_EQ(refused.exit_code, 5) << refused.err;
  EXPECT_NE(refused.err.find("cpu.usable"), std::string::npos) << refused.err;
  EXPECT_EQ(read_file(journal, 1 << 24), before);
}

TEST(SessionsOfACampaign, AreAddedOnlyOnDemandAndOnlyToCampaigns) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, two_points).exit_code, 0);
  EXPECT_EQ(run_assay({"resume", folder / "campaign"}).exit_code, 0);
  EXPECT_EQ(records_of<SessionRecord>(campaign_records(folder)).size(), 1U);
  EXPECT_EQ(run_assay({"resume", folder / "nothing", "--add-session"}).exit_code, 2);
}

}  // namespace
}  // namespace assay::test
