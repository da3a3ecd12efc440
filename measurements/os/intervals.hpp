// SPDX-License-Identifier: Apache-2.0
// Work done in intervals of fixed length: how much less than undisturbed it is.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// Does `work` over and over and counts, for each element of `units`, how much of it was done in that interval. The
/// intervals follow each other without gaps, whatever happens; a unit across an edge counts on both sides by its time,
/// so that an interval that was lost altogether has next to nothing.
template <class Work>
void count_units(const Stopwatch& watch, Nanoseconds interval, std::vector<double>& units, Work&& work) {
  const std::int64_t origin = watch.start();
  Nanoseconds last{};
  Nanoseconds edge = interval;
  double done = 0;
  for (std::size_t i = 0; i < units.size();) {
    work();
    const Nanoseconds now = std::max(last, watch.between(origin, watch.start()));
    if (now < edge) {
      done += 1;
      last = now;
      continue;
    }
    const Nanoseconds length = now - last;
    for (; i < units.size() && now >= edge; ++i, edge += interval) {
      units[i] = done + (edge - last) / length;
      last = edge;
      done = 0;
    }
    done = (now - last) / length;
    last = now;
  }
}

/// The intervals of a window.
struct Intervals {
  double median = 0;
  double most = 0;
  double loss = 0;   ///< of the work that could have been done had all intervals been like the best one
  double worst = 0;  ///< the same of the worst interval
};

/// Describes the intervals of a window, which it sorts. `units` must not be empty.
inline Intervals describe_intervals(std::vector<double>& units) {
  std::sort(units.begin(), units.end());
  double all = 0;
  for (const double done : units) all += done;
  Intervals found;
  found.median = units[(units.size() - 1) / 2];
  found.most = units.back();
  if (!(found.most > 0)) return found;
  found.loss = std::max(0.0, 1 - all / (found.most * static_cast<double>(units.size())));
  found.worst = 1 - units.front() / found.most;
  return found;
}

}  // namespace assay
