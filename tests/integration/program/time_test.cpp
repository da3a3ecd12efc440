// SPDX-License-Identifier: Apache-2.0
// `assay time` on real commands: what it says of how they end, and what it writes.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "support/programs/program.hpp"
#include "text/json.hpp"

namespace assay::test {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Time, RunsTwoCommandsAsOftenAsAskedAndWritesEveryRun) {
  const Scratch folder;
  const std::string file = folder / "times.json";
  const Finished done = run_assay({"time", "-N", "-r", "5", "--export-json", file, "true", "sleep 0"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_FALSE(done.out.empty());
  const Json all = parse_json(read(file));
  const Json::Array& results = all.at("results").array();
  ASSERT_EQ(results.size(), 2U);
  for (const Json& result : results) {
    ASSERT_EQ(result.at("times").array().size(), 5U);
    for (const Json& time : result.at("times").array()) EXPECT_GT(time.number(), 0);
    for (const Json& code : result.at("exit_codes").array()) EXPECT_EQ(code.integer(), 0);
    for (const Json& size : result.at("memory_usage_byte").array()) EXPECT_TRUE(size.is_null() || size.integer() > 0);
  }
  EXPECT_EQ(all.at("comparisons").array().size(), 1U);
}

TEST(Time, ACommandThatFailsIsToldByItsOwnWords) {
  const Finished failed = run_assay({"time", "-r", "2", "echo oops >&2; exit 3"});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.out, "");
  for (const char* part : {"oops", "3", "-i"}) EXPECT_NE(failed.err.find(part), std::string::npos) << failed.err;
  EXPECT_EQ(run_assay({"time", "-N", "-r", "2", "false"}).exit_code, 1);
}

TEST(Time, AFailureMayBeIgnored) {
  const Scratch folder;
  const std::string file = folder / "times.json";
  const Finished done = run_assay({"time", "-N", "-i", "-r", "2", "--style", "none", "--export-json", file, "false"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(parse_json(read(file)).at("results").array().at(0).at("exit_codes").array().at(1).integer(), 1);
}

TEST(Time, AMissingProgramIsToldWithAndWithoutAShell) {
  const Scratch folder;
  const std::string touched = folder / "touched";
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{{"time"}, {"time", "-N"}}) {
    auto arguments = options;
    arguments.insert(arguments.end(), {"touch " + touched, "no-such-program"});
    EXPECT_EQ(run_assay(arguments).exit_code, 3);
    EXPECT_FALSE(std::ifstream(touched)) << "something was run";
  }
  EXPECT_EQ(run_assay({"time", "-r", "2", "if true; then cd .; fi", "cd ."}).exit_code, 0) << "the shell's own";
}

TEST(Time, FilesOfTheCommandsAreThoseNamed) {
  const Scratch folder;
  std::ofstream(folder / "in") << "one\ntwo\n";
  const Finished done =
      run_assay({"time", "-N", "-r", "2", "--input", folder / "in", "--output", folder / "out", "cat"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(read(folder / "out"), "one\ntwo\n");
  const Finished shown = run_assay({"time", "-r", "2", "--style", "none", "--output", "inherit", "echo seen"});
  EXPECT_EQ(shown.out, "seen\nseen\n");
}

}  // namespace
}  // namespace assay::test
