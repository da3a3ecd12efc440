// SPDX-License-Identifier: Apache-2.0
// Journals from before there were states give their lone values.
#include "run/series/restate.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "record/core_cycles.hpp"

namespace assay::test {
namespace {

constexpr double lone_truth = 1000;

/// Visits of before: one reading on each side, of the first member, without a clock.
struct Old {
  explicit Old(double alone, int visits = 200) {
    SeriesRecord series{"one", "fake/one", {Quantity{}}, "median-ci(eps=0.02,alpha=0.05)"};
    series.quantities[0].name = "time";
    records.emplace_back(series);
    Rng rng(5);
    bool is_alone = true;
    for (int i = 0; i < visits; ++i) {
      const bool was_alone = is_alone;
      if (rng.uniform() < 0.3) is_alone = rng.uniform() < alone;
      records.emplace_back(visit(i, was_alone, is_alone, rng));
    }
    PointRecord point;
    point.series = "one";
    point.measurement = "fake/one";
    point.outcome = Outcome::max_time;
    point.reps = Reps{10};
    point.results.emplace_back().quantity = "time";
    point.results[0].headline.value = 1.2 * lone_truth;
    records.emplace_back(point);
  }

  static VisitRecord visit(int number, bool before, bool after, Rng& rng) {
    VisitRecord visit{"one", {}, 0, number % 5, number, number, {1e6 * number}, {1e5}, 1, {}, {}};
    const auto reading = [&](bool lone) {
      return CoreReading{{(lone ? 0.816 : 1.05) * (1 + 0.002 * rng.normal())}, no_clock};
    };
    const CoreReading at_begin = reading(before);
    const CoreReading at_end = reading(after);
    for (int i = 0; i < 9; ++i) {
      const double each = lone_truth * (before && after ? 1 : 1.35) * (1 + 0.003 * rng.normal());
      MemberReport report;
      report.claims = Claims(Nanoseconds{10 * each});
      report.wall = report.cpu = {10 * each};
      report.cpu_before = report.cpu_after = 0;
      report.core_before = at_begin;
      report.core_after = at_end;
      visit.batches.push_back({{Reps{10}, {report}}, {}});
    }
    return visit;
  }

  PointRecord restated() {
    Restater restater;
    for (const Record& record : records) restater.learn(record);
    for (Record& record : records) restater.restate(record);
    return std::get<PointRecord>(records.back());
  }

  std::vector<Record> records;
};

TEST(Restate, TheLoneValueOfAJournalOfBefore) {
  const PointRecord point = Old(0.5).restated();
  ASSERT_FALSE(point.results.empty());
  EXPECT_EQ(to_text(point.results[0].state), "alone");
  EXPECT_NEAR(point.results[0].headline.value / lone_truth, 1, 0.005);
  EXPECT_EQ(point.outcome, Outcome::converged) << point.reason;
  ASSERT_FALSE(point.others.empty());
  EXPECT_EQ(point.reps, Reps{10});
}

TEST(Restate, WhatTheReadingsDoNotTellStaysAsItWas) {
  // Never shared: one level, which could be that of half a core.
  const PointRecord point = Old(1).restated();
  EXPECT_EQ(point.results.at(0).headline.value, 1.2 * lone_truth);
  EXPECT_EQ(point.outcome, Outcome::max_time);
  EXPECT_TRUE(point.others.empty());
}

// The first launch has rank 0 on the node whose cores yield half as much, the second on the other one.
TEST(Restate, RanksOfTwoNodesAreToldApart) {
  Old slow(0.5);
  Old fast(0.5);
  std::vector<Record> records;
  for (Old* launch : {&slow, &fast}) {
    LaunchRecord begin{0, launch == &slow ? 1 : 2, {{"slow", 1, {0}}, {"fast", 1, {0}}}, "", 0};
    if (launch == &fast) std::swap(begin.ranks[0], begin.ranks[1]);
    records.emplace_back(begin);
    for (Record& record : launch->records) {
      auto* visit = std::get_if<VisitRecord>(&record);
      if (visit != nullptr && launch == &slow)
        for (JudgedBatch& judged : visit->batches)
          for (CoreReading* one : {&judged.batch.members[0].core_before, &judged.batch.members[0].core_after})
            one->wide = 2 * one->wide;
      records.push_back(record);
    }
    records.emplace_back(LaunchRecord{0, begin.launch, {}, "complete", 0});
  }
  Restater restater;
  for (const Record& record : records) restater.learn(record);
  for (Record& record : records) restater.restate(record);
  int seen = 0;
  for (const Record& record : records)
    if (const auto* point = std::get_if<PointRecord>(&record)) {
      EXPECT_EQ(to_text(point->results.at(0).state), "alone");
      EXPECT_EQ(point->cores.at(0).node, seen++ == 0 ? "slow" : "fast");
    }
  EXPECT_EQ(seen, 2);
}

TEST(Restate, OnlyVisitsOfBeforeAreOfBefore) {
  Rng rng(1);
  VisitRecord visit = Old::visit(0, true, true, rng);
  EXPECT_TRUE(Restater::is_of_before(visit));
  for (JudgedBatch& judged : visit.batches) judged.batch.members[0].core_before.chain = Nanoseconds{1};
  EXPECT_FALSE(Restater::is_of_before(visit)) << "a core of 3 GHz";
  EXPECT_FALSE(Restater::is_of_before(NoteRecord{"visit"}));
}

}  // namespace
}  // namespace assay::test
