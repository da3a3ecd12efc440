// SPDX-License-Identifier: Apache-2.0
// Derived values as lines below the table of their series.
#pragma once
#include <iosfwd>

#include "record/grouping.hpp"

namespace assay {

/// Prints a blank line and one line for each derived value, `name = value [low .. high] unit (formula)` or
/// `name = n/a: reason`, with the levels that tell its group apart; nothing when the series has none.
/// With `cycles`, times of cores that all had one clock are told in cycles of it too.
void print_derived(std::ostream& out, const SeriesGroup& group, bool cycles = false);

}  // namespace assay
