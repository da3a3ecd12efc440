// SPDX-License-Identifier: Apache-2.0
// Everything with a name that outputs and campaign files may have, with its meaning.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "api/description.hpp"

namespace assay {

/// One name of one kind.
struct Topic {
  std::string kind;  ///< "measurement", "verdict", "mark", "code", "check", "column", "key", ...
  std::string name;
  std::string text;
};

/// All of them: measurements, quantities and factors, rules, sections and their keys, columns and headings, verdicts,
/// words of trust, marks, regimes, states, N codes, checks (G codes). Options of commands are added by who knows these.
std::vector<Topic> all_topics(const std::vector<Description>& measurements);

/// Those of exactly this name, in letters of either case, then those whose name contains it; a name of one or two
/// letters that exists is not looked for in others.
std::vector<Topic> topics_about(std::string_view name, const std::vector<Topic>& topics);

}  // namespace assay
