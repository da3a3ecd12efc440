// SPDX-License-Identifier: Apache-2.0
// Trials of growing length, and the number of repetitions that follows from them.
#include "run/point/calibrator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "stats/sample/summary.hpp"
#include "text/number_format.hpp"

namespace assay {

namespace {

constexpr std::size_t trials = 5;
constexpr double resolved_steps = 20;
constexpr std::int64_t most_growth = std::int64_t{1} << 32;  // a second at a quarter of a nanosecond each
constexpr Nanoseconds longest_trial = seconds(1);

using Trial = std::function<Nanoseconds(Reps)>;

/// The second shortest of several trials: whatever disturbs one makes it longer, and a batch that turns out a little
/// longer than wanted does no harm where one that is too short has no resolution; but a clock that jumps back makes one
/// shorter. Long ones are tried again only while what is known of the action does not confirm the first.
Nanoseconds settled(const CalibrationLimits& limits, const Trial& trial, Reps reps, Nanoseconds first) {
  if (first >= long_action && first < 2 * static_cast<double>(reps.count) * limits.expected) return first;
  std::vector<Nanoseconds> tried{first};
  while (tried.size() < 2 || (tried.size() < trials && tried.front() < long_action)) {
    tried.push_back(trial(reps));
    std::sort(tried.begin(), tried.end());
  }
  return tried.size() < trials ? tried.front() : tried[1];
}

/// Time of one repetition.
Nanoseconds measure(const CalibrationLimits& limits, const Trial& trial) {
  const std::int64_t most = std::max(limits.reps.least.count, std::min(limits.reps.most.count, most_growth));
  for (std::int64_t count = limits.reps.least.count;; count = std::min(most, 2 * count)) {
    const auto is_too_short = [&](Nanoseconds duration) {
      const bool resolved = duration > resolved_steps * limits.clock_step && duration > Nanoseconds{};
      return !resolved && count < most && duration < longest_trial;
    };
    const Nanoseconds first = trial({count});
    if (is_too_short(first)) continue;
    const Nanoseconds duration = settled(limits, trial, {count}, first);
    if (is_too_short(duration)) continue;  // the first one was disturbed
    if (duration > Nanoseconds{}) return duration / static_cast<double>(count);
    if (count == most)
      throw FrozenClock("the clock does not advance: " + std::to_string(count) + " repetitions took " +
                        rounded(duration));
  }
}

/// The length wanted for the clock, cut to what stays undisturbed.
Nanoseconds wanted_length(const CalibrationLimits& limits, std::string& remark) {
  const Nanoseconds grain = std::max(limits.clock_step, limits.clock_spread);
  const Nanoseconds wanted = 5 * grain / limits.eps;
  const Nanoseconds undisturbed = limits.tick / 10;
  if (wanted <= undisturbed) return wanted;
  const Nanoseconds length = std::max(undisturbed, limits.clock_step / limits.eps);
  remark =
      "the clock requires batches of " + rounded(wanted) + "; they last " + rounded(length) +
      (length > undisturbed ? ", longer than a tenth of the scheduler's tick" : ", a tenth of the scheduler's tick");
  return length;
}

/// How many of the repetitions wanted whatever the clock needs stay undisturbed.
double undisturbed_of_several(const CalibrationLimits& limits, Nanoseconds per_rep) {
  return std::min(static_cast<double>(limits.several.count), std::floor(limits.tick / 10 / per_rep));
}

/// What the measurement's bounds make of the length; empty when nothing that matters.
std::string bound_remark(const CalibrationLimits& limits, const Calibration& chosen, std::int64_t wanted) {
  const Nanoseconds length = chosen.per_rep * static_cast<double>(chosen.reps.count);
  const std::string batches = "batches of " + rounded(length) + " are ";
  const std::string repetitions = std::to_string(chosen.reps.count) + " repetitions";
  if (chosen.reps.count < wanted)
    return batches + "shorter than required: the measurement allows at most " + repetitions;
  if (chosen.reps.count > wanted && length > limits.tick / 10)
    return batches + "longer than required: the measurement needs at least " + repetitions;
  return {};
}

}  // namespace

Nanoseconds batch_length(const CalibrationLimits& limits) {
  std::string remark;
  return wanted_length(limits, remark);
}

Calibration calibrate(const CalibrationLimits& limits, const Trial& trial) {
  Calibration chosen;
  chosen.per_rep = measure(limits, trial);
  const Nanoseconds length = wanted_length(limits, chosen.remark);
  const double needed = std::max(std::ceil(length / chosen.per_rep), undisturbed_of_several(limits, chosen.per_rep));
  const auto wanted = static_cast<std::int64_t>(std::clamp(needed, 1.0, 0x1p62));
  chosen.reps = {std::clamp(wanted, limits.reps.least.count, std::max(limits.reps.least, limits.reps.most).count)};
  if (chosen.reps.count >= wanted) chosen.wanted = length;
  if (wanted == 1) chosen.remark.clear();  // one repetition is as short as a batch can be
  if (std::string remark = bound_remark(limits, chosen, wanted); !remark.empty()) chosen.remark = std::move(remark);
  return chosen;
}

double within_spread(const Sample& sample) {
  if (sample.empty()) return 0;
  std::map<int, std::vector<double>> incarnations;
  for (const Observation& o : sample.observations()) incarnations[o.incarnation].push_back(o.value);
  std::vector<double> ranges;
  for (auto& [incarnation, values] : incarnations) {
    std::sort(values.begin(), values.end());
    ranges.push_back(quantile(values, 0.75) - quantile(values, 0.25));
  }
  const double centre = std::abs(median(sample.values()));
  return centre > 0 ? median(ranges) / centre : 0;
}

double between_spread(const Sample& sample) {
  std::vector<double> logs;
  for (const double m : sample.incarnation_medians()) {
    if (!(m > 0)) return 0;
    logs.push_back(std::log(m));
  }
  return summarize(logs).stddev;
}

}  // namespace assay
