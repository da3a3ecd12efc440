// SPDX-License-Identifier: Apache-2.0
// A process that hears nothing ends itself; one that does goes on.
#include "platform/process/dead_mans_switch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace assay::test {
namespace {

void wait_after(Nanoseconds first, Nanoseconds second) {
  hold_dead_mans_switch(first, "error: nobody there\n");
  hold_dead_mans_switch(second, "error: nobody there\n");
  ::sleep(2);
  std::_Exit(0);
}

TEST(DeadMansSwitchTest, EndsAProcessThatIsNotHeldAgain) {
  EXPECT_EXIT(wait_after(seconds(3600), seconds(0.1)), testing::ExitedWithCode(1), "error: nobody there");
}

TEST(DeadMansSwitchTest, CanBeTakenBack) {
  EXPECT_EXIT(wait_after(seconds(0.1), seconds(0)), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace assay::test
