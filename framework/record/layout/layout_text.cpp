// SPDX-License-Identifier: Apache-2.0
// Cells, tables and raw lines of a layout as text.
#include "record/layout/layout_grid.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>
#include <set>

#include "record/shown_value.hpp"
#include "record/table/block_table.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay {
namespace {

using FoundKind = FoundValue::Kind;

std::string unsigned_digits(const Derived& derived, double multiple) {
  Estimate estimate{"", std::abs(derived.value) / multiple, {}, ""};
  const double half = half_width(derived.value, derived.interval) / multiple;
  estimate.interval = {estimate.value - half, estimate.value + half, derived.interval.level};
  return short_text(estimate, Unit::ratio);
}

std::string number_text_of(const Derived& derived, const ItemSpec& item, double multiple) {
  const std::string digits = unsigned_digits(derived, multiple);
  const bool is_less = derived.value < 0;
  switch (item.style) {
    case Style::more:
      return digits + (is_less ? "% less" : "% more") + (item.words.empty() ? "" : " " + item.words);
    case Style::percent:
      return (is_less ? "-" : "") + digits + "%";
    case Style::times:
      return (is_less ? "-" : "") + digits + "x";
    case Style::number:
      break;
  }
  return (is_less ? "-" : "") + digits;
}

// The digits of the document in the words of the style.
std::string printed_text(const std::string& printed, const ItemSpec& item) {
  if (item.style == Style::percent) return printed + "%";
  if (item.style == Style::times) return printed + "x";
  if (item.style != Style::more) return printed;
  const bool is_less = printed.starts_with('-');
  return printed.substr(is_less ? 1 : 0) + (is_less ? "% less" : "% more") +
         (item.words.empty() ? "" : " " + item.words);
}

// Against itself there is nothing to say.
bool is_own_baseline(const GridCell& cell) {
  const bool is_change = cell.item->style == Style::more || (cell.item->style == Style::percent &&
                                                             cell.value.derived.valid && cell.value.derived.value == 0);
  return is_change && cell.value.printed.empty() && cell.value.inputs.size() == 1;
}

bool has_interval(const GridCell& cell) {
  const Derived& derived = cell.value.derived;
  return cell.value.kind == FoundKind::number && cell.value.is_measured && !is_own_baseline(cell) &&
         cell.value.printed.empty() && derived.interval.available() && derived.interval.level < 1;
}

double half_share(const GridCell& cell) {
  return std::abs(half_width(cell.value.derived.value, cell.value.derived.interval) / cell.value.derived.value);
}

// Beside a number: in per cent of it, or in points where it is itself in per cent.
std::string half_text(const TableSpec& table, const GridCell& cell) {
  if (cell.item == nullptr || !has_interval(cell)) return "";
  const Derived& derived = cell.value.derived;
  const bool is_share = cell.item->style == Style::more || cell.item->style == Style::percent;
  if (is_share) return fixed_text(half_width(derived.value, derived.interval) / multiple_of(table, *cell.item), 1);
  return percent_text(half_share(cell)) + "%";
}

/// Marks that every measured number of a table has, of three or more: they distinguish none, and are named below it.
std::string common_marks(const LayoutGrid& grid) {
  constexpr std::size_t few = 3;
  std::string common;
  std::size_t numbers = 0;
  for (const auto& row : grid.cells)
    for (const GridCell& cell : row) {
      if (cell.item == nullptr || cell.value.kind != FoundKind::number || !cell.value.is_measured) continue;
      if (numbers++ == 0) common = cell.value.marks;
      std::erase_if(common, [&](char mark) { return cell.value.marks.find(mark) == std::string::npos; });
    }
  return numbers < few ? "" : common;
}

MarkedText marked_text(const TableSpec& table, const GridCell& cell, const std::string& common) {
  if (cell.item == nullptr) return {""};
  std::string marks = cell.value.kind == FoundKind::number ? cell.value.marks : "";
  std::erase_if(marks, [&](char mark) { return common.find(mark) != std::string::npos; });
  if (cell.value.differs) marks += '*';
  return {cell_text(table, cell), marks};
}

/// Columns and rows of text made from a grid.
class TableText {
 public:
  explicit TableText(const LayoutGrid& grid) : grid_(grid), common_(common_marks(grid)) {
    const auto is_system = [](const GridLine& line) { return line.is_system; };
    below_ = std::ranges::any_of(grid.rows, is_system);
    beside_ = !below_ && std::ranges::any_of(grid.columns, is_system);
  }

