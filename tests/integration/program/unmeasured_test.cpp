// SPDX-License-Identifier: Apache-2.0
// What commands answer where nothing was measured, or where something cannot be written.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

TEST(Unmeasured, ACommandThatDoesNotExistIsAFailure) {
  const Scratch folder;
  const std::string ini = "[series.a]\nmeasurement = command/run\ncommand = no-such-program\n";
  EXPECT_EQ(run_campaign_text(folder, ini, {"--quick"}).exit_code, 1);
  EXPECT_EQ(run_campaign_text(folder, ini, {"--quick"}).exit_code, 1) << "nor is it measured by asking again";
}

TEST(Unmeasured, AnEmptyJournalIsNotIntact) {
  const Scratch folder;
  const std::string directory = folder / "empty";
  std::filesystem::create_directory(directory);
  std::ofstream(directory + "/journal.jsonl").close();
  EXPECT_EQ(run_assay({"show", directory}).exit_code, 5);
  EXPECT_EQ(run_assay({"journal", "check", directory}).exit_code, 5);
}

TEST(Unmeasured, ResultsGoToADirectoryOnly) {
  const Scratch folder;
  const std::string ini = "[series.a]\nmeasurement = sync/lock\n";
  const Finished dash = run_campaign_text(folder, ini, {"--quick", "--output", "-"});
  EXPECT_EQ(dash.exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists("-"));
  const std::string missing = folder / "none/there";
  const Finished nowhere = run_campaign_text(folder, ini, {"--quick", "--output", missing});
  EXPECT_EQ(nowhere.exit_code, 4);
  EXPECT_NE(nowhere.err.find("'" + std::string(folder / "none") + "'"), std::string::npos) << nowhere.err;
}

TEST(Unmeasured, NoInternalFileIsNamed) {
  const Scratch folder;
  const std::string ini = "[series.a]\nmeasurement = synthetic/constant\n";
  ASSERT_EQ(run_campaign_text(folder, ini, {"--quick"}).exit_code, 0);
  const Finished written =
      run_assay({"export", folder / "campaign", "--format", "csv", "--output", folder / "none/x.csv"});
  EXPECT_EQ(written.exit_code, 4);
  EXPECT_EQ(written.err.find(".tmp"), std::string::npos) << written.err;
  EXPECT_NE(written.err.find("x.csv"), std::string::npos) << written.err;
}

TEST(Unmeasured, TheSameFileIsNamedOnce) {
  const Scratch folder;
  const std::string file = folder / "twice.ini";
  std::ofstream(file) << "[series.a]\nmeasurement = sync/lock\n";
  const Finished planned = run_assay({"plan", file, file});
  EXPECT_EQ(planned.exit_code, 2);
  EXPECT_EQ(std::count(planned.err.begin(), planned.err.end(), '\n'), 1) << planned.err;
}

}  // namespace
}  // namespace assay::test
