// SPDX-License-Identifier: Apache-2.0
// Real campaigns that are interrupted, repeated, changed and moved.
#include <gmock/gmock-matchers.h>

#include <filesystem>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/file/append_file.hpp"
#include "platform/machine/identity.hpp"
#include "record/journal/anonymous.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace assay::test {
namespace {

constexpr const char* resumed_campaign = R"(# laws
[precision]
warm-up = 0ms
incarnations = 3
[series.laws]
measurement = synthetic/normal
median = 1000, 2000, 3000
placement = unbound
)";

std::string journal_of(const Scratch& folder) { return read_file((folder / "campaign") + "/journal.jsonl", 1U << 26U); }

/// Writes the journal anew from its records, after a change to them, as another machine or an accident could have left
/// them.
void rewrite(const Scratch& folder, const std::function<void(std::vector<Record>&)>& change) {
  auto records = campaign_records(folder);
  change(records);
  std::filesystem::remove_all(folder / "campaign");
  const MonotonicClock clock;
  Journal journal(folder / "campaign", clock);
  for (const Record& record : records) journal.write(record);
}

/// Cuts the journal after so many finished points and a few visits more.
void lose_after(const Scratch& folder, int points) {
  rewrite(folder, [&](std::vector<Record>& records) {
    std::size_t end = 0;
    for (int found = 0; end < records.size() && found < points; ++end)
      found += std::holds_alternative<PointRecord>(records[end]) ? 1 : 0;
    records.resize(end);
  });
}

std::set<std::string> texts_of(const std::vector<PointRecord>& points) {
  std::set<std::string> texts;
  for (const PointRecord& point : points) texts.insert(to_text(point.point));
  return texts;
}

Finished run_again(const Scratch& folder, const std::string& ini, const std::vector<std::string>& options = {}) {
  return run_campaign_text(folder, ini, options);
}

TEST(ResumedCampaign, GoesOnWithWhatIsUnfinished) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, resumed_campaign).exit_code, 0);
  lose_after(folder, 1);
  const auto kept = points_of(campaign_records(folder), "laws");
  const auto resumed = run_assay({"resume", folder / "campaign"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const auto records = campaign_records(folder);
  const auto points = points_of(records, "laws");
  EXPECT_EQ(points.size(), 3U) << "a finished point is not measured again";
  EXPECT_EQ(texts_of(points).size(), 3U);
  EXPECT_EQ(points.front().results.at(0).headline.value, kept.front().results.at(0).headline.value);
  EXPECT_TRUE(records_of<SessionRecord>(records).at(1).continues);
  EXPECT_EQ(points.back().results.at(0).stretches, 2);
  EXPECT_THAT(resumed.out, testing::HasSubstr("in 2 parts"));
}

TEST(ResumedCampaign, StaysAnonymousAndFindsWhatItsNamesStoodFor) {
  const Scratch folder;
  const auto names = own_names();
  ASSERT_FALSE(names.empty()) << "this host has no name";
  const std::string& name = names.front();
  const auto names_nobody = [&](const std::string& text) { return Anonymizer(names)(text) == text; };
  // The host's name in a path that the program needs, and in what the records are about.
  std::filesystem::create_directory(folder / name);
  std::filesystem::copy_file(example_plugin_path(), (folder / name) + "/turn.so");
  std::string text = resumed_campaign;
  text.replace(text.find("laws]"), 4, name);
  const std::string ini = "[campaign]\nplugins = " + (folder / name) + "/turn.so\n" + text;
  ASSERT_EQ(run_campaign_text(folder, ini, {"--anonymous"}).exit_code, 0);
  EXPECT_TRUE(names_nobody(journal_of(folder)));
  lose_after(folder, 1);
  const auto resumed = run_assay({"resume", folder / "campaign"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(names_nobody(resumed.out)) << resumed.out;
  const auto records = campaign_records(folder);
  const auto points = points_of(records, anonymous_name(name));
  EXPECT_EQ(texts_of(points).size(), 3U);
  EXPECT_EQ(points.size(), 3U) << "a finished point is not measured again";
  EXPECT_TRUE(records_of<SessionRecord>(records).at(1).continues);
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder / "campaign"))
    if (file.is_regular_file()) {
      EXPECT_TRUE(names_nobody(read_file(file.path(), 1U << 26U))) << file.path();
    }
  const auto again = run_again(folder, ini, {"--anonymous"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, testing::HasSubstr("Everything is measured already"));
}

TEST(ResumedCampaign, AddsNothingWhereEverythingIsMeasured) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, resumed_campaign).exit_code, 0);
  const std::string before = journal_of(folder);
  const auto resumed = run_assay({"resume", folder / "campaign"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, testing::HasSubstr("Everything is measured already"));
  EXPECT_THAT(resumed.out, testing::HasSubstr("converged"));
  const auto repeated = run_again(folder, "# the same, said otherwise\r\n" + std::string(resumed_campaign));
  EXPECT_EQ(repeated.exit_code, 0) << repeated.err;
  EXPECT_EQ(journal_of(folder), before);
}

TEST(ResumedCampaign, TheSameCommandContinues) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, resumed_campaign).exit_code, 0);
  lose_after(folder, 2);
  const auto again = run_again(folder, "[campaign]\ntitle = other\ntime-limit = 1h\n" + std::string(resumed_campaign));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(points_of(campaign_records(folder), "laws").size(), 3U);
}

