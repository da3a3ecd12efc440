// SPDX-License-Identifier: Apache-2.0
// `assay cluster` on one machine: with a launcher that starts one rank here, and one that plays several nodes.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;

constexpr const char* lock_campaign = R"([precision]
rule = fixed:8
warm-up = 0ms
incarnations = 2
max-incarnations = 2
too-noisy = 1
[series.lock]
measurement = synthetic/constant
placement = unbound
)";

Finished cluster(const Scratch& folder, const std::string& launcher) {
  std::ofstream(folder / "campaign.ini") << lock_campaign;
  return run_program(
      {assay_program(), "cluster", folder / "campaign.ini", "--launcher", launcher, "--output", folder / "campaign"});
}

TEST(Cluster, OneNodeIsReportedAndKeptAndGoneOnWith) {
  const Scratch folder;
  const Finished first = cluster(folder, "env");
  EXPECT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_THAT(first.out, HasSubstr("node or link"));
  const auto records = campaign_records(folder);
  ASSERT_EQ(points_of(records, "lock").size(), 1U);
  EXPECT_NE(points_of(records, "lock")[0].point.find("node"), nullptr);
  const Finished shown = run_program({assay_program(), "show", folder / "campaign"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(shown.out, first.out);
  const Finished again = cluster(folder, "env");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  const Finished checked = run_program({assay_program(), "journal", "check", folder / "campaign"});
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
}

TEST(Cluster, ALauncherThatFailsIsToldWithItsWords) {
  const Scratch folder;
  const Finished finished = cluster(folder, "false");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("the launch on all nodes exited 1"));
}

TEST(Cluster, OnlyTheCommandItselfGoesOnWithItsResults) {
  const Scratch folder;
  ASSERT_EQ(cluster(folder, "env").exit_code, 0);
  const Finished resumed = run_program({assay_program(), "resume", folder / "campaign"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.err, HasSubstr("contains a cluster's results"));
}

TEST(Cluster, OtherDirectoriesAreNotWrittenTo) {
  const Scratch folder;
  std::filesystem::create_directory(folder / "campaign");
  const Finished finished = cluster(folder, "env");
  EXPECT_EQ(finished.exit_code, 5);
  EXPECT_THAT(finished.err, HasSubstr("contains no cluster's results"));
}

/// Results of nodes n0, n1 and n3, and of n2, which could not measure, gathered by a launcher that starts nothing.
void gather_four_nodes(const Scratch& folder) {
  std::ofstream(folder / "campaign.ini") << lock_campaign;
  for (const char* name : {"n0", "n1", "n3"}) {
    const std::string output = folder / ("campaign/nodes/" + std::string(name));
    std::filesystem::create_directories(folder / "campaign/nodes");
    const Finished run = run_program({assay_program(), "run", folder / "campaign.ini", "--output", output, "--quiet"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  for (const char* name : {"n0", "n1", "n2", "n3"})
    std::ofstream(folder / ("campaign/nodes/" + std::string(name) + ".present")) << "0";
  std::ofstream(folder / "campaign/nodes/n2.problem") << "its disk is full";
  const Finished gathered = cluster(folder, "true");
  ASSERT_EQ(gathered.exit_code, 7) << gathered.out << gathered.err;
}

/// A scontrol that notes what it is asked for, at the head of the path.
std::vector<std::string> with_scontrol(const Scratch& folder, const std::string& state, int ends = 0) {
  std::filesystem::create_directories(folder / "bin");
  const std::string program = folder / "bin/scontrol";
  std::ofstream(program) << "#!/bin/sh\n[ $1 != --oneliner ] || { echo NodeName=$4 State=" << state
                         << "; exit 0; }\necho \"$*\" >>" << (folder / "calls") << "\necho denied >&2\nexit " << ends
                         << "\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return {"PATH=" + (folder / "bin") + ":" + std::getenv("PATH")};
}

std::string calls_of(const Scratch& folder) {
  std::ostringstream text;
  text << std::ifstream(folder / "calls").rdbuf();
  return text.str();
}

constexpr const char* drain_of_n2 =
    "update NodeName=n2 State=DRAIN Reason=assay: lacks results of lock; its disk is full\n";

TEST(ClusterDrain, PrintsWhatWouldDrainANodeAndRunsItOnlyWhenTold) {
  const Scratch folder;
  gather_four_nodes(folder);
  const auto environment = with_scontrol(folder, "IDLE");
  const Finished printed = run_assay({"cluster", "--drain", folder / "campaign"}, environment);
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out,
              HasSubstr("scontrol update NodeName=n2 State=DRAIN Reason=\"assay: lacks results of lock; its "
                        "disk is full\"\n"));
  EXPECT_THAT(printed.out, HasSubstr("# undo: scontrol update NodeName=n2 State=RESUME\n"));
  EXPECT_EQ(calls_of(folder), "");
  const Finished drained = run_assay({"cluster", "--drain", folder / "campaign", "--yes"}, environment);
  EXPECT_EQ(drained.exit_code, 0) << drained.out << drained.err;
  EXPECT_THAT(drained.out, HasSubstr("n2: drained: "));
  EXPECT_EQ(calls_of(folder), drain_of_n2);
}

TEST(ClusterDrain, WhatSlurmRefusesIsReported) {
  const Scratch folder;
  gather_four_nodes(folder);
  const Finished refused =
      run_assay({"cluster", "--drain", folder / "campaign", "--yes"}, with_scontrol(folder, "IDLE", 1));
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.out, HasSubstr("n2: not drained: scontrol exited 1: denied\n"));
  const Finished too_many =
      run_assay({"cluster", "--drain", folder / "campaign", "--yes", "--most", "0"}, with_scontrol(folder, "IDLE"));
  EXPECT_EQ(too_many.exit_code, 5) << too_many.out;
  const Finished others = run_assay({"cluster", "--drain", folder / "campaign", "--yes"},
                                    with_scontrol(folder, "DOWN+DRAIN Reason=broken fan"));
  EXPECT_EQ(others.exit_code, 0);
  EXPECT_THAT(others.out, HasSubstr("n2: drained already: broken fan\n"));
  EXPECT_EQ(calls_of(folder), drain_of_n2) << "the one that was refused";
}

TEST(ClusterDrain, MeasuresNothingAndRefusesWhatWould) {
  const Scratch folder;
  EXPECT_EQ(run_assay({"cluster", "--drain", folder / "campaign"}).exit_code, 2);
  ASSERT_EQ(run_campaign_text(folder, lock_campaign).exit_code, 0);
  const Finished plain = run_assay({"cluster", "--drain", folder / "campaign"});
  EXPECT_EQ(plain.exit_code, 2);
  EXPECT_THAT(plain.err, HasSubstr("contains no cluster's results"));
  EXPECT_EQ(run_assay({"cluster", folder / "campaign.ini", "--drain", folder / "campaign"}).exit_code, 2);
  EXPECT_EQ(run_assay({"cluster", "--drain", folder / "campaign", "--launches", "2"}).exit_code, 2);
  EXPECT_EQ(run_assay({"cluster", folder / "campaign.ini", "--yes"}).exit_code, 2);
}

TEST(ClusterCheck, IsAPluginOfMonitors) {
  const Scratch folder;
  gather_four_nodes(folder);
  const Finished critical = run_assay({"check", folder / "campaign"});
  EXPECT_EQ(critical.exit_code, 2);
  EXPECT_THAT(critical.out,
              testing::StartsWith("ASSAY CRITICAL - 4 nodes compared; 1 lacking: n2 (lock; its disk is full)"));
  EXPECT_THAT(critical.out, HasSubstr(" | 'nodes'=4;;;0 'slow'=0;;0;0;4 'lacking'=1;;0;0;4 "));
  const Finished good = run_assay({"check", folder / "campaign/nodes/n0"});
  EXPECT_EQ(good.exit_code, 0) << good.out;
  EXPECT_THAT(good.out, testing::StartsWith("ASSAY OK - 1 point"));
  for (const auto& wrong :
       {std::vector<std::string>{"check", folder / "nothing"}, {"check"}, {"check", "--no-option"}}) {
    const Finished unknown = run_assay(wrong);
    EXPECT_EQ(unknown.exit_code, 3);
    EXPECT_THAT(unknown.out, testing::StartsWith("ASSAY UNKNOWN - "));
  }
}

TEST(ClusterExport, NamesOfNodesAreLeftOutWhereThatIsAskedFor) {
  const Scratch folder;
  gather_four_nodes(folder);
  for (const char* format : {"cluster-json", "prometheus", "csv-long"}) {
    const Finished named = run_assay({"export", folder / "campaign", "--format", format});
    EXPECT_THAT(named.out, HasSubstr("n2")) << format;
    const Finished anonymous = run_assay({"export", folder / "campaign", "--format", format, "--anonymous"});
    EXPECT_EQ(anonymous.exit_code, 0) << anonymous.err;
    EXPECT_THAT(anonymous.out, testing::Not(testing::ContainsRegex("[^a-z0-9]n[0-3][^a-z0-9]"))) << format;
    EXPECT_THAT(anonymous.out, HasSubstr("anon-"));
  }
}

TEST(ClusterExport, AFileForTheNodeExporterIsReplacedAtOnce) {
  const Scratch folder;
  gather_four_nodes(folder);
  const std::string file = folder / "assay.prom";
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(run_assay({"export", folder / "campaign", "--format", "prometheus", "--output", file}).exit_code, 0);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("assay_node_verdict{node=\"n2\",assay_node_verdict=\"lacking\"} 1\n"));
  EXPECT_THAT(text.str(), testing::Not(HasSubstr("stateset")));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    files += entry.path().filename().string().starts_with("assay.prom") ? 1U : 0U;
  EXPECT_EQ(files, 1U) << "no temporary file is left";
}

}  // namespace
}  // namespace assay::test
