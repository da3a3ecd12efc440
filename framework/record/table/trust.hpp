// SPDX-License-Identifier: Apache-2.0
// How far a value can be trusted, in words for those who know no verdicts and marks.
#pragma once
#include <string>

#include "record/record.hpp"
#include "text/scale.hpp"

namespace assay {

/// Why measuring of a result ended, and what else its reader has to know: "converged", "not converged: out of time",
/// "drift: second half 36.7 % below the first, 12 % of the batches disturbed". Values of modes are in `scale`.
/// `says_term`: whether it says that the value is short-term.
std::string trust_text(const PointRecord& point, const Result& result, const Scale& scale, bool says_term);
/// Why a point has no value: "no value: members that spin on one CPU make no progress without preemption (N1)".
std::string trust_text(const PointRecord& point);

}  // namespace assay
