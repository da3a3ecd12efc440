// SPDX-License-Identifier: Apache-2.0
// Measurements that hang, die, take too much or leave something behind, each in a real campaign beside one that does
// nothing wrong: what the record says, and that the campaign went on.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>

#include "support/programs/program.hpp"
#include "support/programs/workers.hpp"

namespace assay::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// What became of the measurement that misbehaves.
struct Ending {
  PointRecord point;
  int exit_code = -1;
};

std::string campaign_of(const std::string& name, const std::string& lines) {
  return "[campaign]\nplugins = " ASSAY_SDK
         "/plugins/faults.so\n[precision]\nrule = fixed:8\nincarnations = 1\nwarm-up = 0\n"
         "[series.good]\nmeasurement = fixture/ok\nplacement = unbound\n[series.bad]\nplacement = unbound\n"
         "measurement = fixture/" +
         name + "\n" + lines;
}

// Runs the fixture beside a good one, which has its result however the other one ends.
Ending end_of(const std::string& name, const std::string& lines = {}, const std::string& tag = "ASSAY_TAG=none") {
  const Scratch folder;
  std::ofstream(folder / "campaign.ini") << campaign_of(name, lines);
  const auto finished = run_assay({"run", folder / "campaign.ini", "--output", folder / "campaign"}, {tag});
  const auto records = campaign_records(folder);
  const auto good = points_of(records, "good");
  const auto bad = points_of(records, "bad");
  EXPECT_EQ(good.size(), 1U) << finished.err;
  EXPECT_TRUE(!good.empty() && good[0].results.size() == 1) << "the campaign did not go on\n" << finished.err;
  EXPECT_EQ(bad.size(), 1U) << finished.err;
  return {bad.empty() ? PointRecord{} : bad[0], finished.exit_code};
}

void expect_timeout(const std::string& name) {
  const Ending ending = end_of(name, "deadline = 300ms\n");
  EXPECT_EQ(ending.point.outcome, Outcome::timeout) << name << ": " << ending.point.reason;
  EXPECT_EQ(ending.exit_code, 1) << name;
}

void expect_failure(const std::string& name, const std::string& why) {
  const Ending ending = end_of(name);
  EXPECT_EQ(ending.point.outcome, Outcome::failed) << name << ": " << ending.point.reason;
  EXPECT_THAT(ending.point.reason, HasSubstr(why)) << name;
  EXPECT_EQ(ending.exit_code, 1) << name;
}

void expect_result(const std::string& name) {
  const Ending ending = end_of(name);
  EXPECT_EQ(ending.point.results.size(), 1U) << name << ": " << ending.point.reason;
  EXPECT_EQ(ending.exit_code, 0) << name;
}

// How many live processes carry the tag in their environment.
int tagged(const std::string& tag) {
  int count = 0;
  for (const int pid : process_ids())
    count += !is_gone(pid) && process_file(pid, "environ").find(tag) != std::string::npos ? 1 : 0;
  return count;
}

bool all_go(const std::string& tag) {
  return comes_true([&] { return tagged(tag) == 0; });
}

std::string new_tag() { return "ASSAY_TAG=" + Scratch().path().filename().string(); }

TEST(Faults, F10_deadlock_is_killed_and_recorded) {
  expect_timeout("deadlock-self");
  expect_timeout("deadlock-abba");
}

TEST(Faults, F10_lost_signals_and_missing_partners_are_killed_and_recorded) {
  expect_timeout("lost-signal");
  expect_timeout("missing-barrier-partner");
}

TEST(Faults, F11_endless_loops_are_killed_and_recorded) {
  expect_timeout("spin");
  expect_timeout("spin-syscall");
}

TEST(Faults, F12_signals_are_named) {
  expect_failure("segv", "SIGSEGV");
  expect_failure("abort", "SIGABRT");
  expect_failure("throw-in-thread", "SIGABRT");
}

TEST(Faults, F12_exits_and_exceptions_are_told) {
  expect_failure("exit0", "exited 0");
  expect_failure("throw", "refused on purpose");
}

