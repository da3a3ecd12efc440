// SPDX-License-Identifier: Apache-2.0
// Reports on surveys of cores, byte by byte.
#include "support/environment/golden.hpp"
#include "unit/app/results/surveys.hpp"

namespace assay::test {
namespace {

TEST(SurveyGolden, Reports) {
  SurveyScope siblings;
  siblings.relation_of = [](int, int) { return std::string("smt"); };
  SurveyScope some;
  some.left_out = {16, 17, 18};
  some.refused = {{0, "refused"}, {2, "refused"}};
  const auto bound = [](CoreBond bond) {
    return CoreSurvey{{core_found(0, 0, 1), core_found(1, 0, 1)}, {pair_found(0, 1, bond)}, 3};
  };
  std::string told;
  for (const std::string& text :
       {printed_survey(survey_of_two()), printed_survey(survey_of_nothing()),
        printed_survey({{core_found(0, 0.99, 0.01)}, {}, 3}),
        printed_survey({{core_found(0, 0.99, 0.01), core_found(1, 0.5, 0.5)}, {}, 3}),
        printed_survey({{core_found(0, 0.001, 0.998)}, {}, 3}), printed_survey(bound(CoreBond::own_cores), siblings),
        printed_survey(bound(CoreBond::not_clear)), printed_survey(survey_of_eight()),
        printed_survey({{core_found(1, 0, 1)}, {}, 3}, some), printed_survey({}, some)})
    told += text + "----\n";
  EXPECT_TRUE(matches_golden(told, "program/core_report.txt"));
}

}  // namespace
}  // namespace assay::test
