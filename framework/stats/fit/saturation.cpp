// SPDX-License-Identifier: Apache-2.0
// Means per message along growing bursts.
#include "stats/fit/saturation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "stats/fit/line_fit.hpp"
#include "stats/fit/logp.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr double settled = 0.01;

double mean_of(const Abscissa& burst) { return burst.y.value / burst.x; }

/// The longest burst of at most half the length.
const Abscissa* before(const std::vector<Abscissa>& bursts, const Abscissa& burst) {
  const Abscissa* found = nullptr;
  for (const Abscissa& shorter : bursts)
    if (shorter.x <= burst.x / 2) found = &shorter;
  return found;
}

double change(const std::vector<Abscissa>& bursts, const Abscissa& burst) {
  const Abscissa* shorter = before(bursts, burst);
  return shorter == nullptr ? 1 : std::abs(mean_of(burst) / mean_of(*shorter) - 1);
}

}  // namespace

Derived saturation(std::span<const Abscissa> bursts, double eps) {
  if (!(eps > 0 && eps < 1)) throw std::invalid_argument("eps of a saturation lies between 0 and 1");
  std::vector<Abscissa> sorted(bursts.begin(), bursts.end());
  std::ranges::sort(sorted, {}, &Abscissa::x);
  for (const Abscissa& burst : sorted)
    if (std::string found = flaw_of(burst); !found.empty()) return not_derived(std::move(found));
  if (sorted.empty() || sorted.front().x != 1) return not_derived("no burst of one message, which is the round trip");
  if (!(sorted.front().y.value > 0)) return not_derived("the round trip is not positive");
  const double trip = sorted.front().y.value;
  for (const Abscissa& burst : sorted)
    if (change(sorted, burst) < settled && trip / burst.y.value < eps / 2) {
      const Estimate mean = scaled(burst.y, 1 / burst.x);
      return {mean.value, mean.interval, true, {}};
    }
  const Abscissa& last = sorted.back();
  return not_derived("not settled at bursts of " + rounded(last.x) + ": the mean per message still changes by " +
                     percent(change(sorted, last)) + " and the round trip is " + percent(trip / last.y.value) +
                     " of the burst");
}

}  // namespace assay