TEST(Faults, F12_a_broken_protocol_is_a_failure) {
  expect_failure("garbage-reply", "");
  expect_failure("partial-reply", "exited 0");
  expect_failure("closes-fd3", "");
}

TEST(Faults, F13_exhausted_memory_costs_the_point_only) {
  const Ending ending = end_of("oom");
  EXPECT_TRUE(ending.point.results.empty()) << "a result in spite of everything";
  EXPECT_NE(ending.point.outcome, Outcome::timeout) << ending.point.reason;
  EXPECT_EQ(ending.exit_code, 1);
}

TEST(Faults, F14_forked_processes_end_with_their_worker) {
  const std::string tag = new_tag();
  const Ending ending = end_of("fork-sleepers", "deadline = 300ms\n", tag);
  EXPECT_EQ(ending.point.outcome, Outcome::timeout) << ending.point.reason;
  EXPECT_TRUE(all_go(tag));
}

TEST(Faults, F14_what_left_its_session_keeps_nobody_waiting) {
  const std::string tag = new_tag();
  EXPECT_EQ(end_of("setsid-escape", {}, tag).point.results.size(), 1U);
  EXPECT_TRUE(all_go(tag)) << "it sleeps for two seconds and ends by itself";
}

TEST(Faults, F14_leaks_end_with_the_worker) {
  expect_result("leak-fds");
  expect_result("leak-threads");
}

TEST(Faults, F15_output_that_nobody_reads_blocks_nothing) { expect_result("spam-stderr"); }

TEST(Faults, F18_one_member_that_throws_releases_the_others) {
  const std::string ample = "deadline = 200s\nwhen = ";
  for (const char* when : {"before", "within", "after"}) {
    const Ending ending = end_of("throw-on-member", ample + when + "\nrank = 1\n");
    EXPECT_EQ(ending.point.outcome, Outcome::failed) << when << ": " << ending.point.reason;
    EXPECT_THAT(ending.point.reason, HasSubstr("member 1: refused on purpose")) << when;
  }
}

TEST(Faults, F18_the_first_member_may_be_the_one) {
  const Ending ending = end_of("throw-on-member", "deadline = 200s\nwhen = before\nrank = 0\n");
  EXPECT_EQ(ending.point.outcome, Outcome::failed) << ending.point.reason;
  EXPECT_THAT(ending.point.reason, HasSubstr("member 0: refused on purpose"));
}

TEST(Claims, ThatAreNoResultsFailThePoint) {
  expect_failure("nan-result", "invalid result: member 0 claimed nan ns of 'time'");
  expect_failure("huge-result", "invalid result: member 0 claimed 1.79");
  expect_failure("negative-result", "invalid result: member 0 claimed -");
  expect_failure("negative-count", "invalid result: member 0 claimed -1 1 of 'messages'");
  expect_failure("undeclared-result", "invalid result: member 0 claimed quantity 4 of 1");
  expect_failure("zero-result", "");
}

TEST(Claims, NoneAtAllFailsThePoint) {
  const Ending ending = end_of("no-result", "max-time = 300ms\n");
  EXPECT_EQ(ending.point.outcome, Outcome::failed) << ending.point.reason;
  EXPECT_THAT(ending.point.reason, StartsWith("no member claimed"));
}

TEST(Claims, TwoModesAreNamed) {
  const Ending ending = end_of("bimodal", "rule = fixed:256\nbatches = 8\n");
  ASSERT_EQ(ending.point.results.size(), 1U) << ending.point.reason;
  EXPECT_EQ(ending.point.results[0].steadiness.modes.size(), 2U);
}

TEST(Claims, ADriftIsNamed) {
  const Ending ending = end_of("drifting", "rule = fixed:256\nbatches = 8\n");
  ASSERT_EQ(ending.point.results.size(), 1U) << ending.point.reason;
  EXPECT_FALSE(ending.point.results[0].steadiness.drift.empty());
}

}  // namespace
}  // namespace assay::test