TEST(ResumedCampaign, AnotherMeaningIsRefusedAndNamed) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, resumed_campaign).exit_code, 0);
  const std::string before = journal_of(folder);
  const std::string other = std::string(resumed_campaign) + "eps = 1%\nspread = 0.1\n";
  const auto refused = run_again(folder, other);
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_THAT(refused.err, testing::HasSubstr("series.laws.spread"));
  EXPECT_THAT(refused.err, testing::HasSubstr("series.laws.rule"));
  EXPECT_THAT(refused.err, testing::HasSubstr("--resume"));
  EXPECT_EQ(journal_of(folder), before);
}

TEST(ResumedCampaign, ANewPlanAddsPointsAndKeepsWhatItNoLongerHas) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, resumed_campaign).exit_code, 0);
  std::string other = resumed_campaign;
  other.replace(other.find("1000, 2000"), 10, "2000, 4000");
  const auto again = run_again(folder, other, {"--resume"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const auto records = campaign_records(folder);
  EXPECT_EQ(points_of(records, "laws").size(), 4U) << "only the new point is measured";
  EXPECT_THAT(again.out, testing::HasSubstr("not in the current plan, but kept: series laws: median=1000"));
  const std::string before = journal_of(folder);
  EXPECT_EQ(run_assay({"resume", folder / "campaign"}).exit_code, 0);
  EXPECT_EQ(journal_of(folder), before) << "the new plan is the campaign's from now on";
}

TEST(Faults, F41_another_machine_is_refused_and_gets_a_session_of_its_own_on_demand) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, resumed_campaign).exit_code, 0);
  rewrite(folder, [](std::vector<Record>& records) {
    for (Record& record : records)
      if (auto* session = std::get_if<SessionRecord>(&record))
        for (auto& [key, value] : session->facts)
          if (key == "cpu.model" || key == "clock.source") value = "of another machine";
  });
  const std::string before = journal_of(folder);
  const auto refused = run_assay({"resume", folder / "campaign"});
  EXPECT_EQ(refused.exit_code, 5) << refused.err;
  EXPECT_THAT(refused.err, testing::HasSubstr("cpu.model: of another machine then"));
  EXPECT_THAT(refused.err, testing::HasSubstr("clock.source: of another machine then"));
  EXPECT_EQ(journal_of(folder), before);
  const auto moved = run_assay({"resume", folder / "campaign", "--new-machine"});
  ASSERT_EQ(moved.exit_code, 0) << moved.err;
  const auto points = points_of(campaign_records(folder), "laws");
  ASSERT_EQ(points.size(), 6U) << "everything anew";
  EXPECT_EQ(points.back().results.at(0).sessions.size(), 1U) << "never beside what the other machine found";
}

TEST(Faults, F41_a_reboot_is_told_and_anchors_are_measured_again) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, resumed_campaign).exit_code, 0);
  lose_after(folder, 2);
  rewrite(folder, [](std::vector<Record>& records) {
    for (Record& record : records)
      if (auto* session = std::get_if<SessionRecord>(&record))
        for (auto& [key, value] : session->facts)
          if (key == "kernel.boot_id") value = "another";
  });
  const auto resumed = run_assay({"resume", folder / "campaign"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, testing::HasSubstr("kernel.boot_id: another then"));
  EXPECT_THAT(resumed.out, testing::HasSubstr("anchor of series laws"));
  EXPECT_THAT(resumed.out, testing::HasSubstr("no shift"));
  EXPECT_EQ(points_of(campaign_records(folder), "laws").size(), 3U) << "anchors' records stand";
}

TEST(ResumedCampaign, BeginsWhereItWasLostBeforeItsFirstSession) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, resumed_campaign).exit_code, 0);
  rewrite(folder, [](std::vector<Record>& records) { records.resize(1); });
  const auto resumed = run_assay({"resume", folder / "campaign"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(points_of(campaign_records(folder), "laws").size(), 3U);
}

TEST(ResumedCampaign, BeginsAnewWhereAStartWasLostAtOnce) {
  const Scratch folder;
  std::filesystem::create_directory(folder / "campaign");
  EXPECT_EQ(run_campaign_text(folder, resumed_campaign).exit_code, 0);
  write_file((folder / "campaign") + "/journal.jsonl", R"({"v":1,"seq":0,"type":"campaign","title":"c)");
  const auto again = run_campaign_text(folder, resumed_campaign);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(points_of(campaign_records(folder), "laws").size(), 3U);
}

TEST(ResumedCampaign, ASetUpThatWasLostIsTakenDownFirst) {
  const Scratch folder;
  const std::string log = folder / "log";
  const std::string text = "[variant.tuned]\nsetup = echo up >> " + log + "\nteardown = echo down >> " + log +
                           "\n[precision]\nwarm-up = 0ms\n[series.laws]\nmeasurement = synthetic/normal\nplacement = "
                           "unbound\nvariant = plain, tuned\n";
  ASSERT_EQ(run_campaign_text(folder, text).exit_code, 0);
  rewrite(folder, [](std::vector<Record>& records) {
    for (std::size_t i = 0; i < records.size(); ++i)
      if (const auto* variant = std::get_if<VariantRecord>(&records[i]); variant != nullptr && variant->stands) {
        records.resize(i + 1);
        return;
      }
  });
  std::filesystem::remove(log);
  const auto resumed = run_assay({"resume", folder / "campaign"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(read_file(log, 1000).starts_with("down\nup\n")) << read_file(log, 1000);
  EXPECT_THAT(resumed.out, testing::HasSubstr("its tear-down was run first"));
}

}  // namespace
}  // namespace assay::test
