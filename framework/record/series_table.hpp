// SPDX-License-Identifier: Apache-2.0
// The table of one series.
#pragma once
#include <iosfwd>
#include <string>

#include "record/grouping.hpp"

namespace assay {

/// Prints heading, table and derived values of a series; returns the marks used, in any order and number.
std::string print_series(std::ostream& out, const SeriesGroup& group);

}  // namespace assay
