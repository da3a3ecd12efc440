// SPDX-License-Identifier: Apache-2.0
// Whether a clock's model was still valid at the end of the period whose time stamps it converts.
#pragma once
#include <string>

#include "stats/clock/clock_fit.hpp"

namespace assay {

/// What a comparison of the clocks after a period says about the time stamps taken in it.
struct ClockAgreement {
  bool accepted = true;
  Nanoseconds miss{};   ///< by how much the model missed the reference at the end
  Nanoseconds limit{};  ///< the most that the model's bound by then and the comparison itself explain
  Nanoseconds bound{};  ///< largest error of a time stamp of the period, for clocks that kept their rates throughout
};

/// Compares the model with a fit point taken after the period. Refused when the model missed by more than its own
/// bound at that time, with what was left open of the drift since it was learned, and the fit point's half-width: then
/// a clock changed its rate or was set, and what it read in between is undetermined.
ClockAgreement agrees(const ClockModel& before, const FitPoint& after);

/// Why stamps are refused, in words: "the clocks were 12 us apart ...". Empty when they are accepted.
std::string refusal(const ClockAgreement& agreement);

}  // namespace assay
