// SPDX-License-Identifier: Apache-2.0
// The LogP vector collected from series, and what is derived for it.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <sstream>

#include "record/layout/layouts.hpp"
#include "record/logp/logp_lines.hpp"
#include "support/records/printed_layout.hpp"
#include "unit/record/results.hpp"

namespace assay {
namespace {

using logp::Line;
using logp::Parameter;
using test::plain_result;
using test::point_of;
using Levels = std::vector<std::pair<std::string, Value>>;

Value logp_word(const char* text) { return std::string(text); }

Result number(const char* quantity, double value, Regime regime = Regime::spin) {
  Result result = plain_result(value, 0.01);
  result.quantity = quantity;
  result.regime = regime;
  return result;
}

// A journal by and by; every series is named after its measurement.
class LogpJournal {
 public:
  LogpJournal& measured(const char* measurement, const Levels& levels, std::vector<Result> results) {
    PointRecord record = test::finished_point(measurement, point_of(levels), results.front());
    record.measurement = measurement;
    record.results = std::move(results);
    records_.emplace_back(std::move(record));
    return *this;
  }
  LogpJournal& refused(const char* measurement, const Levels& levels, const char* code) {
    records_.emplace_back(PointRecord{
        measurement, measurement, point_of(levels), Outcome::not_applicable, "for a reason", code, Reps{0}, {}});
    return *this;
  }
  LogpJournal& derived(DerivedRecord record) {
    records_.emplace_back(std::move(record));
    return *this;
  }
  std::vector<SeriesGroup> groups() const { return group_by_series(records_); }
  std::string table() const { return test::printed("logp", records_); }
  std::string explained() const { return test::printed("logp", records_, Detail::explained); }

 private:
  std::vector<Record> records_;
};

const Levels ring{{"channel", logp_word("ring")}, {"placement", logp_word("same-l3")}};
Levels ring_with(const char* factor, Value level) {
  Levels levels = ring;
  levels.emplace_back(factor, std::move(level));
  return levels;
}

// The parameters 500, 300 and 2000 ns of the synthetic channel.
LogpJournal known_channel() {
  LogpJournal journal;
  const Levels levels{{"o_s", std::int64_t{500}}, {"placement", logp_word("unbound")}};
  journal.measured("synthetic/round_trip", levels, {number("rtt", 5600)});
  journal.measured("synthetic/overheads", levels, {number("o_s[idle]", 500), number("o_r[ready]", 300)});
  return journal;
}

TEST(Logp, LatencyOfAKnownChannelIsDerived) {
  const auto records = logp::derive(known_channel().groups());
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].name, "L");
  EXPECT_EQ(records[0].series, "");
  EXPECT_TRUE(records[0].derived.valid);
  EXPECT_DOUBLE_EQ(records[0].derived.value, 2000);
  EXPECT_EQ(records[0].formula, "rtt / 2 - o_s[idle] - o_r[ready]");
}

TEST(Logp, NothingIsDerivedFromWhatWasNotAsked) {
  LogpJournal journal;
  journal.measured("logp/round_trip", ring, {number("rtt", 400)});
  EXPECT_TRUE(logp::derive(journal.groups()).empty());
}

TEST(Logp, LatencyHasTheCodeOfTheInputThatItLacks) {
  LogpJournal journal;
  journal.measured("logp/round_trip", ring, {number("rtt", 400)}).refused("logp/overheads", ring, "N1");
  const auto records = logp::derive(journal.groups());
  ASSERT_EQ(records.size(), 1U);
  EXPECT_FALSE(records[0].derived.valid);
  EXPECT_EQ(records[0].derived.reason, "N1: o_s[idle]: for a reason");
}

TEST(Logp, WhereOnlyTheReceiversOverheadHasNoMeaningItStaysInTheLatency) {
  LogpJournal journal;
  journal.measured("logp/round_trip", ring, {number("rtt", 100)});
  journal.refused("logp/overheads", ring, "N2").measured("logp/issue", ring, {number("g[issue]", 4)});
  const auto records = logp::derive(journal.groups());
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].name, "L+o_r");
  EXPECT_DOUBLE_EQ(records[0].derived.value, 46);
}

