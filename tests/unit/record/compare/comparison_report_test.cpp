// SPDX-License-Identifier: Apache-2.0
// A comparison as table, CSV and JSON.
#include "record/compare/comparison_report.hpp"

#include <gmock/gmock-matchers.h>

#include <sstream>

#include "text/json.hpp"
#include "unit/record/compared.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Four results of two series and one point that could not be compared.
ComparisonReport report() {
  ComparedCampaign a;
  ComparedCampaign b;
  Result signed_a = compared_result(-50);
  Result signed_b = compared_result(-10);
  for (Result* result : {&signed_a, &signed_b}) result->quantity = "far";
  a.points = {compared_point(1, compared_result(1000)), compared_point(2, compared_result(2000)),
              compared_point(3, signed_a), compared_point(4, compared_result(7)),
              compared_point(5, compared_result(100, 12), "=two")};
  b.points = {compared_point(1, compared_result(1100)), compared_point(2, compared_result(2001)),
              compared_point(3, signed_b), compared_point(5, compared_result(80), "=two")};
  PairingRequest request;
  request.all = true;
  Pairing pairing = pair_results(a.records(), b.records(), request);
  ComparisonReport report;
  report.a = "before";
  report.b = "after";
  report.notes = {"kernel.release differs: 6.1 in A, 6.6\x1b in B"};
  std::vector<Contest> contests;
  for (const PairedResult& pair : pairing.pairs) {
    contests.push_back({pair.a.processes, pair.b.processes});
    report.results.push_back({pair, usual_margin, {}});
  }
  const auto findings = compare(contests);
  for (std::size_t i = 0; i < findings.size(); ++i) report.results[i].finding = findings[i];
  for (ComparedResult& result : report.results) result.finding.change = only_possible(result.finding.change);
  report.unpaired = std::move(pairing.unpaired);
  report.numberless = 2;
  return report;
}

std::string printed(void (*print)(std::ostream&, const ComparisonReport&), const ComparisonReport& what) {
  std::ostringstream out;
  print(out, what);
  return out.str();
}

TEST(ComparisonTable, ShowsChangesInPerCentWhereThatIsAskedFor) {
  ComparisonReport percent = report();
  percent.in_percent = true;
  const std::string text = printed(&print_comparison, percent);
  for (const char* part : {"delta", "+10.000 %", "-20.000 %", "+40"}) EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, Not(HasSubstr("B/A")));
  EXPECT_THAT(text, Not(HasSubstr("0.8000")));
}

TEST(ComparisonTable, SaysAllThatMatters) {
  const std::string text = printed(&print_comparison, report());
  for (const char* part : {"before", "after", "kernel.release", "\\x1b", "logp/round_trip", "slower", "1.1000", "+40",
                           "12/10", "0.8000", "n=4"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(ComparisonTable, ColumnsAreAligned) {
  std::istringstream lines(printed(&print_comparison, report()));
  std::size_t verdict = std::string::npos;
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("n ") || line.find("  verdict") != line.npos) verdict = line.find("verdict");
    for (const char* word : {"  possibly slower", "  possibly faster", "  same"})
      if (!line.empty() && line.find(word) != line.npos && line.find("compared") == line.npos) {
        EXPECT_EQ(line.find(word) + 2, verdict) << line;
        ++rows;
      }
  }
  EXPECT_EQ(rows, 4);
}

TEST(ComparisonTable, MarkedOutcomesAndWiderMarginsAreTold) {
  ComparisonReport marked = report();
  marked.results[0].pair.a.outcome = Outcome::bimodal;
  marked.results[1].margin = 0.05;
  const std::string text = printed(&print_comparison, marked);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("bimodal"), HasSubstr("5 %")));
}

TEST(ComparisonTable, BatchesOfSleepersOfOtherLengthsAreSaid) {
  ComparisonReport other = report();
  PairedResult& pair = other.results[0].pair;
  pair.regime = Regime::blocked;
  pair.a.reps = {8};
  pair.b.reps = {32};
  const std::string text = "batches of 8 repetitions in A, 32 in B";
  EXPECT_THAT(printed(&print_comparison, other), HasSubstr(text));
  pair.regime = Regime::spin;
  EXPECT_THAT(printed(&print_comparison, other), Not(HasSubstr(text)));
  pair.regime = Regime::blocked;
  pair.a.reps = {24};
  EXPECT_THAT(printed(&print_comparison, other), Not(HasSubstr("repetitions in A")));
}