  void print(std::ostream& out) const {
    std::vector<MarkedColumn> columns{labels()};
    for (const std::string& name : grid_.table->about) columns.push_back(attributes(name));
    for (std::size_t c = 0; c < grid_.columns.size(); ++c) {
      columns.push_back(numbers(c));
      if (beside_ && grid_.columns[c].is_measured) columns.push_back(halves(c));
    }
    if (grid_.table->bars) columns.push_back(bars());
    print_columns(out, columns);
    if (!below_ && !beside_) print_halves(out);
    for (const char mark : common_) out << mark << "  holds for every number measured here\n";
  }

 private:
  bool has_line_below(std::size_t row) const { return below_ && std::ranges::any_of(grid_.cells[row], has_interval); }

  MarkedColumn labels() const {
    const AxisSpec& rows = grid_.table->rows;
    MarkedColumn column(rows.kind == AxisSpec::Kind::factor ? printable(rows.name) : "", "",
                        rows.kind == AxisSpec::Kind::factor);
    for (std::size_t r = 0; r < grid_.rows.size(); ++r) {
      column.add({printable(grid_.rows[r].label)});
      if (has_line_below(r)) column.add({"  ±"});
    }
    return column;
  }

  MarkedColumn attributes(const std::string& name) const {
    MarkedColumn column(printable(name), "", false);
    for (std::size_t r = 0; r < grid_.rows.size(); ++r) {
      const std::string* text = text_for(grid_.rows[r].about, name);
      column.add({text == nullptr ? "-" : printable(*text)});
      if (has_line_below(r)) column.add({""});
    }
    return column;
  }

  MarkedColumn numbers(std::size_t c) const {
    const GridLine& line = grid_.columns[c];
    MarkedColumn column(printable(line.label), unit_below(line));
    for (std::size_t r = 0; r < grid_.rows.size(); ++r) {
      column.add(marked_text(*grid_.table, grid_.cells[r][c], common_));
      if (has_line_below(r)) column.add({half_text(*grid_.table, grid_.cells[r][c])});
    }
    return column;
  }

  // Where columns differ in their units they say so.
  std::string unit_below(const GridLine& line) const {
    return line.item == nullptr || line.item->unit == "1" ? "" : line.item->unit;
  }

  MarkedColumn halves(std::size_t c) const {
    MarkedColumn column("", "");
    for (const auto& row : grid_.cells) {
      const std::string half = half_text(*grid_.table, row[c]);
      column.add({half.empty() ? "" : "± " + half});
    }
    return column;
  }

  // Of the last column with numbers: what was measured stands behind what was published.
  MarkedColumn bars() const {
    constexpr double width = 40;
    MarkedColumn column("", "", false);
    std::vector<double> values;
    for (std::size_t r = 0; r < grid_.rows.size(); ++r) {
      double value = 0;
      for (const GridCell& cell : grid_.cells[r])
        if (cell.value.kind == FoundKind::number) value = cell.value.derived.value;
      values.push_back(value);
    }
    const double most = values.empty() ? 0 : *std::ranges::max_element(values);
    for (std::size_t r = 0; r < values.size(); ++r) {
      std::string bar;
      for (int i = 0; most > 0 && i < static_cast<int>(std::lround(values[r] / most * width)); ++i) bar += "▇";
      column.add({bar});
      if (has_line_below(r)) column.add({""});
    }
    return column;
  }

  // Where there is no room beside each number, how good they are as a whole.
  void print_halves(std::ostream& out) const {
    std::vector<double> shares;
    for (const auto& row : grid_.cells)
      for (const GridCell& cell : row)
        if (cell.item != nullptr && has_interval(cell) && std::isfinite(half_share(cell)))
          shares.push_back(half_share(cell));
    if (shares.empty()) return;
    out << "half-widths of the intervals: " << percent_text(median(shares)) << "% in the middle, "
        << percent_text(*std::ranges::max_element(shares)) << "% at most\n";
  }

