// SPDX-License-Identifier: Apache-2.0
// Advice on hand-overs, and requests that are none.
#include "record/predict/advice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "support/records/predict_results.hpp"

namespace assay::predict {
namespace {

std::vector<std::string> problems_of(const std::string& text) {
  try {
    parse_hand_over(text, "here");
  } catch (const ConfigError& error) {
    std::vector<std::string> texts;
    for (const Problem& problem : error.problems()) texts.push_back(to_text(problem));
    return texts;
  }
  return {};
}

TEST(HandOverText, IsRead) {
  const HandOver read = parse_hand_over("hand-over bytes=4Ki from=core:0 to=cpu:3 rate=10k/s", "here");
  EXPECT_EQ(read.bytes, 4096);
  EXPECT_EQ(read.from, 0);
  EXPECT_EQ(read.to, 3);
  EXPECT_EQ(read.rate, 10'000);
  EXPECT_EQ(parse_hand_over("hand-over placement=same-l3", "here").placement, "same-l3");
}

TEST(HandOverText, EveryMistakeIsNamed) {
  for (const auto& [text, part] : {std::pair{"", "there is no advice on nothing"},
                                   {"broadcast bytes=1", "no advice on 'broadcast'"},
                                   {"hand-over bytes=none", "bytes='none' is no size"},
                                   {"hand-over bytes=0", "a message has a byte at least"},
                                   {"hand-over rate=5", "rate='5' is no rate"},
                                   {"hand-over rate=-5/s", "is no rate"},
                                   {"hand-over from=cpu:0", "one of from and to is missing"},
                                   {"hand-over from=cpu:0 to=cpu:0", "from and to are one CPU"},
                                   {"hand-over from=cpu:0 to=1", "to='1' is no CPU"},
                                   {"hand-over from=cpu:0 to=cpu:-1", "is no CPU"},
                                   {"hand-over from=cpu:0 to=cpu:1 placement=smt", "contradict each other"},
                                   {"hand-over byte=1", "did you mean 'bytes'?"},
                                   {"hand-over bytes", "'bytes' is no setting"}}) {
    const auto found = problems_of(text);
    ASSERT_FALSE(found.empty()) << text;
    EXPECT_NE(found[0].find(part), std::string::npos) << found[0];
  }
  EXPECT_EQ(problems_of("hand-over bytes=x rate=y").size(), 2U);
}

class AdviceTest : public ::testing::Test {
 protected:
  AdviceTest() {
    using test::place_levels;
    const auto text = [](const char* word) { return std::string(word); };
    journal_.series("lines", "sync/line", {"time"});
    journal_.point(place_levels({{"operation", text("load")},
                                 {"line", text("modified")},
                                 {"holder", text("other")},
                                 {"access", text("dependent")}}),
                   {30});
    journal_.series("trips", "logp/round_trip", {"rtt"});
    for (const auto& [channel, time] : {std::pair{"flag", 100.0}, {"futex", 240.0}, {"pipe", 40'000.0}})
      journal_.point(trip(channel, 1), {time});
    journal_.point(trip("pipe", 128), {44'000});
    journal_.series("sends", "logp/blocked", {"T1", "o_s[blk]", "o_r[blk,cpu]"});
    journal_.point(trip("futex", 1), {20'000, 6'000, 8'000});
  }
  static test::ResultJournal::Levels trip(const char* channel, int bytes) {
    return test::place_levels({{"channel", std::string(channel)}, {"bytes", std::int64_t{bytes}}});
  }
  Advice ask(const std::string& text, const std::vector<std::string>& channels = {"flag", "tcp"}) {
    std::vector<Record> records = journal_.records();
    for (Record& record : records) {
      auto* point = std::get_if<PointRecord>(&record);
      if (point == nullptr) continue;
      const std::string channel = level_text(point->point, "channel");
      for (Result& result : point->results)
        result.regime = channel == "pipe" || point->series == "sends" ? of_sleepers_ : Regime::spin;
      IncarnationRecord incarnation;
      incarnation.series = point->series;
      incarnation.point = point->point;
      incarnation.cpus = cpus_;
      incarnations_.emplace_back(incarnation);
    }
    records.insert(records.end(), incarnations_.begin(), incarnations_.end());
    return advise(records, parse_hand_over(text, "here"), channels);
  }

  test::ResultJournal journal_;
  std::vector<int> cpus_{0, 1};
  Regime of_sleepers_ = Regime::blocked;
  std::vector<Record> incarnations_;
};

TEST_F(AdviceTest, RanksByLatencyWithTheCostsOfBothSides) {
  const Advice advice = ask("hand-over bytes=64 from=cpu:0 to=cpu:1 rate=10000/s");
  ASSERT_EQ(advice.ranked.size(), 3U);
  EXPECT_EQ(advice.ranked[0].channel, "flag");
  EXPECT_EQ(advice.ranked[0].latency.value, 80);  // half a round trip, and a line to be read
  EXPECT_EQ(advice.ranked[0].receiver_load(10'000), 1);
  EXPECT_EQ(advice.ranked[1].channel, "futex");
  EXPECT_TRUE(advice.ranked[1].sleeps);  // it gives polling up between hand-overs so far apart
  EXPECT_NEAR(*advice.ranked[1].sender_load(10'000), 0.06, 1e-9);
  EXPECT_NEAR(*advice.ranked[1].receiver_load(10'000), 0.08, 1e-9);
  EXPECT_EQ(advice.ranked[2].channel, "pipe");
  EXPECT_EQ(advice.ranked[2].measured_bytes, 128);  // nearer to 64 than 1
  EXPECT_EQ(advice.ranked[2].latency.value, 22'000);
  EXPECT_EQ(advice.unmeasured, std::vector<std::string>{"tcp"});
  std::ostringstream out;
  print(out, advice, 100);
  EXPECT_NE(out.str().find("least latency: flag, whose receiver spins; least CPU time: futex, 14 %"), std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("not measured for it: tcp"), std::string::npos);
}

// A receiver that slept for long wakes up later: of several times the one between hand-overs is taken.
TEST_F(AdviceTest, AReceiverHasSleptSinceTheHandOverBefore) {
  journal_.series("sends", "logp/blocked", {"T1", "o_s[blk]", "o_r[blk,cpu]"});
  for (const auto& [settle, time] : {std::pair{std::int64_t{3'000}, 12'000.0}, {100'000, 25'000}, {30'000, 20'000}}) {
    auto levels = trip("eventfd", 1);
    levels.emplace_back("settle", settle);
    journal_.point(levels, {time, 6'000, 8'000});
  }
  const auto latency_at = [&](const std::string& rate) {
    const Advice advice = ask("hand-over bytes=1 placement=same-l3" + rate);
    const auto found = std::ranges::find(advice.ranked, std::string("eventfd"), &Candidate::channel);
    return found == advice.ranked.end() ? 0 : found->latency.value - found->payload;
  };
  EXPECT_EQ(latency_at(" rate=200000/s"), 12'000);
  EXPECT_EQ(latency_at(" rate=40000/s"), 20'000);
  EXPECT_EQ(latency_at(" rate=10/s"), 25'000);
  EXPECT_EQ(latency_at(""), 25'000) << "as long as any";
}

TEST_F(AdviceTest, OnOneCpuAReceiverHasSleptWhereItPreemptsItsPartner) {
  of_sleepers_ = Regime::mixed;
  const auto has_pipe = [&] {
    const Advice advice = ask("hand-over bytes=64 placement=same-l3");
    const auto found = std::ranges::find(advice.ranked, std::string("pipe"), &Candidate::channel);
    return found != advice.ranked.end() && found->sleeps;
  };
  EXPECT_FALSE(has_pipe());
  incarnations_.clear();
  cpus_ = {1, 1};
  EXPECT_TRUE(has_pipe());
}

TEST_F(AdviceTest, WhatDoesNotKeepUpComesLast) {
  const Advice advice = ask("hand-over placement=same-l3 rate=200000/s");
  ASSERT_FALSE(advice.ranked.empty());
  EXPECT_FALSE(advice.ranked.back().keeps_up);
  EXPECT_EQ(advice.ranked.back().channel, "futex");
  EXPECT_TRUE(advice.ranked.front().keeps_up);
}

TEST_F(AdviceTest, OtherCpusAreNotAnsweredFor) {
  EXPECT_TRUE(ask("hand-over from=cpu:0 to=cpu:2").ranked.empty());
  EXPECT_TRUE(ask("hand-over placement=smt").ranked.empty());
  EXPECT_EQ(ask("hand-over placement=smt").places, std::vector<std::string>{"same-l3"});
}

}  // namespace
}  // namespace assay::predict
