// SPDX-License-Identifier: Apache-2.0
// What was changed is named, with both values; what was not is not.
#include "platform/process_state.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(ProcessStateTest, IsTheSameAtOnce) { EXPECT_EQ(changes_between(process_state(), process_state()), ""); }

TEST(ProcessStateTest, NamesEachChangeWithBothValues) {
  const ProcessState before{{"locale", "C"}, {"limits", "1 2"}, {"working directory", "/a"}};
  ProcessState after = before;
  after[0].second = "de_DE";
  after[2].second = "/b";
  EXPECT_EQ(changes_between(before, after), "locale (was C, is de_DE), working directory (was /a, is /b)");
}

}  // namespace
}  // namespace assay
