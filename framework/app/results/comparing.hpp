// SPDX-License-Identifier: Apache-2.0
// Campaigns and levels compared, what an interleaved comparison is told of an earlier campaign, and what one measured
// against something says at its end.
#pragma once
#include <functional>
#include <iosfwd>
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

/// Facts of the sessions of such a campaign: the path that it is against; what is there, `campaign` or `program`;
/// whether the workers of `before` are the program of then (`yes`, `no`); and sentences for the reader, numbered
/// from 1.
inline constexpr const char* against_prefix = "against.";
inline constexpr const char* against_path_fact = "against.path";
inline constexpr const char* against_kind_fact = "against.kind";
inline constexpr const char* against_program_fact = "against.program_of_then";
inline constexpr const char* against_note_prefix = "against.note.";
/// The only kind that has values of then.
inline constexpr const char* against_campaign = "campaign";

/// Adds what is known of the other side to a comparison of `before` with `now`: the sentences, and of an earlier
/// campaign its values (as `choose` has them), where it can be read still. Nothing where `records` are not of such a
/// campaign.
void tell_against(ComparisonReport& report, const std::vector<Record>& records, const PairingRequest& request,
                  const std::function<void(std::vector<Record>&)>& choose);

/// The whole comparison of the campaign in a directory, with the usual margin. Throws as read_results does.
ComparisonReport report_against(const std::string& command, const std::string& directory, std::ostream& err);

}  // namespace assay
