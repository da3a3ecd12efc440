// SPDX-License-Identifier: Apache-2.0
// Crates: written whole, the same for the same records, consistent in themselves, and refused when they are not.
#include "record/crate/crate.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/rng.hpp"
#include "golden/samples/record_samples.hpp"
#include "record/crate/crate_time.hpp"
#include "record/journal/journal.hpp"
#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"
#include "text/json.hpp"
#include "unit/record/results.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

SessionRecord session_on(int number, const std::string& started, const std::string& model) {
  return {number,
          started,
          "assay run laws.ini --output 'a b'",
          {{"assay.version", "0.1.0"},
           {"assay.revision", "abc"},
           {"cpu.model", model},
           {"kernel.release", "6.1"},
           {"topology.xml", "<long/>"},
           {"check.G-GOV", "problem (warn): governor powersave"}}};
}

// Two sessions on two machines, the second of which was stopped.
std::vector<Record> two_sessions() {
  return {CampaignRecord{"laws | of", "[campaign]\ntitle = laws\nseed = 7\n", 7, "interleaved", "id"},
          session_on(0, "2026-12-31T23:59:50Z", "first cpu"),
          SeriesRecord{"s", "logp/round_trip", {Quantity{}}, "median-ci(eps=0.02)"},
          test::finished_point("s", test::point_of({{"bytes", std::int64_t{64}}}), test::plain_result(100, 0.01)),
          EndRecord{0, "complete", 1, 0, seconds(20)},
          session_on(1, "2027-01-02T00:00:00Z", "second cpu"),
          EndRecord{1, "time-limit", 0, 0, seconds(5)}};
}

