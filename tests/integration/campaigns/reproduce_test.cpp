// SPDX-License-Identifier: Apache-2.0
// Campaigns exported as crates and run again: `export --format ro-crate` and `reproduce`.
#include <gmock/gmock-matchers.h>

#include <filesystem>
#include <memory>

#include "platform/file/append_file.hpp"
#include "support/campaigns/law_campaign.hpp"
#include "support/machines/fake_clock.hpp"
#include "support/programs/program.hpp"
#include "text/json.hpp"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// One campaign for all tests; its crate is exported from what they make of its records.
class Reproduce : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    measured_ = std::make_unique<Scratch>();
    finished_ = run_campaign_text(*measured_, law_campaign);
  }
  static void TearDownTestSuite() { measured_.reset(); }
  void SetUp() override { ASSERT_EQ(finished_.exit_code, 0) << finished_.err; }

  /// A crate of the campaign, as it was or with its records changed.
  std::string crate(const std::function<void(Record&)>& change = {}) const {
    std::string campaign = *measured_ / "campaign";
    if (change) {
      campaign = folder_ / "changed";
      const FakeClock clock;
      Journal journal(campaign, clock);
      for (Record record : campaign_records(*measured_)) {
        change(record);
        journal.write(record);
      }
    }
    const Finished done = run_assay({"export", campaign, "--format", "ro-crate", "--output", folder_ / "crate",
                                     "--author", "Jane Doe", "--license", "CC-BY-4.0"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.err, "");
    return folder_ / "crate";
  }
  /// The same with another campaign file.
  std::string crate_of(const std::string& from, const std::string& to) const {
    return crate([&](Record& record) {
      auto* campaign = std::get_if<CampaignRecord>(&record);
      if (campaign == nullptr) return;
      const auto at = campaign->configuration.find(from);
      ASSERT_NE(at, std::string::npos) << campaign->configuration;
      campaign->configuration.replace(at, from.size(), to);
    });
  }
  Finished reproduce(const std::string& crate, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> all{"reproduce", crate, "--output", folder_ / "again"};
    all.insert(all.end(), options.begin(), options.end());
    return run_assay(all);
  }

  const Scratch folder_;
  static inline std::unique_ptr<Scratch> measured_;
  static inline Finished finished_;
};

// As if a point had been faster then.
void speed_up(Record& record, double by) {
  auto* point = std::get_if<PointRecord>(&record);
  if (point == nullptr || point->point.text("median") != "1000") return;
  for (Result& result : point->results) {
    result.headline.value /= by;
    for (IncarnationMedian& process : result.processes) process.value /= by;
  }
}

TEST_F(Reproduce, TheSameCampaignIsTheSame) {
  const Finished done = reproduce(crate());
  EXPECT_EQ(done.exit_code, 0) << done.err << done.out;
  EXPECT_THAT(done.out, AllOf(HasSubstr("2 results compared: 2 same, 0 different, 0 unclear"),
                              HasSubstr("Nothing that is recorded of machine")));
  // Its seed is the crate's.
  const auto of = [](const std::string& folder) { return read_journal(folder).records; };
  EXPECT_EQ(std::get<CampaignRecord>(of(folder_ / "again").front()).seed, 1U);
}

TEST_F(Reproduce, AChangeIsADifference) {
  const Finished done = reproduce(crate([](Record& record) { speed_up(record, 1.2); }));
  EXPECT_EQ(done.exit_code, 6) << done.err << done.out;
  EXPECT_THAT(done.out, HasSubstr("2 results compared: 1 same, 1 different, 0 unclear"));
  const Finished tolerant = reproduce(folder_ / "crate", {"--margin", "50%"});
  EXPECT_EQ(tolerant.exit_code, 0) << tolerant.out;
}

TEST_F(Reproduce, OtherMachinesAreComparedAndNamed) {
  const Finished done = reproduce(crate([](Record& record) {
    auto* session = std::get_if<SessionRecord>(&record);
    if (session == nullptr) return;
    for (auto& [key, value] : session->facts)
      if (key == "cpu.model") value = "another processor";
  }));
  EXPECT_EQ(done.exit_code, 0) << done.err << done.out;
  EXPECT_THAT(done.out, AllOf(HasSubstr("Machine, system or program differ:"),
                              HasSubstr("cpu.model: another processor then"), HasSubstr("2 same")));
}

TEST_F(Reproduce, WithoutAPluginTheRestIsRun) {
  const Finished done = reproduce(crate_of("durability = point\n",
                                           "durability = point\nplugins = /nowhere/gone.so\n\n[series.extra]\n"
                                           "measurement = gone/measurement\nrule = median-ci\n"));
  EXPECT_EQ(done.exit_code, 0) << done.err << done.out;
  EXPECT_THAT(done.out, AllOf(HasSubstr("Not run here:"), HasSubstr("extra: "), HasSubstr("/nowhere/gone.so"),
                              HasSubstr("2 same"), HasSubstr("1 not run here")));
}

