// SPDX-License-Identifier: Apache-2.0
// A trace of noise, as Netgauge writes and LogGOPSim reads it.
#include <ostream>

#include "base/error.hpp"
#include "record/simulator/noise_trace.hpp"
#include "record/simulator/simulators.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/words.hpp"

namespace assay::simulator {

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
