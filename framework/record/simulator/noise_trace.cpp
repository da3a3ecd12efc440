// SPDX-License-Identifier: Apache-2.0
// Traces put together from the batches of `os/noise-detours`, each of which holds one detour.
#include "record/simulator/noise_trace.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace assay::simulator {

namespace {

const Result* result_of(const PointRecord& point, const char* quantity) {
  const auto found = std::ranges::find(point.results, quantity, &Result::quantity);
  return found == point.results.end() ? nullptr : &*found;
}

RecordedNoise trace_of(const PointRecord& point, const std::vector<LoggedObservation>& detours,
                       const std::vector<LoggedObservation>& waits) {
  RecordedNoise noise{.name = to_text(point.point), .trace = {}, .lost = 0};
  double time = 0, lost = 0;
  std::vector<collective::Detour> found;
  for (std::size_t i = 0; i < detours.size(); ++i) {
    time += std::max(0.0, waits[i].value);
    const double duration = std::max(0.0, detours[i].value);
    if (duration > 0) found.push_back({time, duration});
    time += duration;
    lost += duration;
  }
  noise.trace = collective::noise_trace(std::move(found), time);
  noise.lost = time > 0 ? lost / time : 0;
  return noise;
}

}  // namespace

std::vector<RecordedNoise> recorded_noise(const std::vector<Record>& records, const ObservationLog& observations,
                                          const std::vector<RowCondition>& filter, const std::string& where) {
  std::vector<RecordedNoise> all;
  for (const SeriesGroup& group : filtered(group_by_series(records), filter)) {
    if (group.series.measurement != detours_measurement) continue;
    for (const PointRecord& point : group.points) {
      const Result* detour = result_of(point, detour_quantity);
      const Result* after = result_of(point, after_quantity);
      if (detour == nullptr || after == nullptr) continue;
      const auto detours = observations.clean(point, *detour), waits = observations.clean(point, *after);
      if (detours.empty() || detours.size() != waits.size()) continue;
      all.push_back(trace_of(point, detours, waits));
    }
  }
  if (all.empty())
    throw ConfigError(Problem{
        {where},
        "there is no trace of noise",
        std::string(detours_measurement) + " records one; the other measurements of noise keep counts and shares",
        "run configs/noise-trace.ini, and export that campaign"});
  return all;
}

}  // namespace assay::simulator
