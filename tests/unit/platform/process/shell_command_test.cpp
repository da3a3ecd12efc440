// SPDX-License-Identifier: Apache-2.0
// Commands of the shell: how they end, and that nothing of them stays.
#include <gtest/gtest.h>

#include <filesystem>

#include "platform/process/process.hpp"
#include "support/environment/scratch.hpp"

namespace assay {
namespace {

TEST(RunShell, SaysNothingWhenAllWentWell) { EXPECT_EQ(run_shell("true; echo shown nowhere", seconds(20)), ""); }

TEST(RunShell, TellsHowACommandFailed) {
  EXPECT_EQ(run_shell("echo no such governor >&2; echo at all >&2; exit 3", seconds(20)),
            "exited 3: no such governor at all");
  EXPECT_EQ(run_shell("kill -9 $$", seconds(20)), "killed by SIGKILL");
}

TEST(RunShell, EndsWhatPassesItsDeadline) {
  EXPECT_EQ(run_shell("sleep 1000", milliseconds(30)), "did not end before its deadline");
}

TEST(RunShell, EndsWhatTheCommandLeavesBehind) {
  const test::Scratch folder;
  const std::string file = folder / "pid";
  EXPECT_EQ(run_shell("sleep 1000 & echo $! > '" + file + "'", seconds(20)), "");
  EXPECT_EQ(run_shell("kill -0 $(cat '" + file + "') 2>/dev/null && exit 1; exit 0", seconds(20)), "");
}

}  // namespace
}  // namespace assay
