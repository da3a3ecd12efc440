// SPDX-License-Identifier: Apache-2.0
// Room: another program or an earlier campaign, measured beside this one.
// What `--against` names, and the plan that measures it in the same rounds.
//
// The other side is a variant, `before`, and this program another one, `now`: levels of factor `variant` in one
// campaign. So the session interleaves them, and journals, tables, comparisons and exports know them already.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/config/campaign_source.hpp"
#include "app/config/config.hpp"
#include "base/error.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"

namespace assay {

/// What was named, as far as it can be known before there is a plan.
struct Against {
  Where at;                  ///< the option
  std::string path;          ///< absolute
  bool is_campaign = false;  ///< a directory of results, else a program
  // Of a campaign:
  std::string configuration{};                        ///< as if it had been against nothing
  bool had_two_sides = false;                         ///< it was itself measured against something
  std::map<std::string, std::string> measurements{};  ///< by series
  std::vector<std::string> plugins{};                 ///< paths
  Facts facts{};                                      ///< of its last session
};

/// Looks at what is named. Throws ConfigError where there is nothing, or no campaign in a directory; ResultError where
/// its journal cannot be read.
Against look_at(const std::string& given);

/// The campaign that an earlier one asked for, to be measured where none is named. Throws ConfigError for a program.
CampaignSource campaign_of(const Against& against);

/// Makes every series of a plan that both sides can measure one of both, with time and processes for it, and says in
/// facts (app/results/comparing.hpp) who measures. A program of then is used where it is still what it was. Throws
/// ConfigError where nothing can be measured by both, or a program that was named cannot serve.
Facts measure_against(CampaignPlan& plan, const Against& against, const Overrides& overrides);

}  // namespace assay