  const LayoutGrid& grid_;
  std::string common_;
  bool below_ = false;
  bool beside_ = false;
};

std::string place_text(const GridCell& cell) {
  std::string text;
  for (const auto* texts : {&cell.place.attributes, &cell.place.levels})
    for (const auto& [name, value] : *texts)
      text += (text.empty() ? "" : ", ") + (name == "system" ? value : name + " " + shown_level(name, value));
  return printable(text);
}

template <class Visitor>
void for_each_cell(const LayoutGrid& grid, Visitor visit) {
  for (const auto& row : grid.cells)
    for (const GridCell& cell : row)
      if (cell.item != nullptr) visit(cell);
}

void print_differences(std::ostream& out, const LayoutGrid& grid) {
  for_each_cell(grid, [&](const GridCell& cell) {
    if (!cell.value.differs) return;
    const Derived own{*cell.value.differs, {*cell.value.differs, *cell.value.differs, 1}, true, {}};
    out << "*  " << place_text(cell) << ", " << printable(cell.item->label) << ": printed "
        << printed_text(cell.value.printed, *cell.item) << ", its own data give "
        << number_text_of(own, *cell.item, multiple_of(*grid.table, *cell.item));
    if (!cell.value.why_differs.empty()) out << ": " << printable(cell.value.why_differs);
    out << '\n';
  });
}

void print_reasons(std::ostream& out, const LayoutGrid& grid) {
  std::set<std::string> told;
  for_each_cell(grid, [&](const GridCell& cell) {
    if (cell.value.kind != FoundKind::lack || cell.value.reason.empty()) return;
    const std::string line = cell_text(*grid.table, cell) + "  " + printable(cell.value.reason);
    if (told.insert(line).second) out << line << '\n';
  });
}

std::string source_text(const FoundValue& input) {
  std::string text = printable(input.point->series) + " " + printable(to_text(input.point->point));
  if (input.result == nullptr) return text + ": " + input.lack;
  const Scale scale = scale_of(input.estimate.value, input.result->unit);
  const ShownValue number = shown(input.estimate.value, input.estimate.interval, scale);
  text += ": " + number.value + " (" + number.low + " .. " + number.high + ") " + scale.name + ", " +
          std::to_string(input.result->summary.n) + " timings, " + verdict_text(*input.result);
  if (input.result->regime != Regime::solo) text += ", " + regime_text(*input.result);
  return text;
}

void print_sources(std::ostream& out, const LayoutGrid& grid) {
  for_each_cell(grid, [&](const GridCell& cell) {
    if (!cell.value.is_measured) return;
    out << place_text(cell) << ", " << printable(cell.item->label) << " = " << printable(cell.item->text) << '\n';
    for (const FoundValue& input : cell.value.inputs)
      if (input.point != nullptr) out << "    " << source_text(input) << '\n';
  });
}

}  // namespace

std::string cell_text(const TableSpec& table, const GridCell& cell) {
  if (cell.item == nullptr) return "";
  if (cell.value.kind == FoundKind::none || is_own_baseline(cell)) return "-";
  if (cell.value.kind == FoundKind::lack) return printable(cell.value.lack);
  if (!cell.value.printed.empty()) return printable(printed_text(cell.value.printed, *cell.item));
  return number_text_of(cell.value.derived, *cell.item, multiple_of(table, *cell.item));
}

std::string marks_in(const LayoutGrid& grid) {
  std::string marks;
  for_each_cell(grid, [&](const GridCell& cell) { marks += cell.value.marks; });
  return marks;
}

void print(std::ostream& out, const LayoutGrid& grid, Detail detail) {
  out << printable(grid.table->title.empty() ? grid.table->key : grid.table->title);
  if (!grid.subtitle.empty()) out << ": " << printable(grid.subtitle);
  if (!grid.table->unit.empty()) out << " (" << grid.table->unit << ")";
  out << "\n\n";
  TableText(grid).print(out);
  if (!grid.table->note.empty()) out << printable(grid.table->note) << '\n';
  print_differences(out, grid);
  print_reasons(out, grid);
  if (detail == Detail::explained) print_sources(out, grid);
  out << '\n';
}

}  // namespace assay
