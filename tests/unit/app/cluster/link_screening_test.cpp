// SPDX-License-Identifier: Apache-2.0
// Screenings by launches of mpi/links whose batches are made up.
#include "app/cluster/link_screening.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/cluster/cluster_folder.hpp"
#include "app/cluster/cluster_plan.hpp"
#include "base/error.hpp"
#include "record/cluster/cluster_verdict.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr std::size_t enough_nodes = 48;
constexpr std::size_t slow_one = 11;

std::vector<std::string> node_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("n" + std::to_string(i));
  return names;
}

double time_of(const Match& pair, std::size_t round, double slowdown) {
  const auto wobble = static_cast<double>((pair.first * 31 + pair.second * 17 + round * 7) % 23);
  return (pair.first == slow_one || pair.second == slow_one ? slowdown : 1) * 1000 * std::exp(0.004 * (wobble - 11));
}

VisitRecord visit_of(const ScreeningRound& round, std::size_t number, std::int64_t size, double slowdown) {
  VisitRecord visit;
  visit.series = "links";
  visit.point.set("size", size);
  visit.point.set("round", static_cast<std::int64_t>(number));
  visit.discarded = 1;
  Batch batch{Reps{10}, std::vector<MemberReport>(enough_nodes)};
  for (const Match& pair : round.pairs) {
    const double time = time_of(pair, number, slowdown) * static_cast<double>(size);
    batch.members[pair.first].claims.set(0, 10 * time);
    batch.members[pair.second].claims.set(0, 11 * time);
  }
  Batch cold = batch;
  for (MemberReport& member : cold.members) member.claims.set(0, 1e12);
  visit.batches = {{cold, {}}, {batch, {}}};
  return visit;
}

LinkLaunch launch_of(const std::vector<ScreeningRound>& rounds, double slowdown = 1) {
  LinkLaunch launch{node_names(enough_nodes), {}};
  for (std::size_t i = 0; i < rounds.size(); ++i)
    for (const std::int64_t size : {1, 8}) launch.records.emplace_back(visit_of(rounds[i], i, size, slowdown));
  return launch;
}

LinkScreening screened(double slowdown) {
  LinkScreening screening(unknown_fabric(node_names(enough_nodes)), "links", {});
  while (!screening.is_done()) screening.add(launch_of(screening.rounds(), slowdown));
  return screening;
}

TEST(LinkScreenings, TimesAreThoseOfTheFirstOfAPairWithoutWhatIsDiscarded) {
  const std::vector<ScreeningRound> rounds{{{{0, 5}, {1, 2}}, {}}, {{{3, 4}}, {}}};
  const auto times = times_of(launch_of(rounds), "links", rounds);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0][1], time_of({1, 2}, 0, 1) * std::sqrt(8.0), 1e-6) << "the geometric mean over sizes";
  EXPECT_NEAR(times[1][0], time_of({3, 4}, 1, 1) * std::sqrt(8.0), 1e-6);
  EXPECT_TRUE(std::isnan(times_of(launch_of({rounds[0]}), "links", rounds)[1][0]));
  EXPECT_TRUE(std::isnan(times_of(launch_of(rounds), "others", rounds)[0][0]));
}

TEST(LinkScreenings, PairsOfARoundAreALine) {
  EXPECT_EQ(pairs_text({{{{0, 5}, {1, 7}}, {}}, {{{2, 3}}, {}}}), "0-5 1-7\n2-3\n");
  EXPECT_EQ(pairs_text({{{{0, 5}, {1, 7}}, {}}, {{{2, 3}}, {}}}, {3, 5}), "1-7\n\n") << "a round may have none";
}

TEST(LinkScreenings, ASlowNodeIsFoundWithItsRatio) {
  const LinkScreening screening = screened(1.3);
  EXPECT_TRUE(screening.has_deviating());
  const auto found = screening.findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].node, "n11");
  EXPECT_EQ(found[0].peer, "");
  EXPECT_EQ(found[0].series, "links");
  EXPECT_EQ(found[0].verdict, cluster::Screened::slow);
  EXPECT_NEAR(found[0].ratio, 1.3, 0.05);
  EXPECT_LT(found[0].interval.low, found[0].ratio);
  EXPECT_THAT(found[0].reason, HasSubstr("28 confirmations"));
  EXPECT_THAT(screening.notes(), Contains(HasSubstr("of which slow: 1; nodes lost or without times: 0")));
  EXPECT_THAT(screening.notes(), Contains(HasSubstr("missed with probability")));
}

