// SPDX-License-Identifier: Apache-2.0
// configs/states-selftest.ini through the real program, byte by byte: what users see of states of the cores.
#include <gtest/gtest.h>

#include <sstream>

#include "support/environment/golden.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

/// Without what is told of the machine.
std::string tables_of(const std::string& shown) {
  std::istringstream lines(shown);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("note: ") || line.find("simulated core") != std::string::npos) text += line + "\n";
  return text;
}

TEST(StatesGolden, EachStateOfTheSelftest) {
  const Scratch folder;
  const std::string campaign = folder / "campaign";
  const Finished run =
      run_assay({"run", source_directory() + "/configs/states-selftest.ini", "--output", campaign}, {lone_state});
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  std::string all = tables_of(run_assay({"show", campaign}).out);
  for (const std::string state : {"any", "shared"}) {
    const Finished show = run_assay({"show", campaign, "--state", state});
    EXPECT_EQ(show.exit_code, 0) << show.err;
    all += "---- --state " + state + "\n" + tables_of(show.out);
  }
  all += "---- --columns median,state\n" + tables_of(run_assay({"show", campaign, "--columns", "median,state"}).out);
  EXPECT_TRUE(matches_golden(all, "records/states.txt"));
}

}  // namespace
}  // namespace assay::test