TEST(Logp, TheOccupancyOfABlockedReceiverIsNeverSubtracted) {
  LogpJournal journal;
  journal.measured("logp/round_trip", ring, {number("rtt", 26000, Regime::blocked)});
  journal.measured("logp/blocked", ring,
                   {number("o_s[blk]", 7600, Regime::blocked), number("T1", 11000, Regime::blocked),
                    number("D", 3400, Regime::blocked), number("o_r[blk,cpu]", 20000, Regime::blocked)});
  const auto records = logp::derive(journal.groups());
  const auto latency = std::ranges::find(records, "L", &DerivedRecord::name);
  ASSERT_NE(latency, records.end());
  EXPECT_EQ(latency->derived.value, 3400);
}

TEST(Logp, APolledLatencyIsNotValidWhereSendAndReceiveOverlap) {
  LogpJournal journal = known_channel();
  journal.measured("synthetic/one_way", {{"o_s", std::int64_t{500}}, {"placement", logp_word("unbound")}},
                   {number("T1", 2800), number("D", 2300)});
  EXPECT_TRUE(logp::derive(journal.groups()).at(0).derived.valid);
  Result negative = number("D", -50);
  negative.headline.interval = {-60, -40, 0.95};
  journal.measured("synthetic/one_way", {{"o_s", std::int64_t{500}}, {"placement", logp_word("unbound")}},
                   {number("T1", 2800), negative});
  EXPECT_EQ(logp::derive(journal.groups()).at(0).derived.reason, "N5: send and receive overlap: D is negative");
}

TEST(Logp, NoFormulaAppliesToAMixture) {
  LogpJournal journal = known_channel();
  journal.measured("synthetic/round_trip", {{"o_s", std::int64_t{500}}, {"placement", logp_word("unbound")}},
                   {number("rtt", 5600, Regime::mixed)});
  const auto records = logp::derive(journal.groups());
  ASSERT_EQ(records.size(), 1U);
  EXPECT_FALSE(records[0].derived.valid);
  EXPECT_THAT(journal.explained(), testing::HasSubstr("L = n/a: the regime is mixed: neither formula applies\n"));
}

TEST(Logp, RegimesOfARoundTripHaveLinesOfTheirOwn) {
  Result often = number("rtt", 26000, Regime::blocked);
  often.regime_share = 0.7;
  Result seldom = number("rtt", 250, Regime::spin);
  seldom.regime_share = 0.28;
  Result rare = number("rtt", 9000, Regime::mixed);
  rare.regime_share = 0.02;
  LogpJournal journal;
  journal.measured("logp/round_trip", ring, {often, seldom, rare});
  const auto groups = journal.groups();
  const auto lines = logp::lines_of(groups);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].regime, Regime::blocked);
  EXPECT_EQ(lines[1].regime, Regime::spin);
  EXPECT_EQ(lines[1][Parameter::rtt].result->headline.value, 250);
  EXPECT_FALSE(lines[1].is_first);
}

TEST(Logp, ATableInBlocksTellsTheLinesOfAChannelApartInEach) {
  const Levels wide{{"channel", logp_word(std::string(80, 'x').c_str())}, {"placement", logp_word("same-l3")}};
  Result often = number("rtt", 26000, Regime::blocked);
  often.regime_share = 0.6;
  Result seldom = number("rtt", 250, Regime::spin);
  seldom.regime_share = 0.4;
  LogpJournal journal;
  journal.measured("logp/round_trip", wide, {often, seldom});
  journal.measured("logp/overheads", wide, {number("o_s[idle]", 50), number("o_r[ready]", 30)});
  journal.measured("logp/issue", wide, {number("g[issue]", 4)});
  const std::string table = journal.table();
  const auto count = [&](const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = table.find(word); at != table.npos; at = table.find(word, at + 1)) ++found;
    return found;
  };
  EXPECT_GE(count("  spin"), 2U) << table;
  EXPECT_EQ(count("  spin"), count("  blocked")) << table;
}

