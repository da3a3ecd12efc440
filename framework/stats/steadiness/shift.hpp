// SPDX-License-Identifier: Apache-2.0
// Whether the sessions that incarnations belong to agree.
#pragma once
#include <span>
#include <string>

#include "stats/sample/sample.hpp"

namespace assay {

/// What shows that the sessions of incarnations differ, in words, by the one that lies furthest from the others; empty
/// when nothing does, or when there is one session only. The medians of each session's incarnations are held against
/// those of all others by Student's test with the spread within the sessions, pooled (Snedecor and Cochran, Statistical
/// Methods, section 6.8), at one per cent divided by the number of sessions (Bonferroni); the means have to lie more
/// than `tolerance` apart as well. Where no session has two incarnations there is no spread to hold a difference
/// against, and any beyond `tolerance` is reported. All values must be finite.
std::string shift_of(std::span<const IncarnationMedian> incarnations, double tolerance);

}  // namespace assay
