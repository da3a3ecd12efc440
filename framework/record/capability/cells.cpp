// SPDX-License-Identifier: Apache-2.0
// Cells out of the points of the series.
#include "record/capability/cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "record/distances.hpp"

namespace assay::capability {

namespace {

std::string word(const Point& point, const char* factor) {
  const Value* level = point.find(factor);
  const auto* text = level == nullptr ? nullptr : std::get_if<std::string>(level);
  return text == nullptr ? std::string() : *text;
}

Point machine_of(const Point& point) {
  constexpr std::array modelled{operation_factor, line_factor, holder_factor, "access",       placement_factor,
                                members_factor,   "bystander", "window",      distance_factor};
  Point machine = point;
  for (const char* factor : modelled) machine = machine.without(factor);
  return machine;
}

// Distances that differ by less than two do are one, which is called by the least of them.
std::int64_t name_of(double distance, const std::vector<double>& ascending) {
  double least = ascending.front();
  double last = least;
  for (const double one : ascending) {
    if (factor_between(one, last) > same_distance) least = one;
    last = one;
    if (one == distance) break;
  }
  return std::llround(least);
}

// Names the distance of each cell where a machine's members were at several.
void separate_distances(std::vector<Cell>& cells) {
  std::vector<std::pair<Point, std::vector<double>>> known;
  for (const Cell& cell : cells) {
    if (cell.distance <= 0) continue;
    auto own = std::ranges::find(known, cell.machine, &std::pair<Point, std::vector<double>>::first);
    if (own == known.end()) own = known.insert(known.end(), {cell.machine, {}});
    own->second.push_back(cell.distance);
  }
  for (auto& [machine, distances] : known) {
    std::ranges::sort(distances);
    if (name_of(distances.back(), distances) == name_of(distances.front(), distances)) continue;
    for (Cell& cell : cells)
      if (cell.distance > 0 && cell.machine == machine)
        cell.point.set(distance_factor, name_of(cell.distance, distances));
  }
}

std::vector<Cell> cells_of(const std::vector<SeriesGroup>& groups, const char* measurement) {
  std::vector<Cell> cells;
  for (const SeriesGroup& group : groups) {
    if (group.series.measurement != measurement) continue;
    for (const PointRecord& point : group.points) {
      const Value* members = point.point.find(members_factor);
      const double count = members == nullptr ? 1 : number_of(*members).value_or(1);
      for (const Result* result : results_by_distance(point, "time", std::nullopt))
        if (result->headline.interval.available())
          cells.push_back({point.point, machine_of(point.point), word(point.point, operation_factor),
                           word(point.point, line_factor), word(point.point, holder_factor),
                           word(point.point, placement_factor), static_cast<int>(count),
                           count < 2 ? 0 : distance_of(point, *result), result->headline});
    }
  }
  separate_distances(cells);
  return cells;
}

}  // namespace

int Cell::invalidated() const {
  const bool is_of_several = line == "shared" || line == "owned";
  return is_of_several && is_local() && operation != "load" ? members - 1 : 0;
}

std::vector<Cell> accesses_of(const std::vector<SeriesGroup>& groups) {
  auto cells = cells_of(groups, "sync/line");
  std::erase_if(cells, [](const Cell& cell) { return word(cell.point, "access") == "independent"; });
  return cells;
}

std::vector<Cell> contended_of(const std::vector<SeriesGroup>& groups) {
  return cells_of(groups, "sync/line_contended");
}

}  // namespace assay::capability