TEST(Logp, AWayToMeasureIsNoPrimitiveAndTheUsualOneIsTaken) {
  LogpJournal journal;
  journal.measured("logp/issue", ring_with("receiver", logp_word("idle")), {number("g[issue]", 3)});
  journal.measured("logp/issue", ring_with("receiver", logp_word("poll")), {number("g[issue]", 20)});
  journal.measured("logp/round_trip", ring_with("stop", logp_word("cancel")), {number("rtt", 900, Regime::blocked)});
  journal.measured("logp/round_trip", ring_with("stop", logp_word("lease")), {number("rtt", 400, Regime::blocked)});
  journal.measured("logp/blocked", ring_with("settle", std::int64_t{30000}), {number("o_s[blk]", 9000)});
  journal.measured("logp/blocked", ring_with("settle", std::int64_t{0}), {number("o_s[blk]", 7600)});
  const auto groups = journal.groups();
  const auto lines = logp::lines_of(groups);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0][Parameter::rtt].result->headline.value, 400);
  EXPECT_EQ(lines[0][Parameter::g_issue].result->headline.value, 3);
  EXPECT_EQ(lines[0][Parameter::o_s_blk].result->headline.value, 9000);
}

TEST(Logp, AnUnusualWayIsBetterThanNoNumber) {
  LogpJournal journal;
  journal.refused("logp/issue", ring_with("receiver", logp_word("idle")), "N6");
  journal.measured("logp/issue", ring_with("receiver", logp_word("poll")), {number("g[issue]", 20)});
  const auto groups = journal.groups();
  EXPECT_EQ(logp::lines_of(groups).at(0)[Parameter::g_issue].result->headline.value, 20);
}

TEST(Logp, PoliciesAndSizesAreDifferentPrimitives) {
  LogpJournal journal;
  journal.measured("logp/round_trip", ring, {number("rtt", 400)});
  journal.measured("logp/round_trip", ring_with("policy", logp_word("fifo")), {number("rtt", 300)});
  journal.measured("logp/round_trip", ring_with("bytes", std::int64_t{64}), {number("rtt", 500)});
  journal.measured("logp/round_trip", ring_with("bytes", std::int64_t{1}), {number("rtt", 450)});
  // The first says nothing of bytes and is found among those that do.
  const auto groups = journal.groups();
  EXPECT_EQ(logp::lines_of(groups).size(), 3U);
}

TEST(Logp, BurstsWithAndWithoutPausesAreTwoNumbers) {
  LogpJournal journal;
  const auto slope = [](double delay, double value) {
    return DerivedRecord{"burst",      "any name",   "slope burst", point_of(ring_with("delay", delay)),
                         "burst_time", Regime::spin, "ns/burst",    {value, {value - 1, value + 1, 0.95}, true, ""}};
  };
  journal.measured("logp/round_trip", ring, {number("rtt", 400)});
  journal.derived(slope(0.0, 50)).derived(slope(1.5, 70));
  const auto groups = journal.groups();
  const auto lines = logp::lines_of(groups);
  EXPECT_EQ(lines.at(0)[Parameter::g_flood].derived->derived.value, 50);
  EXPECT_EQ(lines.at(0)[Parameter::prtt].derived->derived.value, 70);
}

TEST(Logp, TheTableShowsWhatTheJournalKept) {
  LogpJournal journal = known_channel();
  auto kept = logp::derive(journal.groups()).at(0);
  kept.derived.value = 1234;
  kept.derived.interval = {1230, 1238, 0.95};
  journal.derived(kept);
  EXPECT_THAT(journal.table(), testing::HasSubstr("1234"));
  EXPECT_THAT(journal.table(), testing::Not(testing::HasSubstr("2000")));
}

TEST(Logp, AnEmptyJournalHasAnEmptyTable) { EXPECT_THAT(LogpJournal().table(), testing::HasSubstr("0 points")); }

TEST(Layouts, AreFoundByName) {
  EXPECT_EQ(layout_names().front(), plain_layout);
  for (const std::string& name : layout_names()) EXPECT_NE(!find_layout(name)->print, true) << name;
  EXPECT_FALSE(find_layout("none"));
}

}  // namespace
}  // namespace assay
