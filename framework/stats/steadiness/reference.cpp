// SPDX-License-Identifier: Apache-2.0
// Median, spread and modes of reference round trips.
#include "stats/steadiness/reference.hpp"

#include <algorithm>
#include <iterator>

#include "base/batch.hpp"
#include "stats/sample/sample.hpp"
#include "stats/sample/summary.hpp"
#include "stats/steadiness/steadiness.hpp"

namespace assay {
namespace {

constexpr double factor_moved = 1.5;
constexpr double factor_modes = 1.2;
constexpr std::size_t fewest = 5;
constexpr double reference_alpha = 0.05;

// As of one process: what separates visits of different processes here is their time, and that is what is asked for.
std::vector<Mode> modes_in(const std::vector<double>& trips, const std::vector<double>& sorted) {
  Sample sample;
  for (const double trip : trips) sample.add({trip, 0, 0, static_cast<int>(sample.size())});
  return modes_of(sample, sorted, reference_alpha, 0);
}

}  // namespace

ReferenceTrips summarize_reference(const std::vector<double>& trips) {
  std::vector<double> running;
  std::ranges::copy_if(trips, std::back_inserter(running), [](double trip) { return trip <= longest_distance.count; });
  ReferenceTrips found;
  found.visits = running.size();
  if (running.empty()) return found;
  std::vector<double> sorted = running;
  std::ranges::sort(sorted);
  const std::size_t trimmed = sorted.size() < fewest ? 0 : std::max<std::size_t>(1, sorted.size() / 10);
  found.median = quantile(sorted, 0.5);
  found.low = sorted[trimmed];
  found.high = sorted[sorted.size() - 1 - trimmed];
  if (sorted.size() < fewest) return found;
  found.moved = found.high > factor_moved * found.low;
  const auto modes = modes_in(running, sorted);
  if (modes.size() < 2 || modes.back().median < factor_modes * modes.front().median) return found;
  found.low = modes.front().median;
  found.high = modes.back().median;
  found.moved = true;
  return found;
}

}  // namespace assay
