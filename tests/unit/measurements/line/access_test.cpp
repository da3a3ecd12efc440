// SPDX-License-Identifier: Apache-2.0
// Accesses to real cache lines: every combination runs, values arrive, and windows count every operation.
#include "line/access.hpp"

#include <gtest/gtest.h>

#include "line/contended.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

Point point_of(const std::string& operation, const std::string& line, const std::string& holder) {
  Point point;
  point.set("operation", operation);
  point.set("line", line);
  point.set("holder", holder);
  point.set("access", std::string("dependent"));
  return point;
}

std::string code_of(const Point& point, int members) {
  test::PointSetup setup(point, members);
  try {
    const LineAccess built(setup);
  } catch (const Unsupported& refused) {
    return refused.code();
  }
  return {};
}

TEST(LineAccess, WhatNeedsOtherMembersSaysSo) {
  EXPECT_EQ(code_of(point_of("load", "modified", "other"), 1), "N11");
  EXPECT_EQ(code_of(point_of("load", "shared", "other"), 2), "N11");
  EXPECT_EQ(code_of(point_of("load", "exclusive", "both"), 2), "N11");
  EXPECT_EQ(code_of(point_of("load", "modified", "self"), 1), "");
}

TEST(LineState, OwnedLinesAreKnownOfTwoVendors) {
  EXPECT_TRUE(has_owned_state("vendor_id\t: AuthenticAMD\n"));
  EXPECT_TRUE(has_owned_state("vendor_id\t: HygonGenuine\n"));
  EXPECT_FALSE(has_owned_state("vendor_id\t: GenuineIntel\n"));
  EXPECT_FALSE(has_owned_state(""));
}

class LineTeam : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, LineTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

// A line that did not hold what was prepared would end the batch with an exception.
TEST_P(LineTeam, EveryOperationFindsWhatWasPrepared) {
  const int members = binding_of_self().size() < 2 ? 1 : 2;
  for (const std::string& operation : line_operations())
    for (const std::string access : {"dependent", "independent"}) {
      SCOPED_TRACE(operation + " " + access);
      const auto one = test::run_named("sync/line", {GetParam(), members},
                                       {{"operation", operation},
                                        {"access", access},
                                        {"line", std::string("exclusive")},
                                        {"holder", std::string(members == 1 ? "self" : "other")}},
                                       Reps{3});
      EXPECT_NEAR(one.value("access"), one.value("time") + one.value("loop"), 1e-6);
    }
}

TEST_P(LineTeam, EveryStateCanBePrepared) {
  if (binding_of_self().size() < 2) GTEST_SKIP() << "members that poll need a CPU each";
  for (const std::string& state : line_states())
    for (const std::string& holder : line_holders()) {
      if (code_of(point_of("load", state, holder), 2) != "") continue;
      SCOPED_TRACE(state + " " + holder);
      const auto one =
          test::run_named("sync/line", {GetParam(), 2},
                          {{"operation", std::string("cas")}, {"line", state}, {"holder", holder}}, Reps{3});
      EXPECT_GT(one.value("access"), 0);
    }
}

TEST_P(LineTeam, ContentionCountsEveryOperation) {
  const int members = binding_of_self().size() < 2 ? 1 : 2;
  for (const std::string& operation : line_operations()) {
    SCOPED_TRACE(operation);
    const auto one = test::run_named("sync/line_contended", {GetParam(), members}, {{"operation", operation}}, Reps{1});
    EXPECT_NEAR(one.value("time") * one.value("rate"), 1e9, 1);
    EXPECT_GE(one.value("fairness"), 1.0 / members - 1e-9);
    EXPECT_LE(one.value("fairness"), 1 + 1e-9);
    EXPECT_LE(one.value("slowest_to_fastest"), 1);
    EXPECT_LE(one.value("success"), 1);
  }
}

TEST(LineContention, OperationsAreToldFromTheirFailures) {
  const auto share = [](const char* operation) {
    return test::run_named("sync/line_contended", {"thread", 1}, {{"operation", std::string(operation)}}, Reps{1})
        .value("success");
  };
  EXPECT_EQ(share("cas"), 1);
  EXPECT_EQ(share("cas-fail"), 0);
  EXPECT_EQ(share("fetch-add"), 1);
  EXPECT_LT(share("test-and-set"), 0.01) << "only the first one finds the byte clear";
}

}  // namespace
}  // namespace assay