/// A campaign on disk, and the crate of it.
class Crates : public testing::Test {
 protected:
  void SetUp() override {
    write(two_sessions());
    remarks_ = write_crate(crate(), campaign(), two_sessions(), options_);
  }
  void write(const std::vector<Record>& records) const {
    const test::FakeClock clock;
    Journal journal(campaign(), clock);
    for (const Record& record : records) journal.write(record);
  }
  std::string campaign() const { return scratch_ / "campaign"; }
  std::string crate() const { return scratch_ / "crate"; }
  std::string file(const std::string& name) const { return read_file(crate() + '/' + name, 1U << 20U); }
  void put(const std::string& name, const std::string& content) const { write_file(crate() + '/' + name, content); }
  /// The entities by identifier.
  std::map<std::string, Json> entities() const {
    std::map<std::string, Json> all;
    const Json graph = parse_json(file(crate_metadata_name));
    for (const Json& entity : graph.at("@graph").array()) all[entity.at("@id").string()] = entity;
    return all;
  }
  /// What reading the crate is refused with.
  std::string refusal() const {
    try {
      read_crate("assay reproduce", crate());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }

  const CrateOptions options_{"CC-BY-4.0", {{"Jane Doe", "https://orcid.org/0000-0002-1825-0097"}, {"N. N.", ""}}};
  const test::Scratch scratch_;
  Remarks remarks_;
};

// Every {"@id": ...} in a value.
void collect_ids(const Json& value, std::set<std::string>& ids) {
  value.visit([&](const auto& what) {
    using What = std::decay_t<decltype(what)>;
    if constexpr (std::is_same_v<What, Json::Array>)
      for (const Json& one : what) collect_ids(one, ids);
    if constexpr (std::is_same_v<What, Json::Object>)
      for (const auto& [key, member] : what) {
        if (key == "@id") ids.insert(member.string());
        collect_ids(member, ids);
      }
  });
}

TEST_F(Crates, EveryEntityThatIsReferredToIsThere) {
  const auto all = entities();
  std::set<std::string> used;
  for (const auto& [id, entity] : all) collect_ids(entity, used);
  for (const std::string& id : used) EXPECT_TRUE(all.contains(id) || id == crate_specification) << id;
  EXPECT_EQ(all.at("ro-crate-metadata.json").at("conformsTo").at("@id").string(), crate_specification);
  EXPECT_EQ(all.at("./").at("conformsTo").at("@id").string(), crate_profile);
}

TEST_F(Crates, TheFolderHasExactlyTheFilesThatTheMetadataName) {
  const auto all = entities();
  std::set<std::string> named{crate_metadata_name};
  for (const Json& part : all.at("./").at("hasPart").array()) named.insert(part.at("@id").string());
  std::set<std::string> there;
  for (const auto& entry : fs::directory_iterator(crate())) there.insert(entry.path().filename().string());
  EXPECT_EQ(named, there);
  for (const std::string& name : named) {
    if (name == crate_metadata_name) continue;
    EXPECT_EQ(all.at(name).at("contentSize").string(), std::to_string(file(name).size())) << name;
  }
  EXPECT_EQ(file(crate_campaign_name), "[campaign]\ntitle = laws\nseed = 7\n");
  EXPECT_EQ(file(journal_name), read_file(journal_file(campaign()), 1U << 20U));
}

TEST_F(Crates, AnActionHasProgramTimesMachineAndAgent) {
  const auto all = entities();
  const Json& first = all.at("#session-1");
  EXPECT_EQ(first.at("startTime").string(), "2026-12-31T23:59:50+00:00");
  EXPECT_EQ(first.at("endTime").string(), "2027-01-01T00:00:10+00:00");
  EXPECT_EQ(all.at(first.at("instrument").at("@id").string()).at("softwareVersion").string(), "0.1.0");
  EXPECT_EQ(all.at(first.at("agent").at("@id").string()).at("name").string(), "Jane Doe");
  EXPECT_EQ(first.at("actionStatus").string(), "http://schema.org/CompletedActionStatus");
  EXPECT_EQ(all.at("#session-2").at("error").string(), "the session ended early: time-limit");
  EXPECT_EQ(all.at("./").at("datePublished").string(), "2027-01-02T00:00:05+00:00");
}

TEST_F(Crates, FactsAreValuesOfTheSessionsThatHadThem) {
  const auto all = entities();
  const auto has = [&](const char* session, const char* fact) {
    std::set<std::string> ids;
    collect_ids(all.at(session).at("object"), ids);
    return ids.contains(fact);
  };
  EXPECT_EQ(all.at("#fact-cpu.model").at("value").string(), "first cpu");
  EXPECT_EQ(all.at("#fact-cpu.model-2").at("value").string(), "second cpu");
  EXPECT_TRUE(has("#session-1", "#fact-cpu.model") && !has("#session-1", "#fact-cpu.model-2"));
  EXPECT_TRUE(has("#session-2", "#fact-cpu.model-2") && has("#session-2", "#fact-kernel.release"));
  EXPECT_FALSE(all.contains("#fact-kernel.release-2"));
  EXPECT_FALSE(all.contains("#fact-topology.xml"));
  EXPECT_EQ(parse_json(file(crate_facts_name)).at("sessions").array()[1].at("facts").at("cpu.model").string(),
            "second cpu");
}

TEST_F(Crates, TheSameCampaignIsTheSameCrate) {
  write_crate(scratch_ / "again", campaign(), two_sessions(), options_);
  for (const auto& entry : fs::directory_iterator(crate())) {
    const std::string name = entry.path().filename().string();
    EXPECT_EQ(file(name), read_file(scratch_ / ("again/" + name), 1U << 20U)) << name;
  }
}

TEST_F(Crates, NothingIsWrittenOverAndNothingIsLeftBehind) {
  const std::string before = file(crate_metadata_name);
  EXPECT_THROW(write_crate(crate(), campaign(), {}, {}), ResultError);
  EXPECT_EQ(file(crate_metadata_name), before);
  EXPECT_THROW(write_crate(scratch_ / "nowhere/crate", campaign(), {}, {}), StorageError);
  EXPECT_THROW(write_crate(scratch_ / "other", scratch_ / "absent", {}, {}), PlatformError);
  std::set<std::string> there;
  for (const auto& entry : fs::directory_iterator(scratch_.path())) there.insert(entry.path().filename().string());
  EXPECT_EQ(there, (std::set<std::string>{"campaign", "crate"}));
}

TEST_F(Crates, WhatTheAuthorsDidNotSayIsRemarked) {
  EXPECT_TRUE(remarks_.empty());
  const Remarks remarks = write_crate(scratch_ / "bare", campaign(), two_sessions(), {});
  EXPECT_THAT(remarks, ElementsAre(HasSubstr("--author"), HasSubstr("--license")));
  const std::string metadata = read_file(scratch_ / "bare/ro-crate-metadata.json", 1U << 20U);
  EXPECT_THAT(metadata, AllOf(HasSubstr("#no-license"), Not(HasSubstr("agent"))));
}

TEST_F(Crates, ReadsBack) {
  const ReadCrate read = read_crate("assay reproduce", crate());
  EXPECT_EQ(read.title, "laws | of");
  EXPECT_EQ(read.version, "0.1.0");
  EXPECT_EQ(read.configuration, file(crate_campaign_name));
}

TEST_F(Crates, DamageIsLocated) {
  const std::string whole = file(crate_campaign_name);
  put(crate_campaign_name, "[campaign]\ntitle = laws\nseed = 8\n");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("campaign.ini"), HasSubstr("SHA-256")));
  put(crate_campaign_name, whole);
  EXPECT_EQ(refusal(), "");
  fs::resize_file(crate() + '/' + journal_name, 100);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("journal.jsonl"), HasSubstr("100 bytes")));
  fs::remove(crate() + '/' + journal_name);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("journal.jsonl"), HasSubstr("is missing")));
  put(crate_metadata_name, file(crate_metadata_name).substr(0, 200));
  EXPECT_THAT(refusal(), HasSubstr("ro-crate-metadata.json"));
  fs::remove(crate() + '/' + crate_metadata_name);
  EXPECT_THAT(refusal(), HasSubstr("holds no RO-Crate"));
}

