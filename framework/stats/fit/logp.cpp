// SPDX-License-Identifier: Apache-2.0
// Latency from round trips, overheads and one-way differences, and means per message along growing bursts.
#include "stats/fit/logp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "stats/fit/line_fit.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr const char* overlapped = "N5: send and receive overlap";

/// The same value, not valid where it cannot be distinguished from 0 or where there is nothing between send and
/// receive.
Derived judged(Derived latency) {
  if (!latency.valid) return latency;
  const auto refuse = [&](std::string reason) {
    latency.valid = false;
    latency.reason = std::move(reason);
  };
  if (latency.interval.contains(0))
    refuse("the interval contains 0");
  else if (latency.value < 0)
    refuse(overlapped);
  return latency;
}

Estimate as_estimate(const Derived& derived) { return {"derived", derived.value, derived.interval, "derived"}; }

}  // namespace

Estimate scaled(Estimate estimate, double factor) {
  estimate.value *= factor;
  estimate.interval.low *= factor;
  estimate.interval.high *= factor;
  return estimate;
}

Derived polled_delivery(const Estimate& rtt, const Estimate& o_s) { return judged(difference(scaled(rtt, 0.5), o_s)); }

Derived polled_latency(const Estimate& rtt, const Estimate& o_s, const Estimate& o_r) {
  const Derived delivery = difference(scaled(rtt, 0.5), o_s);
  return delivery.valid ? judged(difference(as_estimate(delivery), o_r)) : delivery;
}

Derived blocked_latency(const Estimate& d) {
  // Against an exact 0, so that a flaw of the estimate is reported in the usual words.
  const Estimate nothing{"constant", 0, {0, 0, 1}, "constant"};
  Derived latency = judged(difference(d, nothing));
  if (!latency.interval.available()) return latency;
  latency.value = std::max(0.0, latency.value);
  latency.interval.low = std::max(0.0, latency.interval.low);
  latency.interval.high = std::max(0.0, latency.interval.high);
  return latency;
}

Derived unless_overlapped(Derived latency, const std::optional<Estimate>& d) {
  if (!latency.valid || !d || !d->interval.available() || d->interval.high >= 0) return latency;
  latency.valid = false;
  latency.reason = std::string(overlapped) + ": D is negative";
  return latency;
}

std::optional<bool> agrees(const Derived& ratio, double tolerance) {
  if (!ratio.valid) return std::nullopt;
  return std::abs(ratio.value - 1) <= tolerance;
}

bool contradicts(const Estimate& gap, const Estimate& overhead) {
  return gap.interval.available() && overhead.interval.available() && gap.interval.high < overhead.interval.low;
}

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
