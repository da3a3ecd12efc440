// SPDX-License-Identifier: Apache-2.0
// Cells out of the points of the series.
#include "record/capability/cells.hpp"

#include <algorithm>
#include <array>

namespace assay::capability {

namespace {

std::string word(const Point& point, const char* factor) {
  const Value* level = point.find(factor);
  const auto* text = level == nullptr ? nullptr : std::get_if<std::string>(level);
  return text == nullptr ? std::string() : *text;
}

// Of the regime that most batches were in.
const Result* usual_result(const PointRecord& point) {
  const Result* found = nullptr;
  for (const Result& result : point.results)
    if (result.quantity == "time" && (found == nullptr || result.regime_share > found->regime_share)) found = &result;
  return found;
}

Point machine_of(const Point& point) {
  constexpr std::array modelled{operation_factor, line_factor,    holder_factor, "access",
                                placement_factor, members_factor, "bystander",   "window"};
  Point machine = point;
  for (const char* factor : modelled) machine = machine.without(factor);
  return machine;
}

std::vector<Cell> cells_of(const std::vector<SeriesGroup>& groups, const char* measurement) {
  std::vector<Cell> cells;
  for (const SeriesGroup& group : groups) {
    if (group.series.measurement != measurement) continue;
    for (const PointRecord& point : group.points) {
      const Result* result = usual_result(point);
      if (result == nullptr || !result->headline.interval.available()) continue;
      const Value* members = point.point.find(members_factor);
      const double count = members == nullptr ? 1 : number_of(*members).value_or(1);
      cells.push_back({point.point, machine_of(point.point), word(point.point, operation_factor),
                       word(point.point, line_factor), word(point.point, holder_factor),
                       word(point.point, placement_factor), static_cast<int>(count), result->headline});
    }
  }
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
