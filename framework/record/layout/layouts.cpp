// SPDX-License-Identifier: Apache-2.0
// Layouts by name, of sources, of files that come with the program and of the user's files; printing and deriving by
// declaration.
#include "record/layout/layouts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <ostream>
#include <set>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "record/layout/layout_grid.hpp"
#include "record/layout/layout_spec.hpp"
#include "record/table/results_table.hpp"
#include "record/table/table.hpp"
#include "text/printable.hpp"

namespace assay {
namespace {

constexpr std::size_t largest_file = std::size_t{1} << 24U;

bool has_measured(const LayoutGrid& grid) {
  return std::ranges::any_of(grid.cells, [](const std::vector<GridCell>& row) {
    return std::ranges::any_of(row, [](const GridCell& cell) { return cell.value.is_measured; });
  });
}

// Those with something measured; all of them where there is none, as the document by itself.
std::vector<LayoutGrid> shown_grids(const LayoutSpec& spec, const LayoutSystems& systems,
                                    const LayoutFormulas& formulas) {
  std::vector<LayoutGrid> grids;
  for (const TableSpec& table : spec.tables)
    for (LayoutGrid& grid : fill(table, systems, formulas)) grids.push_back(std::move(grid));
  if (std::ranges::any_of(grids, has_measured))
    std::erase_if(grids, [](const LayoutGrid& grid) { return !has_measured(grid); });
  return grids;
}

// Those with a point that some value of the layout could be.
std::set<std::string> shown_series(const LayoutSpec& spec, const LayoutSystems& systems, std::size_t campaign) {
  std::set<std::string> shown;
  for (const LayoutSystem& system : systems.all())
    if (!system.is_published && system.campaign == campaign)
      for (const ValueSpec& value : spec.values)
        for (const PointRecord* point : systems.points(system, value, {})) shown.insert(point->series);
  return shown;
}

void print_declared(std::ostream& out, const LayoutSpec& spec, std::span<const ShownCampaign> campaigns,
                    Detail detail) {
  const LayoutSystems systems(spec, campaigns);
  const LayoutFormulas formulas(spec, systems);
  if (campaigns.size() == 1) print_title(out, campaigns.front().records);
  std::string marks;
  const std::vector<LayoutGrid> grids = shown_grids(spec, systems, formulas);
  if (!grids.empty() && std::ranges::none_of(grids, has_measured))
    out << "nothing of this was measured here: the tables of layout '" << printable(spec.name)
        << "' are the published numbers alone\n\n";
  for (const LayoutGrid& grid : grids) {
    print(out, grid, detail);
    marks += marks_in(grid);
  }
  if (detail == Detail::explained)
    for (const LinesSpec& lines : spec.lines) print_lines(out, lines, spec, systems, campaigns);
  if (!spec.note.empty()) out << printable(spec.note) << "\n";
  if (!spec.reference.source.empty()) out << "published: " << printable(spec.reference.source) << "\n\n";
  print_legend(out, marks);
  for (std::size_t i = 0; i < campaigns.size(); ++i) {
    if (campaigns.size() > 1) out << printable(campaigns[i].name) << ": ";
    print_unshown(out, systems.groups()[i], shown_series(spec, systems, i));
    print_close(out, campaigns[i].records, systems.groups()[i]);
  }
}

// What stands in a cell by itself is in the journal already.
bool is_computed(const GridCell& cell) {
  return cell.item != nullptr && cell.value.is_measured && cell.item->formula.kind != FormulaNode::Kind::value;
}

DerivedRecord record_of(const TableSpec& table, const GridCell& cell) {
  DerivedRecord record;
  record.name = table.key + "." + cell.item->key;
  record.formula = cell.item->text;
  for (const auto* texts : {&cell.place.attributes, &cell.place.levels})
    for (const auto& [name, text] : *texts) record.group.set(name, parse_value(text).value_or(Value(text)));
  record.unit = unit_of(table, *cell.item).empty() ? "1" : unit_of(table, *cell.item);
  record.derived = cell.value.derived;
  if (cell.value.kind != FoundValue::Kind::number) {
    record.derived.valid = false;
    record.derived.reason = cell.value.reason.empty() ? cell.value.lack : cell.value.reason;
  } else {
    const double multiple = record.unit == "1" ? 1 : multiple_of(table, *cell.item);
    record.derived.value /= multiple;
    record.derived.interval.low /= multiple;
    record.derived.interval.high /= multiple;
  }
  return record;
}

std::vector<DerivedRecord> derive_declared(const LayoutSpec& spec, const std::vector<SeriesGroup>& groups,
                                           const std::string& configuration) {
  const LayoutSystems systems(spec, groups, configuration);
  const LayoutFormulas formulas(spec, systems);
  std::vector<DerivedRecord> records;
  for (const TableSpec& table : spec.tables)
    for (const LayoutGrid& grid : fill(table, systems, formulas))
      for (const auto& row : grid.cells)
        for (const GridCell& cell : row)
          if (is_computed(cell)) records.push_back(record_of(table, cell));
  return records;
}

std::vector<std::string> raw_of(const LayoutSpec& spec) {
  std::vector<std::string> measurements;
  for (const LinesSpec& lines : spec.lines)
    for (const ValueSpec& value : spec.values)
      if (value.name == lines.value) measurements.push_back(value.measurement);
  return measurements;
}

std::optional<std::string> shipped_text(const std::string& name) {
  for (const ShippedFile& file : shipped_files())
    if (file.name == name) return std::string(file.text);
  return std::nullopt;
}

}  // namespace

Layout declared_layout(LayoutSpec spec) {
  const auto shared = std::make_shared<const LayoutSpec>(std::move(spec));
  Layout layout{shared->name, shared->summary};
  layout.derive = [shared](const std::vector<SeriesGroup>& groups, const std::string& configuration) {
    return derive_declared(*shared, groups, configuration);
  };
  layout.print = [shared](std::ostream& out, std::span<const ShownCampaign> campaigns, Detail detail) {
    print_declared(out, *shared, campaigns, detail);
  };
  layout.raw_of = raw_of(*shared);
  return layout;
}

std::vector<std::string> shipped_layout_names() {
  std::vector<std::string> names;
  for (const ShippedFile& file : shipped_files())
    if (file.name.ends_with(".ini")) names.emplace_back(file.name.substr(0, file.name.size() - 4));
  std::ranges::sort(names);
  return names;
}

std::optional<Layout> shipped_layout(std::string_view name) {
  const std::string file = std::string(name) + ".ini";
  const auto text = shipped_text(file);
  if (!text) return std::nullopt;
  return declared_layout(parse_layout(*text, file, shipped_text));
}

Layout layout_in_file(const std::string& path) {
  const auto reference = [&](const std::string& name) -> std::optional<std::string> {
    const auto beside = std::filesystem::path(path).parent_path() / name;
    if (std::filesystem::exists(beside)) return read_plain_file(beside.string(), largest_file);
    return shipped_text(name);
  };
  try {
    return declared_layout(parse_layout(read_plain_file(path, largest_file), path, reference));
  } catch (const PlatformError& error) {
    throw ConfigError(Problem{{path}, "the layout cannot be read", error.what(), "name a layout file, or a layout"});
  }
}

namespace {

Layout plain() {
  return {
      plain_layout,
      "every series by itself, a row per point, quantity and regime",
      {},
      one_by_one([](std::ostream& out, const std::vector<Record>& records, Detail) { print_results(out, records); })};
}

struct LayoutSource {
  const char* name;
  Layout (*make)();
};
constexpr std::array<LayoutSource, 6> layout_sources{{{plain_layout, plain},
                                                      {"logp", logp_layout},
                                                      {"loggp", loggp_layout},
                                                      {"desupinski-may", desupinski_may_layout},
                                                      {"cluster", cluster_layout},
                                                      {"capability", capability_layout}}};

}  // namespace

std::vector<std::string> layout_names() {
  std::vector<std::string> names;
  for (const LayoutSource& source : layout_sources) names.emplace_back(source.name);
  for (std::string& name : shipped_layout_names()) names.push_back(std::move(name));
  return names;
}

std::optional<Layout> find_layout(std::string_view name) {
  const auto found = std::ranges::find(layout_sources, name, &LayoutSource::name);
  if (found != layout_sources.end()) return found->make();
  if (name.find('/') != name.npos || name.ends_with(".ini")) return layout_in_file(std::string(name));
  return shipped_layout(name);
}

std::optional<Layout> usable_layout(std::string_view name) {
  try {
    return find_layout(name);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

}  // namespace assay
