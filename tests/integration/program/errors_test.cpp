// SPDX-License-Identifier: Apache-2.0
// Bad requests: every problem in one run, with its place, and nothing created.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

std::string outcome_of(const Finished& finished) { return finished.out + finished.err; }

TEST(BadRequests, AllErrorsOfAFileAreReportedInOneRun) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"([campaign]
titel = x
[series.a]
measurement = sync/lok
[series.b]
measurement = sync/lock
bystander = none, prezent
eps = two
[series.c]
measurement = synthetic/normal
median = 10..1 *2
[series.a]
measurement = sync/lock
)");
  EXPECT_EQ(finished.exit_code, 2);
  for (const char* part :
       {"campaign.ini:2:1: error", "title", "campaign.ini:4:15: error", "sync/lock", "campaign.ini:7:", "present",
        "campaign.ini:8:7: error", "campaign.ini:11:", "campaign.ini:12:"})
    EXPECT_NE(finished.err.find(part), std::string::npos) << part << " is missing in\n" << finished.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "campaign")) << "nothing may be created";
}

TEST(BadRequests, AnImpossiblePlacementIsTheMachinesFault) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, "[series.a]\nmeasurement = logp/round_trip\nplacement = 0+99999\n");
  EXPECT_EQ(finished.exit_code, 3) << finished.err;
  EXPECT_NE(finished.err.find("campaign.ini:3:13: error"), std::string::npos) << finished.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "campaign"));
}

TEST(BadRequests, UnknownCommandsAndOptionsNameTheNearest) {
  const auto command = run_assay({"rnu"});
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_NE(outcome_of(command).find("run"), std::string::npos);
  const auto option = run_assay({"run", "--otput", "x", "y.ini"});
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_NE(outcome_of(option).find("--output"), std::string::npos) << outcome_of(option);
}

TEST(BadRequests, AMissingFileIsNamed) {
  const auto finished = run_assay({"run", "/nonexistent/campaign.ini"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_NE(finished.err.find("/nonexistent/campaign.ini"), std::string::npos);
}

TEST(BadRequests, HelpAndVersionGoToStandardOutput) {
  for (const char* option : {"--help", "--version"}) {
    const auto finished = run_assay({option});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_FALSE(finished.out.empty());
    EXPECT_TRUE(finished.err.empty());
  }
}

// A damaged journal is refused, with the place of the damage.
TEST(BadRequests, ADamagedJournalIsRefused) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, "[series.a]\nmeasurement = synthetic/constant\nplacement = unbound\n").exit_code,
            0);
  const std::string path = folder / "campaign/journal.jsonl";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  FILE* file = fopen(path.c_str(), "r+");
  ASSERT_NE(file, nullptr);
  fseek(file, 40, SEEK_SET);
  fputc('~', file);
  fclose(file);
  const auto finished = run_assay({"show", folder / "campaign"});
  EXPECT_EQ(finished.exit_code, 5) << outcome_of(finished);
}

TEST(Configurations, EachIsPlannedWithoutMeasuring) {
  int planned = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_directory() + "/configs")) {
    if (file.path().extension() != ".ini") continue;
    const auto finished = run_assay({"plan", file.path()});
    EXPECT_EQ(finished.exit_code, 0) << file.path() << finished.err;
    EXPECT_FALSE(finished.out.empty());
    ++planned;
  }
  EXPECT_GE(planned, 4);
}

}  // namespace
}  // namespace assay::test
