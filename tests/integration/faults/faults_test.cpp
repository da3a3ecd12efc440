// SPDX-License-Identifier: Apache-2.0
// Measurements that go wrong: each becomes a record, the campaign goes on, nothing hangs and nothing is left running.
#include <gtest/gtest.h>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

std::string campaign_with(const std::string& fault, const std::string& members, const std::string& rank,
                          const std::string& vehicle, bool hangs) {
  // What ends by itself is waited for, however busy the machine is.
  return "[precision]\nwarm-up = 0ms\ndeadline = 100s\n"
         "[series.broken]\ndeadline = " +
         std::string(hangs ? "3s" : "100s") + "\nmeasurement = synthetic/fault\nplacement = unbound\nfault = " + fault +
         "\nmembers = " + members + "\nrank = " + rank + "\nvehicle = " + vehicle +
         "\n[series.sound]\nmeasurement = synthetic/normal\nplacement = unbound\n";
}

struct Case {
  std::string fault;
  std::string members;
  std::string rank;
  std::string vehicle;
  Outcome outcome;
  std::string reason;
  int exit_code;
};

class Faults : public testing::TestWithParam<Case> {};

TEST_P(Faults, BecomesARecordAndTheCampaignGoesOn) {
  const Case& c = GetParam();
  const Scratch folder;
  const auto finished =
      run_campaign_text(folder, campaign_with(c.fault, c.members, c.rank, c.vehicle, c.fault == "hang"));
  EXPECT_EQ(finished.exit_code, c.exit_code) << finished.out << finished.err;
  const auto records = campaign_records(folder);
  const auto broken = points_of(records, "broken");
  ASSERT_EQ(broken.size(), 1U);
  EXPECT_EQ(broken[0].outcome, c.outcome) << broken[0].reason;
  EXPECT_NE(broken[0].reason.find(c.reason), std::string::npos) << broken[0].reason;
  const auto failures = records_of<FailureRecord>(records);
  ASSERT_EQ(failures.size(), c.outcome == Outcome::unsupported ? 0U : 1U);
  for (const FailureRecord& failure : failures) {
    EXPECT_EQ(failure.reason, broken[0].reason);
    EXPECT_EQ(failure.outcome, c.outcome);
    EXPECT_EQ(failure.threads.empty(), c.outcome != Outcome::timeout) << "they are looked at before the kill";
  }
  const auto sound = points_of(records, "sound");
  ASSERT_EQ(sound.size(), 1U);
  EXPECT_EQ(sound[0].outcome, Outcome::converged);
  EXPECT_EQ(records_of<EndRecord>(records).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Each, Faults,
                         testing::Values(Case{"hang", "1", "0", "thread", Outcome::timeout, "killed", 1},
                                         Case{"hang", "2", "1", "thread", Outcome::timeout, "killed", 1},
                                         Case{"hang", "2", "1", "process", Outcome::timeout, "killed", 1},
                                         Case{"throw", "1", "0", "thread", Outcome::failed, "thrown on purpose", 1},
                                         Case{"throw", "2", "1", "thread", Outcome::failed, "thrown on purpose", 1},
                                         Case{"throw", "2", "1", "process", Outcome::failed, "thrown on purpose", 1},
                                         Case{"exit", "1", "0", "thread", Outcome::failed, "exited 0", 1},
                                         Case{"exit", "2", "1", "process", Outcome::failed, "exited 0", 1},
                                         Case{"crash", "2", "1", "process", Outcome::failed, "SIGABRT", 1},
                                         Case{"unsupported", "1", "0", "thread", Outcome::unsupported,
                                              "unsupported by request", 0}),
                         [](const auto& c) {
                           return c.param.fault + "_of_" + c.param.rank + "_in_" + c.param.members + "_" +
                                  c.param.vehicle;
                         });

}  // namespace
}  // namespace assay::test
