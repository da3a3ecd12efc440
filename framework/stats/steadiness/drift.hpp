// SPDX-License-Identifier: Apache-2.0
// Whether the values of a sample change with time.
#pragma once
#include <string>

#include "stats/sample/sample.hpp"

namespace assay {

/// What shows that the values change with time, in words; empty when nothing does. The medians of the visits, less the
/// level of their incarnation, are fitted with a line in time. It must change by more than `tolerance` over the sample,
/// and its slope be significant at 0.1 % by Student's test, with a standard error that is widened for residuals which
/// depend on their neighbours as in an autoregressive law of first order; and the medians of the two halves must lie
/// more than half of `tolerance` apart. All values must be finite.
///
/// A change that comes and goes within the sample has no slope: the scales of the visit-based interval are there for
/// it.
std::string drift_of(const Sample& sample, double tolerance);

}  // namespace assay
