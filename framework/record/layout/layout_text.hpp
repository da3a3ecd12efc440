// SPDX-License-Identifier: Apache-2.0
// Filled tables of a layout as text for people.
#pragma once
#include <iosfwd>
#include <string>

#include "record/layout/layout_grid.hpp"
#include "record/table/layout.hpp"

namespace assay {

/// A cell's number in its unit and style, in the digits that its interval supports, or why there is none; "-" for
/// nothing. What the document printed, with "*" where its own data give another number.
std::string cell_text(const TableSpec& table, const GridCell& cell);

/// Prints a table with title and unit; half-widths beside or below what was measured; bars where it has them; then its
/// note, the differences within the document and the reasons for missing numbers. Explained: the interval, series and
/// regime behind every measured number too.
void print(std::ostream& out, const LayoutGrid& grid, Detail detail);

/// The marks of values in a table.
std::string marks_in(const LayoutGrid& grid);

/// Every raw line that was published of a value, and every observation that was measured of it, in the words of the
/// layout; systems with none are left out.
void print_lines(std::ostream& out, const LinesSpec& lines, const LayoutSpec& spec, const LayoutSystems& systems,
                 std::span<const ShownCampaign> campaigns);

}  // namespace assay
