// SPDX-License-Identifier: Apache-2.0
// The tables of a campaign, with what stands around them.
#pragma once
#include <iosfwd>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "record/grouping.hpp"
#include "record/record.hpp"

namespace assay {

/// The campaign's title with an empty line, where it has one.
void print_title(std::ostream& out, const std::vector<Record>& records);
/// The meaning of each mark that occurs in `used`, with an empty line after them.
void print_legend(std::ostream& out, std::string_view used);
/// The series of the campaign that a layout has no place for, in a line that says where they are shown; nothing where
/// there are none. `shown` has the names of the others.
void print_unshown(std::ostream& out, const std::vector<SeriesGroup>& groups, const std::set<std::string>& shown);
/// Notes, the number of points by outcome, and how the last session ended unless it is complete.
void print_close(std::ostream& out, const std::vector<Record>& records, const std::vector<SeriesGroup>& groups);

}  // namespace assay
