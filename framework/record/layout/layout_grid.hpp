// SPDX-License-Identifier: Apache-2.0
// A table of a layout, filled: rows, columns and what stands in each cell; also as text for people.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "record/layout/layout_systems.hpp"
#include "record/table/layout.hpp"

namespace assay {

/// A row or a column.
struct GridLine {
  std::string label;
  NamedTexts attributes;  ///< what it fixes
  NamedTexts levels;
  const ItemSpec* item = nullptr;  ///< null: the table's cell, or that of the other direction
  bool is_system = false;
  bool is_measured = false;  ///< of a system
  NamedTexts about{};        ///< of a row that is a system: those of the table's attributes that it has
};

/// One cell.
struct GridCell {
  const ItemSpec* item = nullptr;
  LayoutPlace place;
  LayoutValue value;
};

/// A filled table; lines in which nothing was found, measured or published, are left out.
struct LayoutGrid {
  const TableSpec* table = nullptr;
  std::string subtitle;  ///< which of several
  std::vector<GridLine> rows;
  std::vector<GridLine> columns;
  std::vector<std::vector<GridCell>> cells;  ///< by row, then by column
  bool is_empty() const { return rows.empty() || columns.empty(); }
};

/// The tables that one of a layout's makes: one, or one for each of its `each`.
std::vector<LayoutGrid> fill(const TableSpec& table, const LayoutSystems& systems, const LayoutFormulas& formulas);

/// What a cell's number is divided by to be shown, and what is written behind its table's title: that of the item, else
/// of the table.
std::string unit_of(const TableSpec& table, const ItemSpec& item);
double multiple_of(const TableSpec& table, const ItemSpec& item);

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
