// SPDX-License-Identifier: Apache-2.0
// What was changed is named, with both values; what was not is not.
#include "platform/procfs/process_state.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(ProcessStateTest, IsTheSameAtOnce) { EXPECT_EQ(changes_between(process_state(), process_state()), ""); }

TEST(ProcessStateTest, NamesEachChangeWithBothValues) {
  ProcessState before;
  before.locale = "C";
  before.limits = {1, 2};
  before.working_directory = "/a";
  ProcessState after = before;
  after.locale = "de_DE";
  after.working_directory = "/b";
  EXPECT_EQ(changes_between(before, after), "working directory (was /a, is /b), locale (was C, is de_DE)");
}

}  // namespace
}  // namespace assay
