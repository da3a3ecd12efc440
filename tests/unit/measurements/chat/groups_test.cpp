// SPDX-License-Identifier: Apache-2.0
// Crowds of senders and receivers: every message of every sender arrives, round after round, and impossible ones are
// refused.
#include "chat/groups.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "support/measurements/one_batch.hpp"

namespace assay {
namespace {

test::Levels crowd(std::int64_t groups, std::int64_t pairs, const std::string& through, std::int64_t bytes = 100) {
  return {{"groups", groups}, {"pairs", pairs}, {"messages", std::int64_t{20}}, {"through", through}, {"bytes", bytes}};
}

TEST(ChatGroups, EveryMessageArrives) {
  for (const std::string through : {"socket", "pipe"})
    for (const auto& [groups, pairs] : {std::pair{1, 1}, std::pair{2, 3}, std::pair{1, 10}}) {
      SCOPED_TRACE(through + " " + std::to_string(groups) + " x " + std::to_string(pairs));
      const auto one = test::run_named("chat/groups", {}, crowd(groups, pairs, through), Reps{1});
      EXPECT_GT(one.value("elapsed"), 0);
      EXPECT_NEAR(one.value("rate") * one.value("elapsed") / 1e9, 20.0 * groups * pairs * pairs, 1e-6);
      EXPECT_GT(one.value("switches"), 0);
    }
}

TEST(ChatGroups, TheSmallestAndTheLargestMessagesStayWhole) {
  for (const std::int64_t bytes : {8, 4096})
    for (const std::string through : {"socket", "pipe"})
      EXPECT_GT(test::run_named("chat/groups", {}, crowd(1, 4, through, bytes), Reps{1}).value("rate"), 0) << bytes;
}

TEST(ChatGroups, WhatIsNoCrowdIsRefused) {
  for (const auto& levels : {crowd(0, 3, "pipe"), crowd(1, 0, "pipe"), crowd(1, 3, "pipe", 7),
                             crowd(1, 3, "socket", 4097), crowd(2'000'000, 3, "pipe"), crowd(1, 500'000, "pipe")})
    EXPECT_THROW(test::run_named("chat/groups", {}, levels, Reps{1}), Unsupported);
}

}  // namespace
}  // namespace assay
