// SPDX-License-Identifier: Apache-2.0
// What a rank answers: what its members report, or why it could not.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/batch.hpp"

namespace assay {

/// An answer without content.
std::string rank_reply();
/// One with the reports of a batch. All ranks run the same program, so that a report is sent as it lies in memory.
std::string rank_reply(std::span<const MemberReport> reports);
/// The exception being handled.
std::string rank_failure() noexcept;

/// The reports in a rank's answer; throws what the rank threw, as Unsupported or PlatformError where it was one, else
/// as std::runtime_error, each with the rank in its text.
std::vector<MemberReport> reports_of(const std::string& reply, int rank);

}  // namespace assay
