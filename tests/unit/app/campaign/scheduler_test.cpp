// SPDX-License-Identifier: Apache-2.0
// The end of a batch job, as its scheduler reports it.
#include "app/campaign/scheduler.hpp"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

std::optional<JobEnd> told(const char* end) {
  return job_end([=](const char* name) { return std::string(name) == "SLURM_JOB_END_TIME" ? end : nullptr; },
                 seconds(1000));
}

TEST(JobEnd, IsReadFromSlurm) {
  ASSERT_TRUE(told("1600"));
  EXPECT_EQ(told("1600")->left, seconds(600));
  EXPECT_EQ(told("1600")->variable, "SLURM_JOB_END_TIME");
  EXPECT_EQ(told("900")->left, Nanoseconds{}) << "a time that has passed leaves none";
}

TEST(JobEnd, IsNotGuessedFromWhatIsNoTime) {
  for (const char* text : {static_cast<const char*>(nullptr), "", "soon", "12x", "-5", "0", "1e9"})
    EXPECT_FALSE(told(text)) << (text == nullptr ? "unset" : text);
}

TEST(JobEnd, F52_the_shorter_time_counts_and_leaves_a_reserve) {
  const JobEnd job{"SLURM_JOB_END_TIME", seconds(600)};
  EXPECT_EQ(time_allowed({}, {}, seconds(60)), std::nullopt);
  EXPECT_EQ(time_allowed(seconds(100), {}, seconds(60)), seconds(100));
  EXPECT_EQ(time_allowed({}, job, seconds(60)), seconds(540));
  EXPECT_EQ(time_allowed(seconds(100), job, seconds(60)), seconds(100));
  EXPECT_EQ(time_allowed(seconds(1000), job, seconds(60)), seconds(540));
  EXPECT_EQ(time_allowed({}, JobEnd{"", seconds(10)}, seconds(60)), Nanoseconds{});
}

}  // namespace
}  // namespace assay
