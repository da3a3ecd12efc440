// SPDX-License-Identifier: Apache-2.0
// Each file of configs/ through the real program, as far as it can be without measuring.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

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

/// What the first group of `pattern` finds in the lines of `text`.
std::set<std::string> found_in(const std::string& text, const std::regex& pattern) {
  std::set<std::string> words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::smatch match; std::regex_search(line, match, pattern)) words.insert(match[1]);
  return words;
}

/// What measures must be found by somebody who reads configurations only. Synthetic ones are for tests of the program.
TEST(Configurations, RunEveryMeasurement) {
  std::set<std::string> run;
  for (const auto& file : std::filesystem::directory_iterator(source_directory() + "/configs")) {
    if (file.path().extension() != ".ini") continue;
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    run.merge(found_in(text.str(), std::regex("^measurement = (\\S+)$")));
  }
  const auto listed = found_in(run_assay({"list", "measurements"}).out, std::regex("^([a-z-]+/[a-z_-]+) "));
  EXPECT_GE(listed.size(), 80U);
  for (const std::string& name : listed)
    EXPECT_TRUE(name.starts_with("synthetic") || run.contains(name)) << name << " is in no file of configs/";
}

}  // namespace
}  // namespace assay::test
