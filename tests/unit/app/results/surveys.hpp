// SPDX-License-Identifier: Apache-2.0
// Surveys of cores made by hand, and what is printed of them.
#pragma once
#include <sstream>
#include <string>

#include "app/results/core_report.hpp"

namespace assay::test {

inline CoreFinding core_found(int cpu, double shared, double stays_alone) {
  return {cpu, 1000, AloneBecause::two_levels, shared, stays_alone, {{1, 1}}};
}

inline PairFinding pair_found(int a, int b, CoreBond bond) {
  PairFinding found;
  found.a = a;
  found.b = b;
  found.bond = bond;
  found.yield_a = found.yield_b = bond == CoreBond::one_core ? 0.55 : 1;
  found.distances = {{50, 1}};
  return found;
}

/// On a machine whose kernel says that no two CPUs share a core.
inline std::string printed_survey(const CoreSurvey& survey, SurveyScope scope = {}) {
  scope.time = seconds(5);
  for (const CoreFinding& found : survey.cores) scope.asked.push_back(found.cpu);
  if (!scope.relation_of) scope.relation_of = [](int, int) { return std::string("same-l3"); };
  std::ostringstream out;
  print_survey(out, survey, scope);
  return out.str();
}

/// Two CPUs of one core, which the kernel says are two.
inline CoreSurvey survey_of_two() {
  CoreSurvey survey{{core_found(0, 0.29, 0.64), core_found(1, 0.1, 0.85)}, {pair_found(0, 1, CoreBond::one_core)}, 3};
  survey.cores[0].chains = {{1, 0.9}, {1.5, 0.1}};
  survey.pairs[0].yield_b = 0.5;
  survey.pairs[0].distances = {{52, 0.9}, {410, 0.1}};
  return survey;
}

/// A core of which nothing is known.
inline CoreSurvey survey_of_nothing() {
  CoreSurvey survey{{core_found(0, 0, 0)}, {}, 0};
  survey.cores[0].because = AloneBecause::nothing;
  survey.cores[0].stays_alone.reset();
  return survey;
}

/// Eight CPUs, each four of which share a core with the others.
inline CoreSurvey survey_of_eight() {
  CoreSurvey survey;
  for (int a = 0; a < 8; ++a) {
    survey.cores.push_back(core_found(a, 0, 1));
    for (int b = a + 1; b < 8; ++b)
      survey.pairs.push_back(pair_found(a, b, b == a + 4 ? CoreBond::one_core : CoreBond::own_cores));
  }
  return survey;
}

}  // namespace assay::test