TEST(ComparisonTable, WhatWasNotMeasuredInTurnIsTold) {
  ComparisonReport apart = report();
  apart.design = ComparisonDesign::interleaved;
  apart.results[0].in_turn = 0.5;
  apart.results[1].in_turn = 0.95;
  const std::string text = printed(&print_comparison, apart);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("50 %"), Not(HasSubstr("95 %"))));
  EXPECT_THAT(printed(&write_comparison_csv, apart), HasSubstr(",0.02,0.5,possibly slower,"));
}

TEST(ComparisonTable, LevelsHaveAColumn) {
  ComparisonReport levels = report();
  levels.factor = "variant";
  levels.results[0].pair.level = "new";
  levels.results[1].pair.level = "newer";
  const std::string text = printed(&print_comparison, levels);
  EXPECT_THAT(text, HasSubstr("n  variant  "));
  EXPECT_THAT(text, HasSubstr("1  new "));
}

TEST(ComparisonTable, WhatALevelLacksForOneReasonIsOneLine) {
  ComparisonReport levels = report();
  levels.factor = "variant";
  levels.unpaired = {{"one", {}, "traced", "no tracer"},
                     {"one", {}, "other", "no tracer"},
                     {"two", {}, "traced", "no tracer"},
                     {"three", {}, "traced", "too slow"}};
  const std::string text = printed(&print_comparison, levels);
  EXPECT_THAT(text, HasSubstr("  variant traced, 2 points: no tracer\n"));
  EXPECT_THAT(text, HasSubstr("  one (variant other): no tracer\n"));
  EXPECT_THAT(text, HasSubstr("  three (variant traced): too slow\n"));
  EXPECT_THAT(text, Not(HasSubstr("  two")));
}

TEST(ComparisonCsv, HasARowPerResultAndPerRefusal) {
  std::istringstream lines(printed(&write_comparison_csv, report()));
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0],
            "series,measurement,n,quantity,unit,regime,state,headline_state_a,headline_state_b,clock_scale,distance_"
            "scale,a,b,"
            "incarnations_a,"
            "incarnations_b,scale,shift,low,high,level,p,"
            "adjusted_p,margin,in_turn,verdict,needed,reason");
  EXPECT_THAT(rows[1],
              HasSubstr("one,logp/round_trip,1,time,ns,solo,as found,as found,as found,1,1,1000,1100,10,10,ratio,1."));
  EXPECT_THAT(rows[1], HasSubstr(",0.02,,possibly slower,,"));
  EXPECT_THAT(rows[3], HasSubstr(",difference,4"));
  EXPECT_TRUE(rows[4].starts_with("'=two,")) << rows[4];
  EXPECT_EQ(rows[5], "one,,4,,,,,,,,,,,,,,,,,,,,,,refused,,B has no such point");
}

TEST(ComparisonJson, HasTheSameMembers) {
  const Json json = parse_json(printed(&write_comparison_json, report()));
  EXPECT_EQ(json.at("design").string(), "sequential");
  EXPECT_TRUE(json.at("factor").is_null());
  EXPECT_EQ(json.at("counts").at("possibly_slower").integer(), 2);
  EXPECT_EQ(json.at("counts").at("refused").integer(), 1);
  EXPECT_EQ(json.at("notes").array().size(), 1U);
  ASSERT_EQ(json.at("results").array().size(), 4U);
  const Json& first = json.at("results").array()[0];
  EXPECT_EQ(first.at("point").at("n").integer(), 1);
  EXPECT_EQ(first.at("verdict").string(), "possibly slower");
  EXPECT_NEAR(first.at("shift").number(), 1.1, 1e-9);
  EXPECT_LT(first.at("low").number(), 1.1);
  EXPECT_TRUE(first.at("needed").is_null());
  EXPECT_EQ(json.at("refused").array().at(0).at("reason").string(), "B has no such point");
}

}  // namespace
}  // namespace assay::test
