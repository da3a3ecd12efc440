// SPDX-License-Identifier: Apache-2.0
// Whether the common clock of all ranks still held at the end of a stretch, and for whose stamps it did not.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "stats/clock/clock_agreement.hpp"
#include "team/clock/clock_sync.hpp"

namespace assay {

/// What a rank's second look at the common clock says about its stamps since the first. A plain value, to be gathered.
struct StretchCheck {
  ClockAgreement own;   ///< with the rank it had learned from
  int refused_by = -1;  ///< the rank on the way to rank 0 whose own comparison refuses the stamps; -1 when none does
  Nanoseconds bound{};  ///< most that a stamp of the stretch is wrong on the common clock, when none does
  Nanoseconds keeps_for{};  ///< until the bound of the model as it is now has doubled
};

/// Compares each rank's clock once more with the one it was learned from, by one fit point of `exchanges`, in the same
/// order, and of more where these took half as long again as the fastest before; all ranks call it. Stamps of a rank
/// are refused when it, or a rank on its way to rank 0, finds that its model missed by more than the bounds explain:
/// then it has to be learned anew. Else the fit point joins those that were `seen`, and the clock is from here on what
/// all of them say.
StretchCheck check_again(Wire& wire, CommonClock& clock, ClockHistory& seen, int exchanges = 10);

/// Why the stamps of the stretch cannot be compared between ranks, by the first rank that refuses, with how many other
/// ranks' stamps are refused as well; empty when all are accepted. `checks` are those of all ranks.
std::string refusal(std::span<const StretchCheck> checks);

}  // namespace assay
