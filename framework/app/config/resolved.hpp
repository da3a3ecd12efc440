// SPDX-License-Identifier: Apache-2.0
// A plan as a configuration file.
#pragma once
#include <string>

#include "run/plan.hpp"

namespace assay {

/// The plan in the notation of campaign files: every key with its value in canonical form, each series complete, so
/// that reading it gives the same plan. The folder for the results is left out: where they go is no part of what is
/// measured.
std::string resolved_text(const CampaignPlan& plan);

}  // namespace assay
