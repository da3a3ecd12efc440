// SPDX-License-Identifier: Apache-2.0
// Where plugins come from, who could have changed them, and what the results say about them.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* turn = ASSAY_SDK "/plugins/turn.so";

Finished list(const std::string& plugin, const std::vector<std::string>& environment = {}) {
  return run_assay({"list", "--plugin", plugin}, environment);
}

// A word of what `text` says after `label`; empty when it does not.
std::string word_after(const std::string& text, const std::string& label) {
  const auto found = text.find(label);
  if (found == text.npos) return {};
  std::istringstream rest(text.substr(found + label.size()));
  std::string word;
  rest >> word;
  return word;
}

std::string session_fact(const std::vector<Record>& records, const std::string& key) {
  for (const SessionRecord& session : records_of<SessionRecord>(records))
    for (const auto& [name, value] : session.facts)
      if (name == key) return value;
  return {};
}

TEST(Places, TheLibraryPathIsNeverSearched) {
  const Scratch trap;
  std::filesystem::copy_file(turn, trap / "trap.so");
  const std::string variable = "LD_LIBRARY_PATH=" + trap.path().string();
  const auto bare = list("trap", {variable});
  EXPECT_EQ(bare.exit_code, 3) << bare.out;
  EXPECT_THAT(bare.err, HasSubstr("/assay/plugins/trap.so"));
  EXPECT_EQ(list("trap.so", {variable}).exit_code, 3);
  EXPECT_EQ(list("./trap.so", {variable}).exit_code, 3) << "that is in the current folder, and nowhere else";
  EXPECT_EQ(list(trap / "trap.so", {variable}).exit_code, 0);
}

// The installation was moved after it was made, see sdk.cmake.
TEST(Places, ABareNameIsFoundBelowThePrefixThatTheProgramLiesIn) {
  for (const std::string name : {"turn", "by_pkg_config"}) {
    const auto listed = run_program({ASSAY_SDK "/bin/assay", "list", "--plugin", name});
    EXPECT_EQ(listed.exit_code, 0) << listed.err;
    EXPECT_THAT(listed.out, HasSubstr("example/turn"));
  }
}

TEST(Places, OurOwnLibrariesComeFromNoRelativePlace) {
  for (const std::string& program : {assay_program(), std::string(ASSAY_SDK "/bin/assay")}) {
    const auto dynamic = run_program({"readelf", "-d", program});
    if (dynamic.exit_code != 0) GTEST_SKIP() << "readelf is not here";
    for (const char* label : {"Library rpath: [", "Library runpath: ["}) {
      const std::string listed = word_after(dynamic.out, label);
      std::istringstream paths(listed.substr(0, listed.find(']')));
      EXPECT_FALSE(listed.ends_with(":]")) << program;
      for (std::string path; std::getline(paths, path, ':');)
        EXPECT_TRUE(path.starts_with('/')) << program << ' ' << path;
    }
  }
}

TEST(Places, TheInstalledProgramFindsTheOneThatMakesProcesses) {
  const Scratch folder;
  std::ofstream(folder / "process.ini") << "[precision]\nrule = fixed:8\nincarnations = 1\n[series.one]\n"
                                           "measurement = process/make\nhow = fork-exec\n";
  const auto finished =
      run_program({ASSAY_SDK "/bin/assay", "run", "--quiet", "--output", folder / "campaign", folder / "process.ini"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, Not(HasSubstr("unsupported")));
}

TEST(Places, APluginThatOthersCouldChangeIsRefusedForRootAndToldToOthers) {
  const Scratch folder;
  const std::string path = folder / "open.so";
  std::filesystem::copy_file(turn, path);
  ::chmod(path.c_str(), 0666);
  const auto finished = run_campaign_text(folder, "[campaign]\nplugins = " + path +
                                                      "\n[precision]\nrule = fixed:8\nincarnations = 1\n[series.one]\n"
                                                      "measurement = synthetic/constant\n");
  EXPECT_THAT(finished.err, HasSubstr("open.so can be written by everybody"));
  EXPECT_EQ(finished.exit_code, ::geteuid() == 0 ? 3 : 0) << finished.err;
}

TEST(Places, AFolderThatOthersCouldChangeIsNoBetter) {
  const Scratch folder;
  std::filesystem::create_directory(folder / "open");
  std::filesystem::copy_file(turn, folder / "open/turn.so");
  ::chmod((folder / "open").c_str(), 0777);
  const auto finished = list(folder / "open/turn.so");
  if (::geteuid() == 0)
    EXPECT_THAT(finished.err, HasSubstr("/open can be written by everybody"));
  else
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
}

TEST(Places, ResultsSayWhatThePluginWas) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, "[campaign]\nplugins = " ASSAY_SDK
                                                  "/plugins/faults.so\n[precision]\nrule = fixed:8\nincarnations = 1\n"
                                                  "[series.one]\nmeasurement = fixture/ok\n");
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.err, Not(HasSubstr("warning")));
  const auto records = campaign_records(folder);
  const std::string path = ASSAY_SDK "/plugins/faults.so";
  EXPECT_EQ(session_fact(records, "plugin.1.path"), path);
  const auto digest = run_program({"sha256sum", path});
  if (digest.exit_code == 0) {
    EXPECT_EQ(session_fact(records, "plugin.1.sha256"), digest.out.substr(0, 64));
  }
  const auto notes = run_program({"readelf", "-n", path});
  if (notes.exit_code == 0 && !word_after(notes.out, "Build ID:").empty()) {
    EXPECT_EQ(session_fact(records, "plugin.1.build_id"), word_after(notes.out, "Build ID:"));
  }
}

}  // namespace
}  // namespace assay::test
