// SPDX-License-Identifier: Apache-2.0
// The tables of a campaign, with what stands around them.
#pragma once
#include <iosfwd>
#include <string_view>
#include <vector>

#include "record/grouping.hpp"
#include "record/record.hpp"

namespace assay {

/// The campaign's title with an empty line, where it has one.
void print_title(std::ostream& out, const std::vector<Record>& records);
/// The meaning of each mark that occurs in `used`, with an empty line after them.
void print_legend(std::ostream& out, std::string_view used);
/// Notes, the number of points by outcome, and how the last session ended unless it is complete.
void print_close(std::ostream& out, const std::vector<Record>& records, const std::vector<SeriesGroup>& groups);

}  // namespace assay
