// SPDX-License-Identifier: Apache-2.0
// Variants of real campaigns: commands around blocks, the environment and the program of workers.
#include <gtest/gtest.h>

#include <filesystem>

#include "platform/file/append_file.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

constexpr const char* quick_campaign = "[precision]\nwarm-up = 0ms\nincarnations = 2\n";
constexpr const char* laws = "[series.laws]\nmeasurement = synthetic/normal\nplacement = unbound\n";

TEST(Variants, CommandsRunAroundTheBlocksOfTheirPoints) {
  const Scratch folder;
  const std::string log = folder / "log";
  const auto finished =
      run_campaign_text(folder, std::string(quick_campaign) + "[variant.loaded]\nsetup = echo up >> '" + log +
                                    "'\nteardown = echo down >> '" + log + "'\n" + laws + "variant = plain, loaded\n");
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const std::string course = read_file(log, 1 << 20);
  EXPECT_TRUE(course.starts_with("up\ndown\nup\ndown\n")) << course;
  EXPECT_TRUE(course.ends_with("down\n")) << course;
  EXPECT_NE(finished.out.find("loaded"), std::string::npos);
}

TEST(Variants, AFailedSetUpIsTheOutcomeOfItsPoints) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, std::string(quick_campaign) +
                                                      "[variant.broken]\nsetup = echo no such thing >&2; exit 7\n" +
                                                      laws + "variant = plain, broken\n");
  EXPECT_EQ(finished.exit_code, 0) << finished.out;
  EXPECT_NE(finished.out.find("set-up of variant broken failed: exited 7: no such thing"), std::string::npos)
      << finished.out;
  EXPECT_NE(finished.out.find("1 converged"), std::string::npos) << finished.out;
}

TEST(Variants, AWorkerThatIsAnotherProgramSaysSoWhenItCannotServe) {
  const Scratch folder;
  const auto finished =
      run_campaign_text(folder, std::string(quick_campaign) + "[variant.other]\nprogram = /bin/false\n" + laws +
                                    "variant = plain, other\n");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_NE(finished.out.find("failed"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("1 converged"), std::string::npos) << finished.out;
}

TEST(Variants, TheSameProgramUnderAnotherNameServesAsWell) {
  const Scratch folder;
  const auto finished = run_campaign_text(
      folder, std::string(quick_campaign) + "[variant.again]\nenv.SOME = thing\nprogram = " + assay_program() + "\n" +
                  laws + "variant = plain, again\n");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_NE(finished.out.find("2 converged"), std::string::npos) << finished.out;
}

/// A folder with this machine's C library and whatever else the program loads, as a second root directory has them.
std::string second_library(const Scratch& folder) {
  const std::string root = folder / "second";
  const auto listed = run_program(
      {"/bin/sh", "-c",
       "mkdir '" + root + "' && ldd '" + assay_program() +
           "' | awk '/=> [/]/ { print $3 } $1 ~ /^[/]/ { print $1 }' | xargs -I{} cp -L {} '" + root + "'"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  return root;
}

std::string loader_in(const std::string& root) {
  for (const auto& entry : std::filesystem::directory_iterator(root))
    if (entry.path().filename().string().starts_with("ld-")) return entry.path().string();
  return root + "/no-loader";
}

TEST(Variants, AnotherLoaderRunsTheWorkersWithItsLibraries) {
  const Scratch folder;
  const std::string root = second_library(folder);
  const std::string variant = std::string(quick_campaign) + "[variant.second]\nloader = " + loader_in(root) +
                              "\nlibraries = " + root + "\n" + laws + "variant = plain, second\n";
  const auto finished = run_campaign_text(folder, variant);
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
  for (const PointRecord& point : points_of(campaign_records(folder), "laws"))
    EXPECT_EQ(point.library.starts_with("glibc "), point.point.text("variant") == "second") << point.library;
}

TEST(Variants, ALibraryThatIsNoneIsTheOutcomeOfItsPoints) {
  const Scratch folder;
  const std::string root = second_library(folder);
  write_file(root + "/libc.so.6", "not a library");
  const auto finished =
      run_campaign_text(folder, std::string(quick_campaign) + "[variant.second]\nloader = " + loader_in(root) +
                                    "\nlibraries = " + root + "\n" + laws + "variant = plain, second\n");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_NE(finished.out.find("libc.so.6"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("1 converged"), std::string::npos) << finished.out;
}

TEST(Variants, LibrariesWithoutALoaderAreRefused) {
  const Scratch folder;
  const auto finished = run_campaign_text(
      folder, "[variant.second]\nlibraries = /lib\n" + std::string(laws) + "variant = plain, second\n");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_NE(finished.err.find("libraries without a loader"), std::string::npos) << finished.err;
}

}  // namespace
}  // namespace assay::test
