// SPDX-License-Identifier: Apache-2.0
// Predictions of a machine whose costs are known: right where the model is, and caught where it is not.
#include "record/predict/prediction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "support/records/predict_results.hpp"

namespace assay::predict {
namespace {

using test::machine_results;
using test::MachineTruth;

// From a store to another member's look that finds it, on the machine of machine_results: S + R/2 is 48, S/2 + R 43.5,
// and the look may be up to a turn of 8 late. Half of the flags' round trip is 48.5.
constexpr double seen = 48 + 3.5 * 3.5 / (2 * 8);
constexpr double notice = seen - (seen - 48.5) / 4;

// Keeps the groups that a report borrows.
struct Predicted {
  explicit Predicted(const std::vector<Record>& records, Request request = {})
      : groups(group_by_series(test::spinning(records))), report(predict({{"here", &groups}}, request)) {}

  const Prediction& at(const std::string& name, double members = 2) const {
    for (const Prediction& one : report.predictions)
      if (one.formula->name == name && one.setting.members == members) return one;
    throw std::out_of_range(name);
  }
  Fit fit(const std::string& name) const { return at(name).held.value().fit; }

  std::vector<SeriesGroup> groups;
  Report report;
};

TEST(Prediction, FormulasAreAppliedToTheParameters) {
  const Predicted found(machine_results({}).records());
  EXPECT_NEAR(found.at("flag-round-trip").value, 35 + 26 + seen, 1e-9) << "half of what may be saved";
  EXPECT_NEAR(found.at("barrier-central").value, notice + 29 - 6.5, 1e-9);
  EXPECT_NEAR(found.at("barrier-central", 8).value, notice + 7 * 29 - 6.5, 1e-9);
  EXPECT_NEAR(found.at("barrier-dissemination", 4).value, 2 * notice, 1e-9);
  EXPECT_NEAR(found.at("barrier-tournament", 8).value, 6 * notice, 1e-9);
  EXPECT_NEAR(found.at("barrier-tree", 8).value, 5 * notice, 1e-9);  // two levels up, three down
  EXPECT_NEAR(found.at("hand-over-spinlock").value, 97 - (97 - 63) / 4.0 + 2 * 5, 1e-9);
  EXPECT_NEAR(found.at("throughput-mcs").value, 48.5 + 39, 1e-9);
}

TEST(Prediction, WhatWasMeasuredStandsBesideItAndAgrees) {
  const Predicted found(machine_results({}).records());
  for (const char* name : {"flag-round-trip", "barrier-central", "hand-over-spinlock"}) {
    EXPECT_EQ(found.fit(name), Fit::agrees) << name;
    EXPECT_NEAR(found.at(name).held->ratio, 1, name == std::string("flag-round-trip") ? 0.14 : 0.02) << name;
    EXPECT_TRUE(found.at(name).held->interval.contains(found.at(name).held->ratio)) << name;
  }
  EXPECT_EQ(found.report.held(), 3U);
  EXPECT_EQ(found.report.count(Fit::agrees), 3U);
  EXPECT_FALSE(found.at("barrier-central", 4).held);
}

// What may overlap is in the interval: all of it or nothing, the value being that of a quarter.
TEST(Prediction, WhatMayOverlapIsBetweenAllAndNothing) {
  const Predicted found(machine_results({}, 0.0001).records());
  const Interval& interval = found.at("barrier-central").of_parameters;
  EXPECT_NEAR(found.at("barrier-central").value, notice + 29 - 6.5, 0.1);
  EXPECT_NEAR(interval.low, notice + 29 - 26 + 1.3, 0.3) << "2.5 % of the shares are above 0.975 squared";
  EXPECT_NEAR(interval.high, seen + 29, 0.1);
  for (const double barrier : {53.0, 76.0}) {
    MachineTruth truth;
    truth.barrier = barrier;
    EXPECT_EQ(Predicted(machine_results(truth).records()).fit("barrier-central"), Fit::agrees) << barrier;
  }
  MachineTruth slower;
  slower.barrier = 84;
  EXPECT_EQ(Predicted(machine_results(slower).records()).fit("barrier-central"), Fit::misses);
}

// However well parameters are known, the model is not: a prediction is never more precise than that.
TEST(Prediction, TheErrorOfTheModelIsInItsInterval) {
  const Interval exact = with_model_error(100, {100, 100, 0.95});
  EXPECT_NEAR(exact.low, 100 / 1.15, 1e-9);
  EXPECT_NEAR(exact.high, 115, 1e-9);
  const double both = std::exp(std::hypot(std::log(1.15), std::log(1.1)));
  EXPECT_NEAR(with_model_error(100, {100, 110, 0.95}).high, 100 * both, 1e-9);
  EXPECT_FALSE(with_model_error(100, {}).available());
  EXPECT_FALSE(with_model_error(100, {-1, 110, 0.95}).available());
  const Predicted found(machine_results({}).records());
  const Prediction& flag = found.at("flag-round-trip");
  EXPECT_LT(flag.of_parameters.high, 2 * (35 + 26) * 1.05);
  EXPECT_GT(flag.of_parameters.low, 2 * seen * 0.95);
  EXPECT_GE(flag.interval.high, flag.value * 1.15);
  EXPECT_EQ(found.report.inside(), found.report.held());
}

// A wrong model is caught: each parameter doubled spoils what rests on it, and nothing else.
TEST(Prediction, ADoubledParameterIsMissedWhereItMatters) {
  MachineTruth store;
  store.store *= 2;
  const Predicted by_store(machine_results(store).records());
  EXPECT_EQ(by_store.fit("flag-round-trip"), Fit::misses);
  EXPECT_NEAR(by_store.at("barrier-central").value, 83 - (83 - 48.5) / 4 + 29 - 6.5, 1e-9) << "flags say otherwise";
  EXPECT_EQ(by_store.fit("hand-over-spinlock"), Fit::agrees);
  MachineTruth add;
  add.add *= 2;
  const Predicted by_add(machine_results(add).records());
  EXPECT_EQ(by_add.fit("barrier-central"), Fit::misses);
  EXPECT_EQ(by_add.fit("flag-round-trip"), Fit::agrees);
  std::ostringstream out;
  print(out, by_add.report, 100);
  EXPECT_NE(out.str().find("barrier-central members=2 placement=same-l3: the model misses it by a factor of 1.41"),
            std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("A = 58.00 from"), std::string::npos) << out.str();
}

TEST(Prediction, MarksOfParametersAreThoseOfWhatRestsOnThem) {
  auto records = machine_results({}).records();
  const auto mark = [&](const std::string& operation, Outcome outcome, bool is_noisy) {
    for (Record& record : records)
      if (auto* point = std::get_if<PointRecord>(&record);
          point != nullptr && level_text(point->point, "operation") == operation) {
        point->results[0].verdict.outcome = outcome;
        point->results[0].noisy = is_noisy;
      }
  };
  mark("fetch-add", Outcome::max_time, false);
  const Predicted unconverged(records);
  EXPECT_EQ(unconverged.at("barrier-central").marks, "!");
  EXPECT_EQ(unconverged.fit("barrier-central"), Fit::agrees);  // its interval is the one reached
  EXPECT_EQ(unconverged.at("flag-round-trip").marks, "");
  mark("fetch-add", Outcome::drift, false);
  EXPECT_EQ(Predicted(records).fit("barrier-central"), Fit::cannot_say);
  mark("fetch-add", Outcome::converged, true);
  const Predicted noisy(records);
  EXPECT_EQ(noisy.at("barrier-central").marks, "#");
  EXPECT_EQ(noisy.fit("barrier-central"), Fit::cannot_say);
  EXPECT_EQ(noisy.at("barrier-central").held->reason, "parameter A is noisy");
  EXPECT_EQ(noisy.fit("flag-round-trip"), Fit::agrees);
}

TEST(Prediction, MembersAtAnotherDistanceAreNotCompared) {
  auto records = machine_results({}).records();
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record)) point->reference.median = point->series == "lines" ? 55 : 100;
  const Predicted found(records);
  EXPECT_EQ(found.fit("flag-round-trip"), Fit::cannot_say);
  EXPECT_NE(found.at("flag-round-trip").held->reason.find("another distance"), std::string::npos);
}

