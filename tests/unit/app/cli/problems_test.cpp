// SPDX-License-Identifier: Apache-2.0
// Order, uniqueness and number of reported problems.
#include "app/cli/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace assay {
namespace {

std::vector<Problem> raised(const Problems& problems, const std::vector<std::string>& files) {
  try {
    problems.raise(files);
  } catch (const ConfigError& error) {
    return error.problems();
  }
  return {};
}

TEST(Problems, NothingIsRaisedWhenNothingIsWrong) { EXPECT_NO_THROW(Problems().raise({"f"})); }

TEST(Problems, AreSortedByFileLineAndColumn) {
  Problems problems;
  problems.add({"--set x"}, "last");
  problems.add({"a", 1, 1}, "fourth");
  problems.add({"z", 2, 9}, "third");
  problems.add({"z", 2, 3}, "second");
  problems.add({"z", 1, 5}, "first");
  const auto sorted = raised(problems, {"z", "a"});
  ASSERT_EQ(sorted.size(), 5U);
  const char* expected[] = {"first", "second", "third", "fourth", "last"};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(sorted[i].what, expected[i]);
}

TEST(Problems, AreToldOnce) {
  Problems problems;
  problems.add({"f", 1, 1}, "same");
  problems.add({"f", 1, 1}, "same");
  problems.add({"f", 1, 1}, "same", "but for this");
  EXPECT_EQ(raised(problems, {"f"}).size(), 2U);
}

TEST(Problems, OnlyAPureEnvironmentProblemIsOne) {
  Problems problems;
  problems.add_environment({"f"}, "no such CPU");
  EXPECT_EQ(ConfigError(raised(problems, {})).exit_code(), 3);
  problems.add({"f"}, "and a mistake");
  EXPECT_EQ(ConfigError(raised(problems, {})).exit_code(), 2);
}

TEST(Problems, AreTwentyAtMost) {
  std::vector<Problem> many;
  for (int i = 1; i <= 23; ++i) many.push_back({{"f", i, 1}, "wrong", {}, {}});
  std::ostringstream out;
  print(out, many);
  const auto text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 21);
  EXPECT_NE(text.find("f:20:1: error: wrong\nand 3 more errors\n"), text.npos);
  std::ostringstream few;
  print(few, {many.front()});
  EXPECT_EQ(few.str(), "f:1:1: error: wrong\n");
}

}  // namespace
}  // namespace assay