TEST_F(Crates, ForeignCratesAreRefused) {
  const std::string whole = file(crate_metadata_name);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    put(crate_metadata_name, text);
    return refusal();
  };
  EXPECT_THAT(changed("wfrun/process", "wfrun/workflow"), HasSubstr("no Process Run Crate"));
  EXPECT_THAT(changed("\"name\":\"Assay\"", "\"name\":\"Other\""), HasSubstr("is Assay"));
  EXPECT_THAT(changed("\"@id\":\"campaign.ini\"", "\"@id\":\"../campaign.ini\""), HasSubstr("campaign.ini"));
  EXPECT_THAT(changed("\"@id\":\"results.csv\"", "\"@id\":\"../results.csv\""), HasSubstr("not in the crate's folder"));
  EXPECT_THAT(changed("\"@graph\"", "\"graph\""), HasSubstr("@graph"));
}

TEST_F(Crates, ChangedMetadataAreReadOrRefusedAndNothingElse) {
  const std::string whole = file(crate_metadata_name);
  Rng rng(1);
  const auto below = [&](std::size_t limit) {
    return static_cast<std::size_t>(rng.uniform() * static_cast<double>(limit));
  };
  constexpr std::string_view bytes = "{}[]\",:@./#0a\x80";
  for (int i = 0; i < 300; ++i) {
    std::string text = whole;
    for (int change = 0; change <= i % 4; ++change) text[below(text.size())] = bytes[below(bytes.size())];
    if (i % 5 == 0) text.resize(below(text.size()));
    put(crate_metadata_name, text);
    try {
      read_crate("assay reproduce", crate());
    } catch (const ResultError& error) {
      EXPECT_THAT(error.what(), HasSubstr(crate()));
    }
  }
}

TEST(CrateText, DescriptionSaysWhatPapersNeed) {
  const std::string text = artifact_description(two_sessions(), {"CC-BY-4.0", {{"Jane Doe", ""}}});
  for (const char* part :
       {"# Artifact description: laws \\| of", "Jane Doe", "CC-BY-4.0", "first cpu (session 1); second cpu (session 2)",
        "G-GOV", "| seed | 7 |", "assay reproduce", "1 converged", "| time-limit |", "| s | logp/round",
        "not-converged", "median-ci(eps=0.02)", "25 s"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(artifact_description(test::sample_records(), {}), HasSubstr("[authors]"));
}

TEST(CrateText, HostileNamesAreInert) {
  auto records = two_sessions();
  std::get<CampaignRecord>(records.front()).title = "<script>\x1b[31m | `x`\n# y";
  std::get<SessionRecord>(records[1]).command_line = "assay run '</script>\x07'";
  const std::string text = artifact_description(records, {});
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) EXPECT_EQ(text.at(at - 1), '\\');
  EXPECT_THAT(text, Not(HasSubstr("\n# y")));
  for (const char letter : text) EXPECT_TRUE(letter == '\n' || static_cast<unsigned char>(letter) >= ' ');
  const std::string metadata = crate_metadata(records, {}, {}, {});
  EXPECT_NO_THROW(parse_json(metadata));
  for (const char letter : metadata) EXPECT_TRUE(letter == '\n' || static_cast<unsigned char>(letter) >= ' ');
}

TEST(CrateText, TimesArePassedOverDaysAndRefusedWhereTheyAreNone) {
  EXPECT_EQ(time_after("2028-02-28T23:00:00Z", seconds(7200)), "2028-02-29T01:00:00+00:00");
  EXPECT_EQ(time_after("2027-02-28T23:00:00Z", seconds(7200)), "2027-03-01T01:00:00+00:00");
  for (const char* none : {"", "yesterday", "2027-02-30T00:00:00Z", "2027-02-28T23:00:00+01:00"})
    EXPECT_FALSE(time_after(none, {})) << none;
}

TEST(CrateText, AuthorsAndLicenses) {
  const CrateAuthor author = parse_author(" Jane Doe <https://orcid.org/0000-0002-1825-0097>", {});
  EXPECT_EQ(author.name, "Jane Doe");
  EXPECT_EQ(author.id, "https://orcid.org/0000-0002-1825-0097");
  for (const char* none : {"", "<https://orcid.org/1>", "Jane <1>", "Jane <https://orcid.org/1", "Jane <https://a b>"})
    EXPECT_THROW(parse_author(none, {}), ConfigError) << none;
  EXPECT_EQ(parse_license("CC-BY-4.0", {}), "CC-BY-4.0");
  for (const char* none : {"", "CC BY", "http://x", "https://x y"}) EXPECT_THROW(parse_license(none, {}), ConfigError);
}

}  // namespace
}  // namespace assay
