// SPDX-License-Identifier: Apache-2.0
// Facts: complete, never empty, never a failure as a whole; the small readers they are made of.
#include "platform/machine/machine.hpp"

#include <gmock/gmock-matchers.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "platform/file/machine_files.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::map<std::string, std::string> facts_of(const Topology& topology) {
  std::map<std::string, std::string> facts;
  for (const Fact& fact : machine_facts(topology)) facts[fact.key] = fact.value;
  return facts;
}

TEST(MachineFacts, EachKeyOnceAndNoValueEmpty) {
  const auto facts = machine_facts(Topology::this_machine());
  std::set<std::string> keys;
  for (const Fact& fact : facts) {
    EXPECT_TRUE(keys.insert(fact.key).second) << fact.key;
    EXPECT_FALSE(fact.value.empty()) << fact.key;
    EXPECT_EQ(fact.value.find('\n'), std::string::npos) << fact.key;
  }
  EXPECT_TRUE(std::is_sorted(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) { return a.key < b.key; }));
}

TEST(MachineFacts, TellAllThatTheReaderOfAResultAsksFor) {
  const auto facts = facts_of(Topology::this_machine());
  for (const char* key : {"cpu.model",
                          "cpu.usable",
                          "cpu.topology",
                          "cpu.caches",
                          "cpu.governor",
                          "cpu.turbo",
                          "cpu.smt",
                          "kernel.release",
                          "kernel.version",
                          "kernel.parameters",
                          "kernel.preemption",
                          "libc.version",
                          "libc.threads",
                          "clock.source",
                          "virtual.hypervisor",
                          "virtual.container",
                          "cgroup.cpu_quota",
                          "memory.total",
                          "memory.huge_pages",
                          "memory.page_bytes",
                          "memory.transparent_huge_pages",
                          "process.address_randomisation",
                          "process.scheduling",
                          "limit.processes",
                          "limit.descriptors",
                          "load.average",
                          "system.shell"})
    EXPECT_EQ(facts.count(key), 1U) << key;
}

TEST(MachineFacts, WhatEveryLinuxHasIsRead) {
  const auto facts = facts_of(Topology::this_machine());
  EXPECT_EQ(facts.at("kernel.name"), "Linux");
  EXPECT_THAT(facts.at("system.shell"), StartsWith("/"));
  EXPECT_THAT(facts.at("libc.version"), StartsWith("glibc 2."));
  EXPECT_THAT(facts.at("libc.threads"), StartsWith("NPTL"));
  EXPECT_THAT(facts.at("memory.total"), HasSubstr("kB"));
  EXPECT_EQ(facts.at("memory.page_bytes"), std::to_string(::getpagesize()));
  EXPECT_EQ(facts.at("process.tracer").find("not available"), std::string::npos);
}

TEST(MachineFacts, DescribeTheTopologyGiven) {
  const auto facts = facts_of(Topology::synthetic("pack:2 l3:2 core:4 pu:2"));
  EXPECT_EQ(facts.at("cpu.usable"), "0-31");
  EXPECT_EQ(facts.at("cpu.topology"), "2 packages, 4 L3, 16 cores, 32 PUs; 32 usable");
}

TEST(MachineFacts, UnreadableFactSaysWhy) {
  // No machine has a CPU of that number, so its governor cannot be read.
  const auto facts = facts_of(Topology::synthetic("pack:1 core:1 pu:1(indexes=9999)"));
  EXPECT_THAT(facts.at("cpu.governor"), StartsWith("not available: "));
  EXPECT_THAT(facts.at("cpu.governor"), HasSubstr("cpu9999"));
}

TEST(Preemption, IsWhatTheRunningKernelSaysBeforeWhatItWasBuiltWith) {
  const std::string dynamic = "#1 SMP PREEMPT_DYNAMIC @0";
  const std::string built = "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_VOLUNTARY=y\n";
  EXPECT_EQ(preemption_of({"none voluntary (full) lazy", "none", built, dynamic}), "full");
  EXPECT_EQ(preemption_of({"", "none", built, dynamic}), "none");
  EXPECT_EQ(preemption_of({"", "", built, dynamic}), "voluntary");
  EXPECT_EQ(preemption_of({"", "", "# CONFIG_PREEMPT_NONE is not set\nCONFIG_PREEMPT=y", dynamic}), "full");
  EXPECT_EQ(preemption_of({"", "", "", "#7 SMP PREEMPT_RT Tue"}), "real-time");
  EXPECT_EQ(preemption_of({"", "", "", "#7 SMP PREEMPT Tue"}), "full");
  EXPECT_EQ(preemption_of({"", "", "", "#7 SMP Tue"}), "none or voluntary");
  EXPECT_THROW(preemption_of({"", "", "", dynamic}), PlatformError);
}

TEST(MachineFacts, LimitsAreThoseOfTheProcess) {
  EXPECT_EQ(test::exit_of_child([] {
              const rlimit limit{64, 64};
              ::setrlimit(RLIMIT_NOFILE, &limit);
              return facts_of(Topology::synthetic("pu:1")).at("limit.descriptors") == "64" ? 0 : 1;
            }),
            0);
}

TEST(AvailableMemory, IsThereAndLessThanAll) {
  EXPECT_GT(available_memory(), std::size_t{1} << 20);
  EXPECT_LE(available_memory() / 1024, std::stoull(facts_of(Topology::this_machine()).at("memory.total")));
}

TEST(Labelled, TakesTheFirstLineOfThatLabel) {
  const std::string text = "processor\t: 0\nmodel name\t: Some CPU\nprocessor : 1\n\nMemTotal:   12 kB\nno colon\n";
  EXPECT_EQ(labelled(text, "processor"), "0");
  EXPECT_EQ(labelled(text, "model name"), "Some CPU");
  EXPECT_EQ(labelled(text, "MemTotal"), "12 kB");
  EXPECT_EQ(labelled(text, "model"), "");
  EXPECT_EQ(labelled(text, "no colon"), "");
}

TEST(BracketedWord, IsTheOneChosen) {
  EXPECT_EQ(bracketed_word("always [madvise] never"), "madvise");
  EXPECT_EQ(bracketed_word("tsc hpet"), "tsc hpet");
  EXPECT_EQ(bracketed_word("] odd ["), "] odd [");
}

TEST(TrimmedFile, LosesOnlyTheSpaceAround) {
  const test::Scratch scratch;
  write_file(scratch / "file", " two words \n\n");
  EXPECT_EQ(trimmed_file(scratch / "file"), "two words");
  write_file(scratch / "file", "\n");
  EXPECT_EQ(trimmed_file(scratch / "file"), "");
  EXPECT_THROW(trimmed_file(scratch / "missing"), PlatformError);
}

TEST(ByCpu, OneValueForAllOrEachWithItsCpus) {
  EXPECT_EQ(by_cpu({0}, "topology/physical_package_id").find(':'), std::string::npos);
  EXPECT_THROW(by_cpu({0}, "no_such_file"), PlatformError);
}

}  // namespace
}  // namespace assay
