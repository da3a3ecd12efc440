// SPDX-License-Identifier: Apache-2.0
// Variants of real campaigns: commands around blocks, the environment and the program of workers.
#include <gtest/gtest.h>

#include "platform/append_file.hpp"
#include "support/program.hpp"

namespace assay::test {
namespace {

constexpr const char* quick = "[precision]\nwarm-up = 0ms\nincarnations = 2\n";
constexpr const char* laws = "[series.laws]\nmeasurement = synthetic/normal\nplacement = unbound\n";

TEST(Variants, CommandsRunAroundTheBlocksOfTheirPoints) {
  const Scratch folder;
  const std::string log = folder / "log";
  const auto finished =
      run_campaign_text(folder, std::string(quick) + "[variant.loaded]\nsetup = echo up >> '" + log +
                                    "'\nteardown = echo down >> '" + log + "'\n" + laws + "variant = plain, loaded\n");
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const std::string course = read_file(log, 1 << 20);
  EXPECT_TRUE(course.starts_with("up\ndown\nup\ndown\n")) << course;
  EXPECT_TRUE(course.ends_with("down\n")) << course;
  EXPECT_NE(finished.out.find("loaded"), std::string::npos);
}

TEST(Variants, AFailedSetUpIsTheOutcomeOfItsPoints) {
  const Scratch folder;
  const auto finished =
      run_campaign_text(folder, std::string(quick) + "[variant.broken]\nsetup = echo no such thing >&2; exit 7\n" +
                                    laws + "variant = plain, broken\n");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_NE(finished.out.find("set-up of variant broken failed: exited 7: no such thing"), std::string::npos)
      << finished.out;
  EXPECT_NE(finished.out.find("1 converged"), std::string::npos) << finished.out;
}

TEST(Variants, AWorkerThatIsAnotherProgramSaysSoWhenItCannotServe) {
  const Scratch folder;
  const auto finished = run_campaign_text(
      folder, std::string(quick) + "[variant.other]\nprogram = /bin/false\n" + laws + "variant = plain, other\n");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_NE(finished.out.find("failed"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("1 converged"), std::string::npos) << finished.out;
}

TEST(Variants, TheSameProgramUnderAnotherNameServesAsWell) {
  const Scratch folder;
  const auto finished =
      run_campaign_text(folder, std::string(quick) + "[variant.again]\nenv.SOME = thing\nprogram = " + assay_program() +
                                    "\n" + laws + "variant = plain, again\n");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_NE(finished.out.find("2 converged"), std::string::npos) << finished.out;
}

}  // namespace
}  // namespace assay::test
