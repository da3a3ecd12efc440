// SPDX-License-Identifier: Apache-2.0
// Predictions beside measured values.
#include <algorithm>
#include <cmath>

#include "record/predict/prediction.hpp"
#include "text/number_format.hpp"

namespace assay::predict {

namespace {

// Whether two distances of members are two, and their difference matters for what takes this long.
bool is_far(double a, double b, const Estimate& estimate) {
  return a > 0 && b > 0 && std::max(a, b) > same_distance * std::min(a, b) &&
         std::abs(a - b) > model_tolerance * estimate.value;
}

// CPUs that moved changed a time by no more than the reference round trip; of other quantities nothing is known.
bool moved_enough(const Parameter& parameter) {
  return parameter.unit != Unit::nanoseconds || parameter.moved_by == 0 ||
         parameter.moved_by > model_tolerance * parameter.estimate.value;
}

std::string doubt_of(const Parameter& parameter, const std::string& role) {
  if (parameter.is_unsteady) return role + " drifted or had two modes";
  const auto has = [&](char mark) { return parameter.marks.find(mark) != std::string::npos; };
  if (has('#')) return role + " is noisy";
  if (has('?')) return role + " has no interval";
  return has('^') && moved_enough(parameter) ? role + " was taken while CPUs moved" : std::string();
}

// Why nothing can be said whatever the numbers are; empty where there is no such reason.
std::string doubt(const Prediction& prediction, const Parameter& measured) {
  if (std::string found = doubt_of(measured, "the measured value"); !found.empty()) return found;
  double distance = measured.distance;
  for (const Parameter* input : prediction.inputs) {
    if (std::string found = doubt_of(*input, "parameter " + input->symbol); !found.empty()) return found;
    if (is_far(distance, input->distance, measured.estimate))
      return "the members were at another distance for " + input->symbol + ": reference round trips of " +
             rounded(input->distance) + " and " + rounded(distance) + " ns";
    if (distance == 0) distance = input->distance;
  }
  return {};
}

// A call at an agreed time is made from rest, by itself: within a node that can be most of what it takes.
bool is_from_rest(const Parameter& measured) { return level_text(measured.point, "start") == "window"; }

}  // namespace

std::string to_text(Fit fit) {
  switch (fit) {
    case Fit::agrees:
      return "agrees";
    case Fit::misses:
      return "model misses";
    case Fit::cannot_say:
      return "cannot say";
    default:
      return {};
  }
}

Interval with_model_error(double value, const Interval& of_parameters) {
  if (!of_parameters.available() || !(of_parameters.low > 0) || !(value > 0)) return {};
  const double model = std::log(1 + model_tolerance);
  const auto widened = [&](double end) { return std::exp(std::hypot(std::log(end / value), model)); };
  return {value / widened(of_parameters.low), value * widened(of_parameters.high), of_parameters.level};
}

Held hold(const Prediction& prediction, const std::vector<double>& predicted, Parameter measured,
          const std::string& campaign, const Draws& draws) {
  Held held;
  held.campaign = campaign;
  const double value = measured.estimate.value;
  held.ratio = prediction.value / value;
  held.is_inside = prediction.interval.contains(value);
  std::vector<double> ratios = draws.of(measured);
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] = predicted.at(i) / ratios[i];
  held.interval = interval_of(std::move(ratios), prediction_level);
  held.reason = doubt(prediction, measured);
  held.measured = std::move(measured);
  if (!held.reason.empty()) return held;
  if (!(held.ratio > 0) || !held.interval.available() || held.interval.low <= 0) {
    held.reason = "there is no ratio of positive numbers";
    return held;
  }
  const double reach = std::max(held.interval.high / held.ratio, held.ratio / held.interval.low);
  const bool is_near = std::max(held.ratio, 1 / held.ratio) <= 1 + model_tolerance;
  if (reach > widest_ratio) {
    held.reason = "the interval of the ratio reaches a factor of " + rounded(reach);
    return held;
  }
  held.fit = is_near || held.interval.contains(1) ? Fit::agrees : Fit::misses;
  if (held.fit == Fit::misses) held.reason = "by a factor of " + rounded(held.ratio);
  if (held.fit == Fit::misses && is_from_rest(held.measured)) {
    held.fit = Fit::cannot_say;
    held.reason += ", but each call was made from rest (start = window), and parameters are of calls in a row";
  }
  return held;
}

}  // namespace assay::predict
