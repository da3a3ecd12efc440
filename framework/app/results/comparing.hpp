// SPDX-License-Identifier: Apache-2.0
// Campaigns and levels compared, and what an interleaved comparison is told of an earlier campaign.
#pragma once
#include <string>
#include <vector>

#include "app/results/comparability.hpp"
#include "record/compare/comparison_report.hpp"
#include "record/compare/pairing.hpp"
#include "record/compare/turns.hpp"
#include "record/record.hpp"

namespace assay {

/// Fills a report, whose margin and q are set, with what changed from one campaign to another. Throws ResultError,
/// naming the report's sides, where they were not measured alike.
void compare_campaigns(ComparisonReport& report, const std::vector<Record>& a, const std::vector<Record>& b,
                       PairingRequest request, const SideNames& names = {},
                       OtherMachines machines = OtherMachines::refused);

/// The same between levels of the report's factor in one campaign, the first of which is the base. `turns` has seen its
/// visits.
void compare_levels(ComparisonReport& report, const std::vector<Record>& records, const Turns& turns,
                    const std::vector<std::string>& levels, const PairingRequest& request);

/// Gives the results of an interleaved comparison what an earlier campaign found of the same points, and what the base
/// of the comparison, which is that campaign measured again, says of the time in between. Where the two were not
/// measured alike, a note says so. `then` are the earlier campaign's records, `again` those of the base.
void add_earlier(ComparisonReport& report, const std::string& name, const std::vector<Record>& then,
                 const std::vector<Record>& again, const PairingRequest& request);

}  // namespace assay
