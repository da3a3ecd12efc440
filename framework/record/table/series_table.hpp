// SPDX-License-Identifier: Apache-2.0
// The table of one series.
#pragma once
#include <iosfwd>
#include <string>

#include "record/grouping.hpp"
#include "record/table/table_choice.hpp"

namespace assay {

/// Prints heading, table, derived values and pictures of a series; returns the marks used, in any order and number.
std::string print_series(std::ostream& out, const SeriesGroup& group, const TableChoice& choice = {});

}  // namespace assay
