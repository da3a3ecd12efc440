// SPDX-License-Identifier: Apache-2.0
// Layout `capability`: the parameters of the model of cache lines, contention, and each measured access beside the
// model.
#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "record/capability/capability.hpp"
#include "record/capability/cells.hpp"
#include "record/layout/layouts.hpp"
#include "record/shown_value.hpp"
#include "record/table/block_table.hpp"
#include "record/table/results_table.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay {

namespace capability {

namespace {

using Records = std::vector<const DerivedRecord*>;

std::string with_width(const Derived& derived) {
  if (!derived.valid) return "n/a";
  const double half = half_width(derived.value, derived.interval);
  const std::string value = shown(derived.value, derived.interval, Scale{1, ""}).value;
  return std::isfinite(half) ? value + " ±" + fixed_text(half, decimals_for(derived.value, half)) : value;
}

std::string meaning_of(const DerivedRecord& record) {
  const std::string& name = record.name;
  const auto level = [&](const char* factor) { return shown_level(record.group, factor); };
  const bool has_distance = record.group.find(distance_factor) != nullptr;
  const std::string place =
      level(placement_factor) + (has_distance ? ", distance " + level(distance_factor) + " ns" : "");
  if (name == local_name) return "a load of a line that the own cache has";
  if (name == remote_name) return "a load of a line that another member has, " + place;
  if (name == memory_name) {
    const bool has_node = record.group.find(placement_factor) != nullptr;
    return "a load of a line that no cache has" + (has_node ? ", " + level(placement_factor) : "");
  }
  if (name == operation_name) return level(operation_factor) + ", beyond a load";
  return "invalidating the copies of " + level(sharers_factor) + " other, " + place;
}

// Places from near to far, then what is added to them.
void print_parameters(std::ostream& out, Records records) {
  constexpr std::array<std::string_view, 5> order{local_name, remote_name, memory_name, operation_name,
                                                  invalidation_name};
  std::ranges::stable_sort(records, {}, [&](const DerivedRecord* record) {
    return std::ranges::find(order, std::string_view(record->name)) - order.begin();
  });
  MarkedColumn names("parameter", "", false);
  MarkedColumn values("ns", "");
  MarkedColumn meanings("of", "", false);
  for (const DerivedRecord* record : records) {
    names.add({record->name});
    values.add({with_width(record->derived)});
    meanings.add({printable(meaning_of(*record))});
  }
  print_columns(out, {names, values, meanings});
}

const Cell* cell_at(const std::vector<Cell>& cells, const Point& point) {
  const auto found = std::ranges::find(cells, point, &Cell::point);
  return found == cells.end() ? nullptr : &*found;
}

void print_fit(std::ostream& out, const Records& fits, const std::vector<Cell>& cells) {
  std::vector<MarkedColumn> columns;
  constexpr std::array<const char*, 6> factors{operation_factor, line_factor,    holder_factor,
                                               placement_factor, members_factor, distance_factor};
  for (const char* factor : factors)
    columns.emplace_back(factor, std::string(factor) == distance_factor ? "ns" : "", false);
  const std::size_t levels = columns.size();
  for (const char* name : {"measured", "model", "ratio"})
    columns.emplace_back(name, std::string(name) == "ratio" ? "" : "ns");
  for (const DerivedRecord* fit : fits) {
    const Cell* cell = cell_at(cells, fit->group);
    if (cell == nullptr) continue;
    for (std::size_t i = 0; i < levels; ++i) columns[i].add({printable(shown_level(fit->group, factors[i]))});
    const bool has_ratio = fit->derived.value > 0;
    const std::string model = has_ratio ? fixed_text(fit->derived.value * cell->time.value, 2) : "-";
    columns[levels].add({with_width({cell->time.value, cell->time.interval, true, {}})});
    columns[levels + 1].add({model});
    columns[levels + 2].add(
        {has_ratio ? fixed_text(fit->derived.value, 2) : "-", has_ratio && !fit->derived.valid ? "!" : ""});
  }
  print_columns(out, columns, levels);
}

void print_misses(std::ostream& out, const Records& fits) {
  const auto is_missed = [](const DerivedRecord* fit) { return fit->derived.value > 0 && !fit->derived.valid; };
  const auto missed = std::ranges::count_if(fits, is_missed);
  out << (missed == 0
              ? "the model holds: no access is missed"
              : "! the model misses " + std::to_string(missed) + " of " + std::to_string(fits.size()) + " accesses")
      << " by more than " << fixed_text(100 * tolerated, 0) << " % beyond its interval\n";
}

void print_contention(std::ostream& out, const Records& records) {
  MarkedColumn operations("operation", "", false);
  MarkedColumn members("members", "k");
  MarkedColumn places("placement", "", false);
  MarkedColumn distances("distance", "ns", false);
  MarkedColumn values("c(k)", "");
  for (const DerivedRecord* record : records) {
    operations.add({shown_level(record->group, operation_factor)});
    members.add({shown_level(record->group, members_factor)});
    places.add({printable(shown_level(record->group, placement_factor))});
    distances.add({shown_level(record->group, distance_factor)});
    values.add({with_width(record->derived)});
  }
  out << "contention: time per operation of k members at one line, over that of one member\n";
  print_columns(out, {operations, members, places, distances, values});
}

// The records of one model, and the levels that it is of.
struct Table {
  Point machine;
  Records parameters{};
  Records fits{};
  const DerivedRecord* misfit = nullptr;
};

Point machine_of(const DerivedRecord& record) {
  Point point = record.group;
  for (const char* factor : {operation_factor, line_factor, holder_factor, "access", placement_factor, members_factor,
                             sharers_factor, "bystander", "window", distance_factor})
    point = point.without(factor);
  return point;
}

std::vector<Table> tables_of(const std::vector<DerivedRecord>& derived) {
  std::vector<Table> tables;
  for (const DerivedRecord& record : derived) {
    if (record.name == contention_name) continue;
    const Point machine = machine_of(record);
    auto table = std::ranges::find(tables, machine, &Table::machine);
    if (table == tables.end()) table = tables.insert(tables.end(), Table{machine});
    if (record.name == misfit_name)
      table->misfit = &record;
    else
      (record.name == fit_name ? table->fits : table->parameters).push_back(&record);
  }
  return tables;
}

std::string heading_of(const Point& machine) {
  std::string text;
  for (const auto& [factor, level] : machine.levels())
    text += (text.empty() ? "" : ", ") + factor + " " + shown_level(machine, factor);
  return printable(text);
}

void explain(std::ostream& out, const std::vector<DerivedRecord>& derived) {
  out << "\nReasons\n";
  for (const DerivedRecord& record : derived)
    if (!record.derived.valid)
      out << "  " << record.name << " at " << printable(heading_of(record.group)) << ": "
          << printable(record.derived.reason) << '\n';
}

void print(std::ostream& out, const std::vector<Record>& records, Detail detail) {
  const auto groups = group_by_series(records);
  const auto derived = derive(groups);
  const auto cells = accesses_of(groups);
  print_title(out, records);
  out << "Capability model of cache lines: an access that depends on the one before takes R + E + I\n\n";
  if (derived.empty()) out << "no series of sync/line has a dependent access with an interval\n\n";
  for (const Table& table : tables_of(derived)) {
    out << heading_of(table.machine) << '\n';
    print_parameters(out, table.parameters);
    out << '\n';
    print_fit(out, table.fits, cells);
    print_misses(out, table.fits);
    if (table.misfit != nullptr)
      out << "residuals are " << fixed_text(table.misfit->derived.value, 1)
          << " times what the intervals of the measured values explain (root mean square)\n";
    out << '\n';
  }
  Records contention;
  for (const DerivedRecord& record : derived)
    if (record.name == contention_name) contention.push_back(&record);
  if (!contention.empty()) print_contention(out, contention);
  if (detail == Detail::explained) explain(out, derived);
  out << '\n';
  std::set<std::string> used;
  for (const SeriesGroup& group : groups)
    if (group.series.measurement.starts_with("sync/line")) used.insert(group.series.series);
  print_unshown(out, groups, used);
  print_close(out, records, groups);
}

}  // namespace

}  // namespace capability

Layout capability_layout() {
  return {"capability", "model of accesses to cache lines: costs by place, operation and sharers, with what it misses",
          [](const auto& groups, const auto&) { return capability::derive(groups); }, one_by_one(&capability::print)};
}

}  // namespace assay
