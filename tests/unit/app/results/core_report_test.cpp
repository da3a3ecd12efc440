// SPDX-License-Identifier: Apache-2.0
// Which conclusions a report on a survey draws; in what words, tests/golden/program/core_report.txt says.
#include <gmock/gmock-matchers.h>

#include "unit/app/results/surveys.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CoreReport, SaysWhatIsSharedAndWhatTheKernelHasWrong) {
  const std::string text = printed_survey(survey_of_two());
  for (const char* part : {"29 %", "64 %", "same-l3", "50 %", "55 %", "G-CORE", "1.18", "1.56", "G-SMT"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(CoreReport, ProgramsReadTheSame) {
  SurveyScope scope;
  scope.time = seconds(5);
  scope.relation_of = [](int, int) { return std::string("same-l3"); };
  const Json facts(survey_facts(survey_of_two(), scope));
  EXPECT_EQ(facts.at("surveyed_s").number(), 5);
  const Json& core = facts.at("cores").array().at(0);
  EXPECT_EQ(core.at("cpu").integer(), 0);
  EXPECT_EQ(core.at("shared").number(), 0.29);
  EXPECT_EQ(core.at("stays_alone").number(), 0.64);
  EXPECT_EQ(core.at("clock").array().at(1).at("ghz").number(), 2);
  EXPECT_EQ(core.at("clock").array().at(1).at("share").number(), 0.1);
  const Json& pair = facts.at("pairs").array().at(0);
  EXPECT_EQ(pair.at("by_kernel").string(), "same-l3");
  EXPECT_EQ(pair.at("throughput_b").number(), 0.5);
  EXPECT_EQ(pair.at("round_trip").array().at(1).at("ns").number(), 410);
}

TEST(CoreReport, InterruptionsAreReportedWhereTheyAreNoticeable) {
  SurveyScope scope;
  EXPECT_THAT(printed_survey(survey_of_two(), scope), Not(HasSubstr("G-TAKEN")));
  scope.interruptions = {80, {160e3}, {4e6}, {40e3}};
  EXPECT_THAT(printed_survey(survey_of_two(), scope), HasSubstr("G-TAKEN: threads at work were interrupted for 2 us"));
  scope.relation_of = [](int, int) { return std::string("same-l3"); };
  const Json facts(survey_facts(survey_of_two(), scope));
  EXPECT_EQ(facts.at("interruptions").at("count").integer(), 80);
  EXPECT_EQ(facts.at("interruptions").at("lost_ns").number(), 160e3);
  EXPECT_EQ(facts.at("interruptions").at("window_ns").number(), 4e6);
  EXPECT_EQ(facts.at("interruptions").at("to_threads_ns").number(), 40e3);
}

TEST(CoreReport, WhatNobodyKnowsIsNull) {
  const Json facts(survey_facts(survey_of_nothing(), {}));
  const Json& core = facts.at("cores").array().at(0);
  EXPECT_TRUE(core.at("shared").is_null());
  EXPECT_TRUE(core.at("alone_known_since").is_null());
  EXPECT_EQ(core.at("clock").array().at(0).at("ns_per_step").number(), 1);
}

TEST(CoreReport, NothingIsForecastWhereNobodyKnows) {
  EXPECT_THAT(printed_survey(survey_of_nothing()), testing::AllOf(HasSubstr("G-CORE"), Not(HasSubstr("times"))));
}

TEST(CoreReport, NoForecastIsMadeOfNextToNothing) {
  EXPECT_THAT(printed_survey({{core_found(0, 0.99, 0.01)}, {}, 3}), Not(HasSubstr("times")));
  EXPECT_THAT(printed_survey({{core_found(0, 0.99, 0.01), core_found(1, 0.5, 0.5)}, {}, 3}),
              testing::AllOf(HasSubstr("times"), HasSubstr("20")));
  EXPECT_THAT(printed_survey({{core_found(0, 0.001, 0.998)}, {}, 3}), Not(HasSubstr("times")));
}

TEST(CoreReport, TheKernelIsContradictedOnlyByClearFindings) {
  SurveyScope siblings;
  siblings.relation_of = [](int, int) { return std::string("smt"); };
  const auto survey = [](CoreBond bond) {
    return CoreSurvey{{core_found(0, 0, 1), core_found(1, 0, 1)}, {pair_found(0, 1, bond)}, 3};
  };
  EXPECT_THAT(printed_survey(survey(CoreBond::one_core), siblings), Not(HasSubstr("G-SMT")));
  EXPECT_THAT(printed_survey(survey(CoreBond::own_cores), siblings), HasSubstr("G-SMT"));
  EXPECT_THAT(printed_survey(survey(CoreBond::own_cores)), Not(HasSubstr("G-SMT")));
  EXPECT_THAT(printed_survey(survey(CoreBond::not_clear)), Not(HasSubstr("G-SMT")));
}

TEST(CoreReport, ManyPairsStandTogetherButContradictionsAreNamed) {
  const std::string text = printed_survey(survey_of_eight());
  for (const char* listed : {"0+1", "0+2", "0+3", "0+4", "1+5", "2+6"}) EXPECT_THAT(text, HasSubstr(listed));
  EXPECT_THAT(text, Not(HasSubstr("1+2")));
  std::size_t contradictions = 0;
  for (auto at = text.find("G-SMT"); at != text.npos; at = text.find("G-SMT", at + 1)) ++contradictions;
  EXPECT_EQ(contradictions, 4U);
}

TEST(CoreReport, WhoWasNotAskedIsNamedWithTheReason) {
  SurveyScope scope;
  scope.left_out = {16, 17, 18};
  scope.refused = {{0, "because"}, {2, "because"}};
  const std::string text = printed_survey({{core_found(1, 0, 1)}, {}, 3}, scope);
  for (const char* part : {"16-18", "0,2", "because"}) EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(printed_survey({}, scope), Not(HasSubstr("G-CORE")));
}

}  // namespace
}  // namespace assay::test
