// SPDX-License-Identifier: Apache-2.0
// Traces put together from the batches of `os/noise-detours`, each of which holds one detour; and one as Netgauge
// writes and LogGOPSim reads it.
#include "record/simulator/noise_trace.hpp"

#include <algorithm>
#include <ostream>

#include "base/error.hpp"
#include "record/simulator/simulators.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/words.hpp"

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

Remarks write_noise(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  const std::string where = "assay export --format noise";
  const auto all = recorded_noise(source.records, source.observations, options.filter, where);
  std::vector<std::string> names;
  for (const RecordedNoise& each : all) names.push_back("'" + each.name + "'");
  if (all.size() > 1)
    throw ConfigError(Problem{{where},
                              "there are traces of " + counted(all.size(), "point") + ", and the format has one",
                              joined(names, ", ", 4),
                              "choose one by --filter NAME=LEVEL"});
  const RecordedNoise& noise = all.front();
  out << "# " << printable(noise.name)
      << ": start and duration of detours, ns; the last line is the end of the trace\n";
  for (const collective::Detour& detour : noise.trace.detours)
    out << fixed_text(detour.start, 0) << '\t' << fixed_text(detour.duration, 0) << '\n';
  // Without a last line feed: LogGOPSim takes what follows one for a line.
  out << fixed_text(noise.trace.length, 0) << "\t0";
  return {percent(noise.lost) + " of " + rounded(Nanoseconds{noise.trace.length}) + " lost in " +
          counted(noise.trace.detours.size(), "detour")};
}

}  // namespace assay::simulator
