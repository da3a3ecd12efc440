// SPDX-License-Identifier: Apache-2.0
// Campaigns whose output is not read: results are kept, and what was to be delivered and was not is said.
#include <gtest/gtest.h>

#include <fstream>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

constexpr const char* many_points = R"([precision]
warm-up = 0ms
incarnations = 1
batches = 1
rule = fixed:1
[series.many]
measurement = synthetic/constant
placement = unbound
median = 1..60 +1
)";

/// Runs the campaign with its streams as a shell makes them. {} is the program with its arguments.
Finished run_with_streams(const Scratch& folder, const std::string& script) {
  std::ofstream(folder / "campaign.ini") << many_points;
  const std::string command =
      "'" + assay_program() + "' run '" + (folder / "campaign.ini") + "' --output '" + (folder / "campaign") + "'";
  std::string text = script;
  text.replace(text.find("{}"), 2, command);
  return run_program({"sh", "-c", text});
}

std::size_t points_kept(const Scratch& folder) { return points_of(campaign_records(folder), "many").size(); }

TEST(UnreadOutput, F15_remarks_that_cannot_be_written_are_dropped) {
  for (const char* script :
       {"{} 2>/dev/full", "{} 2>&-", "{ {} >/dev/null; echo $? >&3; } 3>&1 2>&1 >/dev/null | true"}) {
    const Scratch folder;
    EXPECT_EQ(run_with_streams(folder, script).exit_code, 0) << script;
    EXPECT_EQ(points_kept(folder), 60U) << script;
  }
}

TEST(UnreadOutput, F15_a_reader_that_stalls_does_not_hold_the_campaign_up) {
  const Scratch folder;
  // The reader takes nothing until the campaign has ended, which is when it is told so by the file.
  const std::string done = folder / "done";
  const std::string script =
      "{ {} >/dev/null; echo $? >'" + done + "'; } 2>&1 | { while [ ! -s '" + done + "' ]; do sleep 0.05; done; }";
  run_with_streams(folder, script);
  std::string code;
  std::ifstream(done) >> code;
  EXPECT_EQ(code, "0");
  EXPECT_EQ(points_kept(folder), 60U);
}

TEST(UnreadOutput, F15_tables_that_cannot_be_delivered_are_an_error_after_the_results_are_kept) {
  for (const char* script : {"{} >/dev/full", "{} >&-"}) {
    const Scratch folder;
    const Finished finished = run_with_streams(folder, script);
    EXPECT_EQ(finished.exit_code, 4) << script;
    EXPECT_NE(finished.err.find("standard output cannot be written"), std::string::npos) << finished.err;
    EXPECT_EQ(points_kept(folder), 60U) << script;
    EXPECT_EQ(records_of<EndRecord>(campaign_records(folder)).size(), 1U) << script;
  }
}

}  // namespace
}  // namespace assay::test