TEST_F(Reproduce, WithoutAPlacementThatIsSaid) {
  const Finished done = reproduce(crate_of("placement = unbound", "placement = cpu:4095"));
  EXPECT_EQ(done.exit_code, 5) << done.err << done.out;
  EXPECT_THAT(done.err, AllOf(HasSubstr("nothing of its campaign can be run"), HasSubstr("law: "), HasSubstr("4095")));
}

TEST_F(Reproduce, WithoutOnePlacementTheOthersAreRun) {
  const Finished done = reproduce(crate_of("placement = unbound", "placement = unbound, cpu:4095"));
  EXPECT_EQ(done.exit_code, 0) << done.err << done.out;
  EXPECT_THAT(done.out, AllOf(HasSubstr("law: "), HasSubstr("4095"), HasSubstr("2 same"), HasSubstr("1 not run here")));
}

TEST_F(Reproduce, TheSameCommandContinuesAndCompares) {
  const std::string whole = crate();
  const Finished stopped = reproduce(whole, {"--time-limit", "1ms"});
  EXPECT_EQ(stopped.exit_code, 75) << stopped.err;
  const Finished done = reproduce(whole);
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("2 same"));
  EXPECT_THAT(reproduce(whole).out, HasSubstr("2 same"));
}

TEST_F(Reproduce, JsonIsForPrograms) {
  const Finished done =
      reproduce(crate([](Record& record) { speed_up(record, 1.2); }), {"--format", "json", "--quiet"});
  EXPECT_EQ(done.exit_code, 6) << done.err;
  const Json found = parse_json(done.out);
  EXPECT_EQ(found.at("kind").string(), "reproduction");
  EXPECT_EQ(found.at("different").integer(), 1);
  ASSERT_EQ(found.at("rows").array().size(), 2U);
  EXPECT_EQ(found.at("rows").array().front().at("verdict").string(), "different");
  EXPECT_NEAR(found.at("rows").array().front().at("shift").number(), 1.2, 0.02);
}

TEST_F(Reproduce, PartsAndSettingsCanBeChosen) {
  const std::string whole = crate();
  EXPECT_EQ(reproduce(whole, {"--series", "lwa"}).exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "again"));
  const Finished done = reproduce(whole, {"--series", "law", "--quick", "--set", "series.law.incarnations=6"});
  EXPECT_THAT(done.out, HasSubstr("2 results compared"));
}

TEST_F(Reproduce, DamageAndForeignersAreLocated) {
  const std::string whole = crate();
  write_file(whole + "/campaign.ini", "[campaign]\n");
  const Finished damaged = reproduce(whole);
  EXPECT_EQ(damaged.exit_code, 5);
  EXPECT_THAT(damaged.err, AllOf(HasSubstr("campaign.ini"), HasSubstr("bytes")));
  write_file(whole + "/ro-crate-metadata.json", R"({"@graph": [{"@id": "./", "@type": "Dataset"}]})");
  const Finished foreign = reproduce(whole);
  EXPECT_EQ(foreign.exit_code, 5);
  EXPECT_THAT(foreign.err, AllOf(HasSubstr("ro-crate-metadata.json"), HasSubstr("no Process Run Crate")));
  EXPECT_EQ(reproduce(*measured_ / "campaign").exit_code, 2);
  EXPECT_EQ(reproduce(folder_ / "absent").exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "again"));
}

TEST_F(Reproduce, ACrateIsNotWrittenOverAndIsAlsoACampaign) {
  const std::string whole = crate();
  const Finished again = run_assay({"export", *measured_ / "campaign", "--format", "ro-crate", "--output", whole});
  EXPECT_EQ(again.exit_code, 5);
  EXPECT_THAT(again.err, HasSubstr("exists already"));
  EXPECT_EQ(run_assay({"export", *measured_ / "campaign", "--format", "ro-crate"}).exit_code, 2);
  EXPECT_EQ(run_assay({"export", *measured_ / "campaign", "--format", "csv", "--license", "CC0-1.0"}).exit_code, 2);
  EXPECT_EQ(run_assay({"show", whole}).out, run_assay({"show", *measured_ / "campaign"}).out);
}

TEST_F(Reproduce, ResultsOfAClusterAreManyCampaigns) {
  fs::create_directories(folder_ / "cluster/nodes");
  fs::copy_file(*measured_ / "campaign/journal.jsonl", folder_ / "cluster/journal.jsonl");
  const Finished done =
      run_assay({"export", folder_ / "cluster", "--format", "ro-crate", "--output", folder_ / "crate"});
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_THAT(done.err, HasSubstr("nodes/NAME"));
}

}  // namespace
}  // namespace assay::test
