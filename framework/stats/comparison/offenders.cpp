// SPDX-License-Identifier: Apache-2.0
// Binomial tests of many units.
#include "stats/comparison/offenders.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace assay {
namespace {

constexpr int bisections = 60;

void require_counts(const Offences& found) {
  if (found.bad < 0 || found.bad > found.tests)
    throw std::invalid_argument("a unit is bad in none to all of its tests");
}

// Probability of at least so many.
double at_least(const Offences& found, double share) {
  return found.bad == 0 ? 1 : 1 - binomial_cdf(found.bad - 1, found.tests, share);
}

// The share in [0, 1] at which a rising probability reaches `target`.
template <class Probability>
double share_where(double target, Probability probability) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < bisections; ++i) {
    const double middle = (low + high) / 2;
    (probability(middle) < target ? low : high) = middle;
  }
  return (low + high) / 2;
}

// All tests together.
struct Overall {
  double bad = 0;
  double tests = 0;
  /// The share of bad tests of all units but one.
  double rate_beside(const Offences& one) const {
    return tests > one.tests ? (bad - one.bad) / (tests - one.tests) : 0;
  }
};

void adjust_by_holm(std::vector<OffenceFinding>& findings) {
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return findings[i].adjusted_p; });
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    double& p = findings[order[rank]].adjusted_p;
    largest = std::max(largest, p * static_cast<double>(order.size() - rank));
    p = std::min(1.0, largest);
  }
}

}  // namespace

Interval share_interval(const Offences& found, double level) {
  require_counts(found);
  if (found.tests == 0 || !(level > 0 && level < 1)) throw std::invalid_argument("a share of nothing has no interval");
  const double tail = (1 - level) / 2;
  const double low = found.bad == 0 ? 0 : share_where(tail, [&](double share) { return at_least(found, share); });
  const auto more = [&](double share) { return 1 - binomial_cdf(found.bad, found.tests, share); };
  const double high = found.bad == found.tests ? 1 : share_where(1 - tail, more);
  return {low, high, level};
}

std::vector<OffenceFinding> test_offences(std::span<const Offences> units, double rate) {
  Overall total;
  for (const Offences& unit : units) {
    require_counts(unit);
    total.bad += unit.bad;
    total.tests += unit.tests;
  }
  std::vector<OffenceFinding> findings(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].tests == 0) continue;
    findings[i].share = share_interval(units[i]);
    findings[i].adjusted_p = at_least(units[i], std::min(1.0, std::max(rate, total.rate_beside(units[i]))));
  }
  adjust_by_holm(findings);
  return findings;
}

}  // namespace assay
