// SPDX-License-Identifier: Apache-2.0
// Normal deviates by replicate, bent to the two sides of an interval.
#include "record/predict/draw.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/rng.hpp"

namespace assay::predict {

namespace {

std::vector<double> normals(std::uint64_t seed, const std::string& name, std::size_t count) {
  Rng rng = Rng(seed).substream(name);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = rng.normal();
  return numbers;
}

// Deviations of the replicates' values from their mean, on the scale of the draws; none where they do not vary.
std::vector<double> deviations(const std::vector<Replicate>& replicates, bool in_logs) {
  std::vector<double> values;
  double mean = 0;
  for (const Replicate& one : replicates) {
    if (in_logs && one.value <= 0) return {};
    values.push_back(in_logs ? std::log(one.value) : one.value);
    mean += values.back() / static_cast<double>(replicates.size());
  }
  double squares = 0;
  for (double& value : values) {
    value -= mean;
    squares += value * value;
  }
  if (!(squares > 0)) return {};
  for (double& value : values) value /= std::sqrt(squares);
  return values;
}

}  // namespace

std::vector<double> Draws::deviates(const Parameter& parameter) const {
  const auto shares = deviations(parameter.replicates, parameter.estimate.interval.low > 0);
  if (parameter.varies_with.empty() || shares.empty())
    return normals(seed_, "alone " + parameter.origin + ' ' + parameter.symbol + ' ' + parameter.quantity, count_);
  std::vector<double> sums(count_);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const Replicate& one = parameter.replicates[i];
    const auto own = normals(
        seed_, parameter.varies_with + ' ' + std::to_string(one.session) + ' ' + std::to_string(one.incarnation),
        count_);
    for (std::size_t j = 0; j < count_; ++j) sums[j] += shares[i] * own[j];
  }
  return sums;
}

std::vector<double> Draws::of(const Parameter& parameter) const {
  const double value = parameter.estimate.value;
  const Interval& interval = parameter.estimate.interval;
  const bool is_known = !interval.available() || interval.level >= 1 || !interval.contains(value);
  if (is_known) return std::vector<double>(count_, value);
  const double at_end = normal_quantile(0.5 + interval.level / 2);
  const bool in_logs = interval.low > 0;
  std::vector<double> draws = deviates(parameter);
  for (double& draw : draws) {
    const double end = draw > 0 ? interval.high : interval.low;
    const double reach = std::abs(draw) / at_end;
    draw = in_logs ? value * std::pow(end / value, reach) : value + (end - value) * reach;
  }
  return draws;
}

Interval interval_of(std::vector<double> draws, double level) {
  if (draws.empty() || !std::ranges::all_of(draws, [](double draw) { return std::isfinite(draw); })) return {};
  std::ranges::sort(draws);
  return {quantile(draws, (1 - level) / 2), quantile(draws, (1 + level) / 2), level};
}

}  // namespace assay::predict
