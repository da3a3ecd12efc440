// SPDX-License-Identifier: Apache-2.0
// A row of the table of a series, and the units that columns are shown in.
#include "record/table/result_row.hpp"

namespace assay {

bool is_shown(const Result& result) { return result.regime_share >= least_share_shown; }

bool is_rare_state(const Result& result) { return result.state_share < least_share_of_state; }

ColumnScales column_scales(const std::vector<const Result*>& results) {
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, Unit> units;
  for (const Result* result : results) {
    values[result->quantity].push_back(result->headline.value);
    units[result->quantity] = result->unit;
  }
  ColumnScales scales;
  for (const auto& [quantity, seen] : values) scales[quantity] = common_scale(seen, units[quantity]);
  return scales;
}

ColumnScales column_scales(const SeriesGroup& group) {
  std::vector<const Result*> results;
  for (const PointRecord& point : group.points)
    for (const Result& result : point.results)
      if (is_shown(result)) results.push_back(&result);
  return column_scales(results);
}

Scale scale_in(const ColumnScales& scales, const Result& result) {
  const auto found = scales.find(result.quantity);
  if (found != scales.end() && found->second) return *found->second;
  return scale_of(result.headline.value, result.unit);
}

}  // namespace assay
