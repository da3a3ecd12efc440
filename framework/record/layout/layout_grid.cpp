// SPDX-License-Identifier: Apache-2.0
// Axes become rows and columns, and each crossing a cell.
#include "record/layout/layout_grid.hpp"

#include <algorithm>
#include <iterator>

#include "text/scale.hpp"

namespace assay {
namespace {

class Filler {
 public:
  Filler(const TableSpec& table, const LayoutSystems& systems, const LayoutFormulas& formulas)
      : table_(table), systems_(systems), formulas_(formulas) {}

  std::vector<LayoutGrid> fill() const {
    std::vector<LayoutGrid> grids;
    if (table_.each.kind == AxisSpec::Kind::none) {
      grids.push_back(grid_at({}));
    } else {
      for (const GridLine& one : lines_of(table_.each, {}, {})) grids.push_back(grid_at(one));
    }
    std::erase_if(grids, [](const LayoutGrid& grid) { return grid.is_empty(); });
    return grids;
  }

 private:
  LayoutGrid grid_at(const GridLine& each) const {
    LayoutGrid grid;
    grid.table = &table_;
    grid.subtitle = table_.each.kind == AxisSpec::Kind::factor ? table_.each.name + " " + each.label : each.label;
    grid.rows = lines_of(table_.rows, table_.row_items, each);
    grid.columns = lines_of(table_.columns, table_.column_items, each);
    for (const GridLine& row : grid.rows) {
      auto& cells = grid.cells.emplace_back();
      for (const GridLine& column : grid.columns) cells.push_back(cell_at(each, row, column));
    }
    leave_out_empty(grid);
    return grid;
  }

  GridCell cell_at(const GridLine& each, const GridLine& row, const GridLine& column) const {
    GridCell cell;
    cell.place.group = table_.group;
    for (const GridLine* line : {&each, &row, &column}) {
      for (const auto& [name, text] : line->attributes)
        cell.place.attributes = with(std::move(cell.place.attributes), name, text);
      for (const auto& [name, text] : line->levels) cell.place.levels = with(std::move(cell.place.levels), name, text);
    }
    cell.item = row.item != nullptr ? row.item : column.item;
    if (cell.item == nullptr && table_.cell) cell.item = &*table_.cell;
    if (cell.item == nullptr) return cell;
    cell.value = formulas_.at(*cell.item, cell_name(*cell.item), cell.place, multiple_of(table_, *cell.item));
    return cell;
  }

  // What a reference calls the cells of an item.
  std::string cell_name(const ItemSpec& item) const { return table_.key + "." + item.key; }

  std::vector<GridLine> lines_of(const AxisSpec& axis, const std::vector<ItemSpec>& items, const GridLine& each) const {
    std::vector<GridLine> lines;
    if (axis.kind == AxisSpec::Kind::systems) lines = system_lines(axis);
    if (axis.kind == AxisSpec::Kind::factor) lines = factor_lines(axis, each);
    for (const ItemSpec& item : items) lines.push_back({item.label, {}, {}, &item});
    return lines;
  }

  std::vector<GridLine> system_lines(const AxisSpec& axis) const {
    std::vector<GridLine> lines;
    const std::string attribute = axis.name.empty() ? "system" : axis.name;
    for (const std::string& level : axis.levels)
      lines.push_back({shown_level(attribute, level), {{attribute, level}}, {}, nullptr, true});
    for (const LayoutSystem* system : systems_.matching({}, table_.group)) {
      const std::string* text = text_for(system->attributes, attribute);
      if (text == nullptr) continue;
      const NamedTexts wanted{{attribute, *text}};
      auto known = std::ranges::find(lines, wanted, &GridLine::attributes);
      if (known == lines.end() && axis.levels.empty())
        known = lines.insert(lines.end(), {shown_level(attribute, *text), wanted, {}, nullptr, true});
      if (known != lines.end() && known->about.empty()) known->about = about(*system);
      if (known != lines.end() && !system->is_published) known->is_measured = true;
    }
    return lines;
  }

  NamedTexts about(const LayoutSystem& system) const {
    NamedTexts found;
    for (const std::string& name : table_.about)
      if (const std::string* text = text_for(system.attributes, name)) found.emplace_back(name, *text);
    return found;
  }

  std::vector<GridLine> factor_lines(const AxisSpec& axis, const GridLine& each) const {
    std::vector<std::string> levels = axis.levels;
    if (levels.empty()) levels = levels_found(axis.name, each);
    std::vector<GridLine> lines;
    for (const std::string& level : levels) lines.push_back({shown_level(axis.name, level), {}, {{axis.name, level}}});
    return lines;
  }

  // Of every formula of the table, in the systems of this part of it or, where they are rows or columns, in all.
  std::vector<std::string> levels_found(const std::string& factor, const GridLine& each) const {
    std::vector<const ItemSpec*> items;
    for (const ItemSpec& item : table_.row_items) items.push_back(&item);
    for (const ItemSpec& item : table_.column_items) items.push_back(&item);
    if (table_.cell) items.push_back(&*table_.cell);
    std::vector<LayoutPlace> places{{each.attributes, each.levels, table_.group}};
    for (const AxisSpec* axis : {&table_.rows, &table_.columns})
      if (axis->kind == AxisSpec::Kind::systems)
        for (const GridLine& line : system_lines(*axis)) places.push_back({line.attributes, {}, table_.group});
    std::vector<std::string> found;
    const auto add = [&](const std::vector<std::string>& levels) {
      for (const std::string& level : levels)
        if (std::ranges::find(found, level) == found.end()) found.push_back(level);
    };
    for (const LayoutPlace& place : places)
      for (const ItemSpec* item : items) add(formulas_.levels(item->formula, place, factor));
    for (const ItemSpec* item : items) add(systems_.printed_levels(cell_name(*item), factor));
    return found;
  }

  // Columns of levels and items stay for the printer, which leaves out blank ones.
  static void leave_out_empty(LayoutGrid& grid) {
    const auto is_none = [](const GridCell& cell) { return cell.value.kind == FoundValue::Kind::none; };
    for (std::size_t r = grid.rows.size(); r-- > 0;) {
      if (!std::ranges::all_of(grid.cells[r], is_none)) continue;
      grid.rows.erase(grid.rows.begin() + static_cast<std::ptrdiff_t>(r));
      grid.cells.erase(grid.cells.begin() + static_cast<std::ptrdiff_t>(r));
    }
    for (std::size_t c = grid.columns.size(); c-- > 0;) {
      const auto is_none_in = [&](const auto& row) { return is_none(row[c]); };
      if (!grid.columns[c].is_system || !std::ranges::all_of(grid.cells, is_none_in)) continue;
      grid.columns.erase(grid.columns.begin() + static_cast<std::ptrdiff_t>(c));
      for (auto& row : grid.cells) row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
    }
  }

  const TableSpec& table_;
  const LayoutSystems& systems_;
  const LayoutFormulas& formulas_;
};

}  // namespace

std::vector<LayoutGrid> fill(const TableSpec& table, const LayoutSystems& systems, const LayoutFormulas& formulas) {
  return Filler(table, systems, formulas).fill();
}

std::string unit_of(const TableSpec& table, const ItemSpec& item) {
  if (item.style != Style::number) return {};
  return item.unit.empty() ? table.unit : item.unit;
}

double multiple_of(const TableSpec& table, const ItemSpec& item) {
  constexpr double percent = 0.01;
  if (item.style == Style::percent || item.style == Style::more) return percent;
  const std::string unit = unit_of(table, item);
  return unit.empty() ? 1 : multiple_named(unit).value_or(1);
}

}  // namespace assay
