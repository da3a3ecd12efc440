// SPDX-License-Identifier: Apache-2.0
// What a campaign that was measured against another program or an earlier campaign says at its end.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "record/compare/comparison_report.hpp"
#include "record/record.hpp"

namespace assay {

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
