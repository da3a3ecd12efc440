// SPDX-License-Identifier: Apache-2.0
// What of a crate's campaign can be measured on this machine.
#pragma once
#include <string>
#include <vector>

#include "app/config/config.hpp"
#include "record/crate/crate.hpp"
#include "run/plan.hpp"

namespace assay {

/// Something that the campaign asked for and this machine does not have.
struct NotRun {
  std::string series;
  std::string why;
};

/// The campaign as far as it can be run here.
struct CratePlan {
  CampaignPlan plan;            ///< without series where nothing can be run
  std::vector<NotRun> not_run;  ///< series, and single levels of series
};

/// Plans the campaign of a crate with its seed and settings; what `overrides` name is replaced. Series whose
/// measurement, plugin or placements are missing here are left out, with the reason. Environment variables change
/// nothing. Throws ConfigError, positioned at `command`, for a series in `overrides` that the crate has not.
CratePlan plan_of_crate(const std::string& command, const ReadCrate& crate, const Overrides& overrides,
                        const Catalogue& catalogue, const Topology& topology);

}  // namespace assay
