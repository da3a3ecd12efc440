// SPDX-License-Identifier: Apache-2.0
// What a campaign leaves on disk: interleaved visits, raw observations, bindings, reasons, provenance; and its exports.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

constexpr const char* three_laws = R"(
[precision]
warm-up = 0ms
[series.laws]
measurement = synthetic/normal
median = 1000, 2000, 3000
placement = unbound
)";

TEST(JournalOfACampaign, VisitsOfDifferentPointsAreInterleavedInRandomOrder) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, three_laws).exit_code, 0);
  std::map<int, std::vector<std::string>> rounds;
  for (const auto& visit : records_of<VisitRecord>(campaign_records(folder)))
    rounds[visit.round].push_back(to_text(visit.point));
  ASSERT_GE(rounds.size(), 8U);
  std::set<std::vector<std::string>> orders;
  for (const auto& [round, points] : rounds) {
    EXPECT_EQ(std::set<std::string>(points.begin(), points.end()).size(), points.size())
        << "one visit per point and round";
    orders.insert(points);
  }
  EXPECT_EQ(rounds.begin()->second.size(), 3U);
  EXPECT_GT(orders.size(), 1U) << "the order differs between rounds";
}

TEST(JournalOfACampaign, HoldsRawObservationsByVisitAndIncarnation) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, three_laws).exit_code, 0);
  const auto records = campaign_records(folder);
  std::map<std::string, std::set<int>> incarnations;
  for (const auto& visit : records_of<VisitRecord>(records)) {
    EXPECT_GE(visit.batches.size(), 1U);
    for (const auto& judged : visit.batches) EXPECT_TRUE(judged.batch.members.at(0).claims.has(0));
    incarnations[to_text(visit.point)].insert(visit.incarnation);
  }
  for (const auto& [point, seen] : incarnations) EXPECT_GE(seen.size(), 5U) << point;
  EXPECT_GE(records_of<IncarnationRecord>(records).size(), 15U);
  for (const auto& point : records_of<PointRecord>(records)) EXPECT_FALSE(point.results.at(0).verdict.reason.empty());
}

TEST(JournalOfACampaign, StartsWithTheRequestAndItsProvenance) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, three_laws).exit_code, 0);
  const auto records = campaign_records(folder);
  const auto* campaign = std::get_if<CampaignRecord>(&records.at(0));
  ASSERT_NE(campaign, nullptr);
  EXPECT_NE(campaign->configuration.find("synthetic/normal"), std::string::npos);
  const auto* session = std::get_if<SessionRecord>(&records.at(1));
  ASSERT_NE(session, nullptr);
  std::map<std::string, std::string> facts(session->facts.begin(), session->facts.end());
  for (const char* key : {"cpu.model", "kernel.release", "clock.source"}) EXPECT_TRUE(facts.contains(key)) << key;
  EXPECT_NE(session->command_line.find("run"), std::string::npos);
}

TEST(JournalOfACampaign, ResolvedConfigurationGivesTheSamePoints) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, three_laws).exit_code, 0);
  const auto records = campaign_records(folder);
  const Scratch again;
  ASSERT_EQ(run_campaign_text(again, std::get<CampaignRecord>(records.at(0)).configuration).exit_code, 0);
  const auto texts = [](const std::vector<Record>& all) {
    std::map<std::string, double> values;
    for (const auto& point : records_of<PointRecord>(all))
      values[to_text(point.point)] = point.results.at(0).headline.value;
    return values;
  };
  EXPECT_EQ(texts(records), texts(campaign_records(again))) << "simulated values repeat exactly from the same seed";
}

TEST(JournalOfACampaign, CsvHasOneRowPerPointWithParametersAsColumns) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, three_laws).exit_code, 0);
  const auto csv = run_assay({"export", "--format", "csv", folder / "campaign"});
  ASSERT_EQ(csv.exit_code, 0) << csv.err;
  std::istringstream lines(csv.out);
  std::string header;
  std::getline(lines, header);
  for (const char* column : {"series", "median", "spread", "placement", "verdict"})
    EXPECT_NE(header.find(column), std::string::npos);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) ++rows;
  EXPECT_EQ(rows, 3);
}

TEST(JournalOfACampaign, ShowPrintsWhatRunPrinted) {
  const Scratch folder;
  const auto run = run_campaign_text(folder, three_laws);
  const auto show = run_assay({"show", folder / "campaign"});
  ASSERT_EQ(show.exit_code, 0) << show.err;
  EXPECT_NE(show.out.find("converged"), std::string::npos);
  EXPECT_NE(run.out.find(show.out.substr(0, 200)), std::string::npos) << run.out << "\n----\n" << show.out;
}

TEST(JournalOfACampaign, AnExistingDirectoryIsNeverTouched) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, three_laws).exit_code, 0);
  const auto before = read_journal(folder / "campaign").end.good_size;
  const auto again = run_campaign_text(folder, std::string(three_laws) + "spread = 0.1\n");
  EXPECT_EQ(again.exit_code, 5) << again.err;
  EXPECT_EQ(read_journal(folder / "campaign").end.good_size, before);
}

}  // namespace
}  // namespace assay::test
