// SPDX-License-Identifier: Apache-2.0
// What people read of a survey.
#include "app/results/core_report.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <sstream>

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

CoreFinding core(int cpu, double shared, double stays_alone) {
  return {cpu, 1000, AloneBecause::two_levels, shared, stays_alone, {{1, 1}}};
}

PairFinding pair(int a, int b, CoreBond bond) {
  PairFinding found;
  found.a = a;
  found.b = b;
  found.bond = bond;
  found.yield_a = found.yield_b = bond == CoreBond::one_core ? 0.55 : 1;
  found.distances = {{50, 1}};
  return found;
}

/// On a machine whose kernel says that no two CPUs share a core.
std::string printed(const CoreSurvey& survey, SurveyScope scope = {}) {
  scope.time = seconds(5);
  for (const CoreFinding& found : survey.cores) scope.asked.push_back(found.cpu);
  if (!scope.relation_of) scope.relation_of = [](int, int) { return std::string("same-l3"); };
  std::ostringstream out;
  print_survey(out, survey, scope);
  return out.str();
}

TEST(CoreReport, TablesAndConclusionsAreForPeople) {
  CoreSurvey survey{{core(0, 0.29, 0.64), core(1, 0.1, 0.85)}, {pair(0, 1, CoreBond::one_core)}, 3};
  survey.cores[0].chains = {{1, 0.9}, {1.5, 0.1}};
  survey.pairs[0].yield_b = 0.5;
  survey.pairs[0].distances = {{52, 0.9}, {410, 0.1}};
  EXPECT_EQ(
      printed(survey),
      "cores: CPUs 0-1 measured for 5 s, one or two at a time\n"
      "\n"
      "CPU  shared  alone for 0.1 ms                       clock  its throughput alone is known, since\n"
      "  0    29 %              64 %  3 GHz (90 %), 2 GHz (10 %)  its throughput was also much lower\n"
      "  1    10 %              85 %                       3 GHz  its throughput was also much lower\n"
      "\n"
      "CPUs  by the kernel  found     throughput beside each other          round trip of flags\n"
      " 0+1  same-l3        one core                  50 % to 55 %  52 ns (90 %), 410 ns (10 %)\n"
      "\n"
      "G-CORE: the cores were shared with other work 10 % to 29 % of the time: campaigns will take about 1.18 to 1.56 "
      "times as long\n"
      "    one over 64 % to 85 %, the share of 0.1 ms that a core was alone before and after, as a batch has to "
      "be;\n"
      "    longer for several members, whose cores have to be alone at once\n"
      "G-SMT: CPUs 0 and 1 share a core, although the kernel reports that they do not: members on both slow each "
      "other down\n"
      "    what to do: keep one of them idle, or read results of members on both as those of 'smt'\n");
}

TEST(CoreReport, NothingIsSaidOfSharingWhereNobodyKnows) {
  CoreSurvey survey{{core(0, 0, 0)}, {}, 0};
  survey.cores[0].because = AloneBecause::nothing;
  survey.cores[0].stays_alone.reset();
  const std::string text = printed(survey);
  EXPECT_THAT(text, HasSubstr("not known"));
  EXPECT_THAT(text, HasSubstr("1 ns a step"));
  EXPECT_THAT(text, HasSubstr("G-CORE: no core was proved to be alone"));
  EXPECT_THAT(text, Not(HasSubstr("times as long")));
}

TEST(CoreReport, NoForecastIsMadeOfNextToNothing) {
  EXPECT_THAT(printed({{core(0, 0.99, 0.01)}, {}, 3}), HasSubstr("campaigns hardly ever have one alone"));
  EXPECT_THAT(printed({{core(0, 0.99, 0.01), core(1, 0.5, 0.5)}, {}, 3}),
              HasSubstr("campaigns will take from 2 to more than 20 times as long"));
  EXPECT_THAT(printed({{core(0, 0.001, 0.998)}, {}, 3}), HasSubstr("campaigns take no longer"));
}

TEST(CoreReport, TheKernelIsContradictedOnlyByClearFindings) {
  SurveyScope siblings;
  siblings.relation_of = [](int, int) { return std::string("smt"); };
  const auto survey = [](CoreBond bond) { return CoreSurvey{{core(0, 0, 1), core(1, 0, 1)}, {pair(0, 1, bond)}, 3}; };
  EXPECT_THAT(printed(survey(CoreBond::one_core), siblings), Not(HasSubstr("G-SMT")));
  EXPECT_THAT(printed(survey(CoreBond::own_cores), siblings), HasSubstr("have separate cores, although"));
  EXPECT_THAT(printed(survey(CoreBond::own_cores)), Not(HasSubstr("G-SMT")));
  const std::string unclear = printed(survey(CoreBond::not_clear));
  EXPECT_THAT(unclear, Not(HasSubstr("G-SMT")));
  EXPECT_THAT(unclear, HasSubstr("\nnot clear: "));
}

TEST(CoreReport, ManyPairsStandTogetherButContradictionsAreNamed) {
  CoreSurvey survey;
  for (int a = 0; a < 8; ++a) {
    survey.cores.push_back(core(a, 0, 1));
    for (int b = a + 1; b < 8; ++b)
      survey.pairs.push_back(pair(a, b, b == a + 4 ? CoreBond::one_core : CoreBond::own_cores));
  }
  const std::string text = printed(survey);
  EXPECT_THAT(text, HasSubstr("0+1, 0+2, 0+3 and 21 more"));
  EXPECT_THAT(text, HasSubstr("0+4, 1+5, 2+6 and 1 more"));
  for (const char* named : {"CPUs 0 and 4 share", "CPUs 1 and 5 share", "CPUs 2 and 6 share", "CPUs 3 and 7 share"})
    EXPECT_THAT(text, HasSubstr(named));
}

TEST(CoreReport, WhoWasNotAskedIsNamedWithTheReason) {
  SurveyScope scope;
  scope.left_out = {16, 17, 18};
  scope.refused = {{0, "refused"}, {2, "refused"}};
  EXPECT_THAT(printed({{core(1, 0, 1)}, {}, 3}, scope),
              HasSubstr("not measured: CPUs 16-18, for which there was no time\nnot measured: CPUs 0,2: refused\n"));
  EXPECT_THAT(printed({}, scope), testing::StartsWith("cores: not measured\n"));
  EXPECT_THAT(printed({}, scope), Not(HasSubstr("G-CORE")));
}

}  // namespace
}  // namespace assay
