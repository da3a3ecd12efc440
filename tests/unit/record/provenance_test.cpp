// SPDX-License-Identifier: Apache-2.0
// Provenance: which facts there are, and that they survive the journal.
#include "record/provenance.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <set>

#include "record/journal/codec.hpp"

namespace assay {
namespace {

std::string fact(const Facts& facts, const std::string& key) {
  for (const auto& [name, value] : facts)
    if (name == key) return value;
  return {};
}

TEST(Provenance, BuildFactsAreComplete) {
  const Facts facts = build_facts();
  for (const char* key :
       {"assay.version", "assay.revision", "build.compiler", "build.flags", "build.type", "build.library"})
    EXPECT_NE(fact(facts, key), "") << key;
  EXPECT_THAT(fact(facts, "assay.version"), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(fact(facts, "build.flags"), ::testing::HasSubstr("-std=c++20"));
}

TEST(Provenance, CompilerIsTheOneThatCompiles) {
  const std::string compiler = fact(build_facts(), "build.compiler");
  EXPECT_THAT(__VERSION__, ::testing::HasSubstr(compiler.substr(compiler.find(' ') + 1)));
}

TEST(Provenance, VersionLineNamesCompilerAndBuildType) {
  const Facts facts = build_facts();
  EXPECT_EQ(version_line(), "assay " + fact(facts, "assay.version") + " (" + fact(facts, "build.compiler") + ", " +
                                fact(facts, "build.type") + ")");
}

TEST(Provenance, SessionHasBuildMachineClockAndTopology) {
  const Facts facts = session_facts(Topology::synthetic("pack:1 core:2 pu:1"));
  for (const char* key : {"assay.version", "cpu.model", "kernel.release", "clock.step_ns", "clock.read_cost_ns",
                          "clock.counter", "topology.summary", "topology.xml"})
    EXPECT_NE(fact(facts, key), "") << key;
  EXPECT_THAT(fact(facts, "topology.xml"), ::testing::HasSubstr("<topology"));
}

TEST(Provenance, KeysAreUnique) {
  std::set<std::string> keys;
  for (const auto& [key, value] : session_facts(Topology::synthetic("pack:1 core:2 pu:1")))
    EXPECT_TRUE(keys.insert(key).second) << key;
}

TEST(Provenance, FactsReadBackFromTheJournal) {
  const Record record = SessionRecord{0, "now", "assay run", session_facts(Topology::synthetic("core:2 pu:1"))};
  const Record back = decode(parse_json(to_text(encode(record))));
  EXPECT_EQ(std::get<SessionRecord>(back).facts, std::get<SessionRecord>(record).facts);
}

}  // namespace
}  // namespace assay
