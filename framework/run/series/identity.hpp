// SPDX-License-Identifier: Apache-2.0
// What points and campaigns mean, whatever the text that requests them: by this, results are found again.
#pragma once
#include <string>
#include <vector>

#include "record/record.hpp"
#include "run/plan.hpp"

namespace assay {

/// Version of a series' measurement, and the build of its plugin where it comes from one: "2", "1, build 0f3a...".
std::string version_of(const SeriesPlan& series);

/// The text of a rule as if nothing limited its cost.
std::string unlimited(RuleSpec rule);

/// What is measured at a point: measurement and version, all levels with their kinds, placement and vehicle as
/// specified, the variant with its commands, schedule, clock, and whether it is measured cold. Neither the title nor
/// the precision, neither incarnations, sessions nor budgets. In the order of the keys.
Facts meaning_of(const CampaignPlan& plan, const SeriesPlan& series, const Point& point);

/// What a campaign requests: what its points have in common, the domains of the factors, the rules and incarnations,
/// each without its budgets. Neither title, seed nor folder, time limit nor sessions. In the order of the keys.
Facts meaning_of(const CampaignPlan& plan);

/// The first 128 bits of the SHA-256 of a meaning, each text preceded by its length: 32 hexadecimal digits.
std::string id_of(const Facts& meaning);

/// The same of a point's meaning.
std::string point_id(const CampaignPlan& plan, const SeriesPlan& series, const Point& point);

/// Where two lists of facts differ: "KEY: VALUE then, VALUE now" each; "nothing" stands for a missing one.
std::vector<std::string> differences(const Facts& then, const Facts& now);

}  // namespace assay