// A virtual machine whose CPUs were moved while lines were measured: the state at the flags' distance is taken.
TEST(Prediction, OfSeveralDistancesThatOfTheMeasuredValueIsTaken) {
  auto records = machine_results({}).records();
  for (Record& record : records) {
    auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr) continue;
    point->reference.median = 100;
    if (point->series != "lines") continue;
    Result near = point->results[0];
    near.regime = Regime::spin;
    near.state.distance_ns = 100;
    near.state_share = 0.3;
    point->others.push_back(near);
    Estimate& far = point->results[0].headline;
    far = {far.statistic, 4 * far.value, {4 * far.interval.low, 4 * far.interval.high, far.interval.level}, far.basis};
    point->results[0].state.distance_ns = 400;
  }
  const Predicted found(records);
  EXPECT_EQ(found.fit("flag-round-trip"), Fit::agrees);
  EXPECT_EQ(found.fit("barrier-central"), Fit::agrees);
  EXPECT_NEAR(found.at("barrier-central", 8).value, 4 * 48 - (4 * 48 - 48.5) / 4 + 4 * (7 * 29 - 6.5),
              1e-9);  // of members as far as those of S
}

// Of several times that receivers had slept, the one of an exchange is taken: as long as their own message took.
TEST(Prediction, SleepersHaveSleptForAsLongAsTheirMessageTook) {
  test::ResultJournal journal = machine_results({});
  journal.series("blocked", "logp/blocked", {"T1", "D"});
  const auto add = [&](std::int64_t settle, double arrival) {
    journal.point(test::place_levels({{"channel", std::string("futex")}, {"settle", settle}}),
                  {arrival, arrival - 6'000});
  };
  add(2'000, 9'000);
  add(10'000, 20'000);
  add(60'000, 24'000);
  std::vector<Record> records = test::spinning(journal.records());
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record); point != nullptr && point->series == "blocked")
      for (Result& result : point->results) result.regime = Regime::blocked;
  const auto groups = group_by_series(records);
  const Report report = predict({{"here", &groups}}, {});
  const auto found = std::ranges::find(report.predictions, std::string("sleepers-futex"),
                                       [](const Prediction& one) { return one.formula->name; });
  ASSERT_NE(found, report.predictions.end());
  EXPECT_NEAR(found->value, 2 * 20'000, 1e-6);
}

TEST(Prediction, AnIntervalThatSaysNothingSaysNothing) {
  EXPECT_EQ(Predicted(machine_results({}, 0.5).records()).fit("barrier-central"), Fit::cannot_say);
}

TEST(Prediction, AnotherCampaignIsHeldAgainstToo) {
  const auto here = group_by_series(test::spinning(machine_results({}).records()));
  MachineTruth slow;
  slow.barrier = 160;
  const auto there = group_by_series(test::spinning(machine_results(slow).records()));
  const Report report = predict({{"here", &here}, {"there", &there}}, {.target = "barrier-central", .members = {2}});
  ASSERT_EQ(report.predictions.size(), 2U);
  EXPECT_EQ(report.predictions[0].held->fit, Fit::agrees);
  EXPECT_EQ(report.predictions[1].held->campaign, "there");
  EXPECT_EQ(report.predictions[1].held->fit, Fit::misses);
}

TEST(Prediction, WhatLacksParametersNamesThem) {
  test::ResultJournal journal;
  journal.series("empty", "sync/empty", {"time"}).point({{"vehicle", std::string("thread")}}, {1});
  const Predicted found(journal.records());
  EXPECT_TRUE(found.report.predictions.empty());
  bool is_named = false;
  for (const std::string& text : lack_texts(found.report))
    is_named |=
        text.find(
            "barrier-central lacks S (sync/line), R (sync/line), Q (sync/poll), F (logp/round_trip), A (sync/line)") ==
        0;
  EXPECT_TRUE(is_named);
}

TEST(Prediction, OnlyWhatIsAskedFor) {
  const Predicted found(machine_results({}).records(), {.target = "sync/barrier", .members = {16}});
  for (const Prediction& one : found.report.predictions) EXPECT_EQ(one.formula->measurement, "sync/barrier");
  EXPECT_NEAR(found.at("barrier-dissemination", 16).value, 4 * notice, 1e-9);
}

}  // namespace
}  // namespace assay::predict
