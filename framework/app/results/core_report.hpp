// SPDX-License-Identifier: Apache-2.0
// A survey of the cores as people like to look at it.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "platform/clock/interruptions.hpp"
#include "stats/core/core_survey.hpp"
#include "text/json.hpp"

namespace assay {

/// What a survey was of.
struct SurveyScope {
  Nanoseconds time{};
  std::vector<int> asked;                              ///< CPUs, ascending
  std::vector<int> left_out;                           ///< usable ones that there was no time for
  std::vector<std::pair<int, std::string>> refused;    ///< with the reason
  std::function<std::string(int, int)> relation_of{};  ///< by the kernel's word (Topology::relation)
  Interruptions interruptions{};                       ///< of threads on them
};

/// Prints a table of the CPUs, one of their pairs, and what both mean for a campaign. Pairs that are alike stand in one
/// line where there are more than ten.
void print_survey(std::ostream& out, const CoreSurvey& survey, const SurveyScope& scope);
/// The same for programs: `surveyed_s`, `cores`, `pairs` and `interruptions`; doc/exports.md has the members of each.
Json::Object survey_facts(const CoreSurvey& survey, const SurveyScope& scope);

}  // namespace assay
