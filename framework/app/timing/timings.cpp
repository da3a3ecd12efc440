// SPDX-License-Identifier: Apache-2.0
// Runs that are needed, times their mean time.
#include "app/timing/timings.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

Nanoseconds of_runs(double runs, Nanoseconds cost) { return cost * std::max(runs, 0.0); }

// Of a command that has more than the least, as of its last interim analysis: the interval's width goes with the root
// of the time.
Nanoseconds until_convergence(const CommandTimes& times) {
  const double excess = times.verdict.estimate.relative_half_width() / standard_accuracy;
  return std::isfinite(excess) ? times.judged * (excess * excess) - times.spent : Nanoseconds{};
}

Nanoseconds left_of(const TimeRequest& request, const CommandTimes& times, Nanoseconds cost) {
  const auto runs = static_cast<double>(times.runs.size());
  const Nanoseconds by_runs = of_runs(request.least_runs - runs, cost);
  if (times.verdict.stop()) return {};
  if (request.is_exact) return by_runs;
  const Nanoseconds least = std::min(least_time_of_command, request.time_limit.value_or(most_time_of_command));
  Nanoseconds left = std::max(by_runs, least - times.spent);
  if (request.time_limit) left = std::max({left, until_convergence(times), cost});
  if (request.most_runs) left = std::min(left, of_runs(*request.most_runs - runs, cost));
  return left;
}

}  // namespace

Nanoseconds time_left(const TimeRequest& request, const std::vector<CommandTimes>& commands) {
  Nanoseconds spent{};
  Nanoseconds costs{};
  double known = 0;
  for (const CommandTimes& times : commands) {
    if (times.runs.empty()) continue;
    spent += times.spent;
    costs += times.spent / static_cast<double>(times.runs.size());
    ++known;
  }
  if (!(known > 0)) return {};
  Nanoseconds left{};
  for (const CommandTimes& times : commands)
    left += left_of(request, times,
                    times.runs.empty() ? costs / known : times.spent / static_cast<double>(times.runs.size()));
  return request.time_limit ? std::clamp(*request.time_limit - spent, Nanoseconds{}, left) : left;
}

}  // namespace assay
