// SPDX-License-Identifier: Apache-2.0
// One input at a time to the ends of its interval, the changes in quadrature.
#include "stats/fit/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace assay {
namespace {

/// Why an estimate cannot enter a formula; empty when it can.
std::string flaw(const Estimate& estimate) {
  if (!std::isfinite(estimate.value)) return "an input is not a finite number";
  if (!estimate.interval.available()) return "an input has no interval";
  if (!std::isfinite(estimate.interval.low) || !std::isfinite(estimate.interval.high))
    return "the interval of an input is not finite";
  if (!estimate.interval.contains(estimate.value)) return "an input lies outside its interval";
  return {};
}

/// Sums of squares of the changes downwards and upwards.
struct Reach {
  double down = 0;
  double up = 0;

  void add(double lower, double higher) {
    const double least = std::min({lower, higher, 0.0});
    const double most = std::max({lower, higher, 0.0});
    down += least * least;
    up += most * most;
  }
};

}  // namespace

Estimate exactly_known(double value) { return {"known", value, {value, value, 1}, "known"}; }

Derived propagated(std::span<const Estimate> inputs, const FormulaOf& formula) {
  std::vector<double> at;
  double level = 1;
  for (const Estimate& input : inputs) {
    if (std::string found = flaw(input); !found.empty()) return not_derived(std::move(found));
    at.push_back(input.value);
    level = std::min(level, input.interval.level);
  }
  const double value = formula(at);
  Reach reach;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto change = [&](double end) {
      at[i] = end;
      return formula(at) - value;
    };
    const double lower = change(inputs[i].interval.low);
    const double higher = change(inputs[i].interval.high);
    at[i] = inputs[i].value;
    reach.add(lower, higher);
    if (!std::isfinite(lower) || !std::isfinite(higher))
      return not_derived("the formula has no value within the intervals");
  }
  if (!std::isfinite(value)) return not_derived("the formula has no finite value");
  return {value, {value - std::sqrt(reach.down), value + std::sqrt(reach.up), level}, true, {}};
}

}  // namespace assay
