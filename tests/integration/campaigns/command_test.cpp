// SPDX-License-Identifier: Apache-2.0
// Campaigns of external commands by the built program: factors of the series' own, reasons, nothing left, averages.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* quick =
    "[precision]\nrule = fixed:5\nwarm-up = 0ms\nincarnations = 2\nmin-span = 0s\n[series.task]\n"
    "measurement = command/run\n";

/// Each test has a temporary folder of its own: others make theirs meanwhile.
class Commands : public testing::Test {
 protected:
  Commands() { ::setenv("TMPDIR", temporary_.path().c_str(), 1); }
  ~Commands() override { former_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", former_.c_str(), 1); }

  std::vector<std::string> left_in_temporary_folder() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(temporary_.path()))
      if (entry.path().filename().string().starts_with("assay-scratch-")) found.push_back(entry.path());
    return found;
  }

 private:
  std::string former_ = ::getenv("TMPDIR") == nullptr ? "" : ::getenv("TMPDIR");
  Scratch temporary_;
};

TEST_F(Commands, AreMeasuredAtTheLevelsOfTheirOwnFactors) {
  const Scratch folder;
  const auto finished =
      run_campaign_text(folder, std::string(quick) +
                                    "prepare = sh -c 'seq 1 {lines} > {scratch}/data'\ncommand = {how...} cat "
                                    "{scratch}/data\nlines = 10, 100\nhow = none, \"env -i\"\n");
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const auto records = campaign_records(folder);
  const auto points = points_of(records, "task");
  ASSERT_EQ(points.size(), 4U);
  for (const PointRecord& point : points) {
    EXPECT_EQ(point.point.text("placement"), "unbound");
    ASSERT_FALSE(point.results.empty());
    EXPECT_EQ(point.results.front().quantity, "wall");
    EXPECT_GE(point.results.front().summary.n, 5U);
  }
  EXPECT_THAT(left_in_temporary_folder(), IsEmpty());
}

TEST_F(Commands, FailWithTheirOwnWordsWhileOthersGoOn) {
  const Scratch folder;
  const auto finished = run_campaign_text(
      folder, std::string(quick) +
                  "command = sh -c 'echo no luck >{scratch}/a; cat {scratch}/a >&2; exit {code}'\ncode = 0, 3\n"
                  "[series.missing]\nmeasurement = command/run\n"
                  "command = assay-no-such-program\n");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("luck"));
  EXPECT_THAT(finished.out, testing::AllOf(HasSubstr("unsupported"), HasSubstr("'assay-no-such-program'")));
  EXPECT_THAT(left_in_temporary_folder(), IsEmpty()) << "failed or not";
}

TEST_F(Commands, AreKilledWithTheirWorkerWhateverTheyStarted) {
  const Scratch folder;
  const auto finished = run_campaign_text(
      folder, std::string(quick) + "deadline = 300ms\ncommand = sh -c 'sleep 1000.125 & setsid sleep 1000.125'\n");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("timeout"));
  EXPECT_THAT(run_program({"sh", "-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"}).out,
              Not(HasSubstr("sleep 1000.125 ")));
}

TEST_F(Commands, SeveralCampaignsHaveAnAverage) {
  const Scratch folder;
  const std::string ini = std::string(quick) + "command = true\n";
  std::vector<std::string> show{"show"};
  for (const char* name : {"a", "b", "c"}) {
    const auto finished = run_campaign_text(folder, ini, {"--output", folder / name});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    show.push_back(folder / name);
  }
  show.emplace_back("--average");
  const auto averaged = run_assay(show);
  EXPECT_EQ(averaged.exit_code, 0) << averaged.err;
  EXPECT_THAT(averaged.out, HasSubstr("mean      of 3 campaigns' headlines"));
  EXPECT_THAT(averaged.out, HasSubstr("wall"));
  const auto alone = run_assay({"show", folder / "a", "--average"});
  EXPECT_THAT(alone.err, HasSubstr("average"));
  const auto twice = run_assay({"show", folder / "a", folder / "a", "--average"});
  EXPECT_THAT(twice.err, HasSubstr("same"));
}

// As where a kernel has to be booted for a variant.
TEST_F(Commands, VariantsOfSystemsThatTakeTurnsAreMeasuredByResuming) {
  const Scratch folder;
  const std::string which = folder / "kernel";
  const auto boot = [&](const std::string& kernel) { std::ofstream(which) << kernel << '\n'; };
  const std::string ini = "[variant.old]\nsetup = grep -q old " + which + "\n[variant.new]\nsetup = grep -q new " +
                          which + "\n" + quick + "command = true\nvariant = old, new\n";
  boot("old");
  // So many that no disturbed visit leaves a variant with one process.
  const auto first = run_campaign_text(
      folder, ini,
      {"--output", folder / "both", "--set", "precision.rule=fixed:100", "--set", "precision.incarnations=4"});
  EXPECT_EQ(first.exit_code, 0) << first.out;
  EXPECT_THAT(first.out, HasSubstr("set-up"));
  boot("new");
  const auto again = run_assay({"resume", folder / "both"});
  EXPECT_THAT(again.err, HasSubstr("--retry-failed"));
  const auto second = run_assay({"resume", folder / "both", "--retry-failed"});
  EXPECT_EQ(second.exit_code, 0) << second.out << second.err;
  EXPECT_THAT(second.out, HasSubstr("2 points: 2 converged"));
  const auto compared = run_assay({"compare", folder / "both", "--percent"});
  EXPECT_THAT(compared.out, HasSubstr("interleaved"));
  EXPECT_THAT(compared.out, HasSubstr("sequential"));
}

TEST_F(Commands, WhatDiffersAlikeInSeveralSeriesIsToldOnceBesideAnAverage) {
  const Scratch folder;
  const std::string ini =
      std::string(quick) + "command = true\n[series.other]\nmeasurement = command/run\ncommand = true\n";
  for (const char* rule : {"fixed:2", "fixed:3"})
    ASSERT_EQ(
        run_campaign_text(folder, ini, {"--output", folder / rule, "--set", std::string("precision.rule=") + rule})
            .exit_code,
        0);
  const auto averaged = run_assay({"show", folder / "fixed:2", folder / "fixed:3", "--average"});
  EXPECT_EQ(averaged.exit_code, 0) << averaged.err;
  const std::string told = "rule is fixed:2 in " + (folder / "fixed:2") + " and fixed:3 in " + (folder / "fixed:3");
  EXPECT_THAT(averaged.err + averaged.out, HasSubstr(told + " (series other, task)\n"));
  EXPECT_EQ((averaged.err + averaged.out).find("rule is"), (averaged.err + averaged.out).rfind("rule is"));
}

}  // namespace
}  // namespace assay::test
