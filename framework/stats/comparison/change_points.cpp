// SPDX-License-Identifier: Apache-2.0
// Divisions of a series held against those of its values in random order.
#include "stats/comparison/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/rng.hpp"
#include "stats/sample/distribution.hpp"
#include "stats/sample/moments.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_in_part = 2;
constexpr int orders = 1999;
constexpr std::uint64_t seed = 20260101;

// A value on the scale on which it is compared, with the variance according to its interval.
struct Scaled {
  double y = 0;
  double variance = 0;
  double weight = 1;
};

bool all_positive(std::span<const KnownValue> values) {
  return std::ranges::all_of(values, [](const KnownValue& one) {
    return one.value > 0 && (!one.interval.available() || one.interval.low > 0);
  });
}

double variance_of(const Interval& interval, bool logs) {
  if (!interval.available() || !std::isfinite(interval.low) || !std::isfinite(interval.high)) return 0;
  const double width = logs ? std::log(interval.high / interval.low) : interval.high - interval.low;
  const double level = std::min(interval.level, 0.9999);
  const double error = width / 2 / normal_quantile((1 + level) / 2);
  return error * error;
}

Scaled scaled(const KnownValue& one, bool logs) {
  if (!std::isfinite(one.value)) throw std::invalid_argument("a value is not finite");
  return {logs ? std::log(one.value) : one.value, variance_of(one.interval, logs), 1};
}

double mean_variance(std::span<const Scaled> values) {
  Mean mean;
  for (const Scaled& one : values) mean(one.variance);
  return acc::mean(mean);
}

Summary moments(std::span<const Scaled> values) {
  std::vector<double> numbers;
  for (const Scaled& one : values) numbers.push_back(one.y);
  return moments_of(numbers);
}

// What values differ by beyond their intervals joins these in the weights.
void weigh(std::span<Scaled> values) {
  const double spread = moments(values).stddev;
  const double between = std::max(0.0, spread * spread - mean_variance(values));
  for (Scaled& one : values) {
    const double variance = one.variance + between;
    one.weight = variance > 0 ? 1 / variance : 1;
  }
}

WeightedMean weighted_mean(std::span<const Scaled> values) {
  WeightedMean mean;
  for (const Scaled& one : values) mean(one.y, acc::weight = one.weight);
  return mean;
}

struct Division {
  std::size_t at = 0;
  double size = 0;
};

// The division with the largest weighted squared difference of its parts' means.
Division best_division(std::span<const Scaled> values) {
  const WeightedMean whole = weighted_mean(values);
  const double centre = acc::weighted_mean(whole);
  const double weights = acc::sum_of_weights(whole);
  Division best;
  double left_weight = 0;
  double left_sum = 0;
  for (std::size_t i = 0; i + fewest_in_part < values.size(); ++i) {
    left_weight += values[i].weight;
    left_sum += values[i].weight * (values[i].y - centre);
    if (i + 1 < fewest_in_part) continue;
    // The difference of the means of both parts follows from one part's distance to the whole.
    const double size = left_sum * left_sum * weights / (left_weight * (weights - left_weight));
    if (size > best.size) best = {i + 1, size};
  }
  return best;
}

// The share of orders that look as divided as this one, the current one among them. Stops where it is clear that there
// are too many.
double p_value(std::vector<Scaled> values, double size, double alpha) {
  Rng rng(seed);
  const double almost = size * (1 - 1e-9);
  int as_large = 1;
  for (int order = 0; order < orders; ++order) {
    values = rng.shuffled(std::move(values));
    as_large += best_division(values).size >= almost ? 1 : 0;
    if (as_large > alpha * (orders + 1)) return 1;
  }
  return static_cast<double>(as_large) / (orders + 1);
}

// A place of division found in a range, and the p-value by which it was.
using Found = std::vector<std::pair<std::size_t, double>>;

void divide(std::span<const Scaled> all, std::size_t first, std::size_t last, double alpha, Found& found) {
  if (last - first < fewest_for_a_change(alpha)) return;
  std::vector<Scaled> values(all.begin() + static_cast<std::ptrdiff_t>(first),
                             all.begin() + static_cast<std::ptrdiff_t>(last));
  weigh(values);
  const Division best = best_division(values);
  if (best.at == 0 || !(best.size > 0)) return;
  const std::size_t at = first + best.at;
  const double p = p_value(std::move(values), best.size, alpha);
  if (p > alpha) return;
  divide(all, first, at, alpha, found);
  found.emplace_back(at, p);
  divide(all, at, last, alpha, found);
}

double level_of(std::span<const Scaled> all, std::size_t first, std::size_t last) {
  std::vector<Scaled> values(all.begin() + static_cast<std::ptrdiff_t>(first),
                             all.begin() + static_cast<std::ptrdiff_t>(last));
  weigh(values);
  return acc::weighted_mean(weighted_mean(values));
}

double relative(double after, double before) {
  return before == 0 ? (after == 0 ? 0 : INFINITY) : (after - before) / std::abs(before);
}

void require(const ChangePointOptions& options) {
  if (!(options.alpha > 0 && options.alpha < 1)) throw std::invalid_argument("alpha is not between 0 and 1");
  if (!(options.margin >= 0)) throw std::invalid_argument("the margin is negative");
}

}  // namespace

std::size_t fewest_for_a_change(double alpha) {
  // Parts of half the values each, all of one above all of the other: two of so many choices look like that.
  std::size_t n = 2 * fewest_in_part;
  while (2 / binomial_coefficient(n, n / 2) > alpha) ++n;
  return n;
}

std::vector<ChangePoint> change_points(std::span<const KnownValue> values, const ChangePointOptions& options) {
  require(options);
  const bool logs = all_positive(values);
  std::vector<Scaled> all;
  for (const KnownValue& one : values) all.push_back(scaled(one, logs));
  Found found;
  divide(all, 0, all.size(), options.alpha, found);
  std::vector<ChangePoint> changes;
  std::size_t start = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [at, p] = found[i];
    const std::size_t end = i + 1 < found.size() ? found[i + 1].first : all.size();
    const double before = level_of(all, start, at);
    const double after = level_of(all, at, end);
    start = at;
    const ChangePoint change{at, logs ? std::exp(before) : before, logs ? std::exp(after) : after, p};
    if (std::abs(relative(change.after, change.before)) > options.margin) changes.push_back(change);
  }
  return changes;
}

Departure departure_of(const KnownValue& value, std::span<const KnownValue> earlier) {
  if (earlier.size() < fewest_earlier) throw std::invalid_argument("too few earlier values");
  const bool logs = all_positive(earlier) && all_positive({&value, 1});
  std::vector<Scaled> all;
  for (const KnownValue& one : earlier) all.push_back(scaled(one, logs));
  const Scaled further = scaled(value, logs);
  const Summary found = moments(all);
  const double n = static_cast<double>(all.size());
  const double known = mean_variance(all);
  const double spread = std::max(found.stddev * found.stddev, known);
  const double variance = spread * (1 + 1 / n) + std::max(0.0, further.variance - known);
  const double reach = student_quantile(0.975, n - 1) * std::sqrt(variance);
  const auto back = [&](double y) { return logs ? std::exp(y) : y; };
  Departure departure{back(found.mean), {back(found.mean - reach), back(found.mean + reach), 0.95}, 0, 1};
  departure.shift = relative(value.value, departure.expected);
  const double distance = further.y - found.mean;
  if (distance != 0) departure.p = variance > 0 ? fisher_above(distance * distance / variance, 1, n - 1) : 0;
  return departure;
}

}  // namespace assay