TEST(LinkScreenings, OfHealthyNodesNothingIsFound) {
  const LinkScreening screening = screened(1);
  EXPECT_FALSE(screening.has_deviating());
  for (const auto& found : screening.findings()) EXPECT_EQ(found.verdict, cluster::Screened::unclear) << found.node;
  EXPECT_THAT(screening.notes(), Contains(HasSubstr("of which slow: 0; nodes lost or without times: 0")));
}

TEST(LinkScreenings, ANodeWithoutTimesIsLacking) {
  LinkScreening screening(unknown_fabric(node_names(enough_nodes)), "links", {});
  while (!screening.is_done()) {
    const auto rounds = screening.rounds();
    LinkLaunch launch = launch_of(rounds);
    for (Record& record : launch.records) {
      auto& visit = std::get<VisitRecord>(record);
      const auto round = static_cast<std::size_t>(std::get<std::int64_t>(visit.point.level("round")));
      for (const Match& pair : rounds[round].pairs)
        if (pair.first == slow_one || pair.second == slow_one)
          for (JudgedBatch& judged : visit.batches) judged.batch.members[pair.first].claims = {};
    }
    screening.add(launch);
  }
  const auto found = screening.findings();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].verdict, cluster::Screened::lacking);
  EXPECT_EQ(found[0].node, "n11");
  EXPECT_THAT(found[0].reason, testing::StartsWith("no times in "));
}

TEST(LinkScreenings, ALostNodeIsLackingAndTestedNoMore) {
  LinkScreening screening(unknown_fabric(node_names(enough_nodes)), "links", {});
  screening.add(launch_of(screening.rounds()));
  screening.lose("n11");
  screening.lose("n11");
  screening.lose("another cluster's");
  EXPECT_TRUE(screening.has_deviating());
  EXPECT_EQ(screening.findings().size(), 1U) << "also before the end";
  while (!screening.is_done()) {
    std::string pairs = " " + screening.pairs();
    std::ranges::replace(pairs, '\n', ' ');
    EXPECT_EQ(pairs.find(" 11-"), std::string::npos);
    EXPECT_EQ(pairs.find("-11 "), std::string::npos);
    screening.add(launch_of(screening.rounds()));
  }
  const auto found = screening.findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].node, "n11");
  EXPECT_EQ(found[0].verdict, cluster::Screened::lacking);
  EXPECT_THAT(screening.notes(), Contains(HasSubstr("of which slow: 0; nodes lost or without times: 1")));
}

TEST(LinkScreenings, OtherNodesThanBeforeAreRefused) {
  LinkScreening screening(unknown_fabric(node_names(enough_nodes)), "links", {});
  LinkLaunch launch = launch_of(screening.rounds());
  std::swap(launch.nodes[0], launch.nodes[1]);
  EXPECT_THROW(screening.add(launch), ResultError);
  EXPECT_THAT(screening.notes(), Contains(HasSubstr("is not done: launch 1 is missing")));
}

TEST(LinkScreenings, ALaunchHasTheRoundsOfTheFile) {
  const auto words = screening_arguments("links", 40, 6, "/shared/a b.pairs");
  EXPECT_THAT(words, Contains("series.links.round=0..5 +1"));
  EXPECT_THAT(words, Contains("series.links.meeting=listed"));
  EXPECT_THAT(words, Contains("series.links.pairs=\"/shared/a b.pairs\""));
  EXPECT_THAT(words, Contains("series.links.members=40"));
}

TEST(LinkScreenings, TheReportHasWhatTheyFoundInThePlaceOfLinks) {
  ClusterResults results;
  results.screenings = {"screening of 'links' between 48 nodes"};
  results.screened = {{"links", cluster::Screened::slow, "n11", "", "", 1.3, {1.28, 1.32, 0.95}, "p = 1e-9"}};
  SeriesPlan series = fake_series("links", {});
  series.measurement.name = link_measurement;
  const auto records = cluster_report(fake_plan({series}), {}, results);
  const bool has_note = std::ranges::any_of(records, [](const Record& record) {
    const auto* note = std::get_if<NoteRecord>(&record);
    return note != nullptr && note->text == "screening of 'links' between 48 nodes";
  });
  EXPECT_TRUE(has_note);
  const auto verdicts = cluster::verdicts_of(records);
  ASSERT_EQ(verdicts.nodes.size(), 1U);
  EXPECT_EQ(verdicts.nodes[0].node, "n11");
  EXPECT_EQ(verdicts.nodes[0].standing, cluster::Standing::slow);
  EXPECT_EQ(verdicts.nodes[0].shift->value, 1.3);
}

}  // namespace
}  // namespace assay::test
