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
constexpr std::size_t trials_in_a_row = 2;
constexpr Nanoseconds longest_in_a_row = milliseconds(20);  // the whole of such a trial

/// The second shortest of several trials: whatever disturbs one makes it longer, and a batch that turns out a little
/// longer than wanted does no harm where one that is too short has no resolution; but a clock that jumps back makes one
/// shorter. Long ones are tried again only while what is known of the action does not confirm the first.
TrialTime settled(const CalibrationLimits& limits, const Trial& trial, Reps reps, TrialTime first) {
  const auto is_long = [](const TrialTime& one) { return one.whole >= long_action; };
  if (is_long(first) && first.time < 2 * static_cast<double>(reps.count) * limits.expected) return first;
  std::vector<TrialTime> tried{first};
  while (tried.size() < 2 || (tried.size() < trials && !is_long(tried.front()))) {
    tried.push_back(trial(reps));
    std::ranges::sort(tried, {}, &TrialTime::time);
  }
  return tried.size() < trials ? tried.front() : tried[1];
}

/// The least number, doubled until as many are expected to be resolved: half as many would be a trial for nothing.
std::int64_t first_count(const CalibrationLimits& limits, std::int64_t most) {
  std::int64_t count = limits.reps.least.count;
  const Nanoseconds needed = resolved_steps * limits.clock_step;
  while (limits.expected > Nanoseconds{} && count < most && static_cast<double>(count) * limits.expected <= needed)
    count = std::min(most, 2 * count);
  return count;
}

/// A trial by repetitions.
TrialTime each(const TrialTime& all, std::int64_t count) {
  return {all.time / static_cast<double>(count), all.whole / static_cast<double>(count)};
}

/// Time of one repetition.
TrialTime measure(const CalibrationLimits& limits, const Trial& trial) {
  const std::int64_t most = std::max(limits.reps.least.count, std::min(limits.reps.most.count, most_growth));
  for (std::int64_t count = first_count(limits, most);; count = std::min(most, 2 * count)) {
    const auto is_too_short = [&](const TrialTime& tried) {
      const bool resolved = tried.time > resolved_steps * limits.clock_step && tried.time > Nanoseconds{};
      return !resolved && count < most && tried.time < longest_trial;
    };
    const TrialTime first = trial({count});
    if (is_too_short(first)) continue;
    const TrialTime found = settled(limits, trial, {count}, first);
    if (is_too_short(found)) continue;  // the first one was disturbed
    if (found.time > Nanoseconds{}) return each(found, count);
    if (count == most)
      throw FrozenClock("the clock does not advance: " + std::to_string(count) + " repetitions took " +
                        rounded(found.time));
  }
}

/// How long a batch is left alone.
Nanoseconds undisturbed(const CalibrationLimits& limits) {
  const Nanoseconds of_tick = limits.tick / 10;
  return limits.undisturbed > Nanoseconds{} ? std::min(of_tick, limits.undisturbed) : of_tick;
}

/// The length wanted for the clock, cut to what stays undisturbed.
Nanoseconds wanted_length(const CalibrationLimits& limits, std::string& remark) {
  const Nanoseconds grain = std::max(limits.clock_step, limits.clock_spread);
  const Nanoseconds wanted = 5 * grain / limits.eps;
  const Nanoseconds most = undisturbed(limits);
  if (wanted <= most) return wanted;
  const Nanoseconds length = std::max(most, limits.clock_step / limits.eps);
  remark = "the clock requires batches of " + rounded(wanted) + "; they last " + rounded(length) +
           (length > most ? ", longer than " : ", ") +
           (most < limits.tick / 10 ? "a quarter of the time between interruptions of a core"
                                    : "a tenth of the scheduler's tick");
  return length;
}

std::int64_t several_of(const CalibrationLimits& limits) {
  return std::min(limits.several.count, std::max(limits.reps.least, limits.reps.most).count);
}

/// Time of one repetition among several. Members that sleep are woken far apart for a single exchange, and come
/// together within a few of them: by a single one, batches had 5 repetitions in one campaign and 32 in the next, of a
/// pipe that took 7 us, and a repetition took 5 % longer in the shorter ones. What takes milliseconds by itself, as a
/// burst of messages does, has many exchanges in it already.
Nanoseconds in_a_row(const CalibrationLimits& limits, const Trial& trial, const TrialTime& one) {
  const auto several = static_cast<double>(several_of(limits));
  Nanoseconds per_rep = one.time;
  if (several <= 1 || several * per_rep <= limits.tick / 10 || several * one.whole > longest_in_a_row) return per_rep;
  for (std::size_t i = 0; i < trials_in_a_row; ++i)
    per_rep = std::min(per_rep, trial({several_of(limits)}).time / several);
  return per_rep;
}

/// How many of the repetitions wanted whatever the clock needs stay undisturbed. In steps, so that it is the same
/// number another day, where the time of one is a little other.
double undisturbed_of_several(const CalibrationLimits& limits, Nanoseconds per_rep) {
  const auto all = static_cast<double>(several_of(limits));
  const Nanoseconds room = undisturbed(limits);
  if (all * per_rep <= room) return all;
  if (room < limits.tick / 10) {
    const double least = limits.gathered ? 1 : std::floor(all / 4);
    double count = all;
    while (count > least && count * per_rep > room) count = std::max(least, std::floor(count / 2));
    if (count * per_rep <= 4 * room) return count;
  }
  const double most = std::floor(limits.tick / 4 / per_rep);
  return std::min(most, std::floor(all / 4));
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

// As many as are ordered, and a remark where the measurement's bounds do not permit that.
Calibration as_ordered(const CalibrationLimits& limits, Calibration chosen) {
  const auto [least, most] = limits.reps;
  chosen.reps = std::clamp(limits.ordered, least, std::max(least, most));
  if (chosen.reps != limits.ordered)
    chosen.remark = "reps = " + std::to_string(limits.ordered.count) + " is not possible here: the measurement " +
                    (chosen.reps < limits.ordered ? "allows at most " : "needs at least ") +
                    std::to_string(chosen.reps.count);
  return chosen;
}

}  // namespace

Nanoseconds batch_length(const CalibrationLimits& limits) {
  std::string remark;
  return wanted_length(limits, remark);
}

Calibration calibrate(const CalibrationLimits& limits, const Trial& trial) {
  Calibration chosen;
  chosen.per_rep = in_a_row(limits, trial, measure(limits, trial));
  if (limits.ordered.count > 0) return as_ordered(limits, std::move(chosen));
  const Nanoseconds length = wanted_length(limits, chosen.remark);
  const double needed = std::max(std::ceil(length / chosen.per_rep), undisturbed_of_several(limits, chosen.per_rep));
  const auto wanted = static_cast<std::int64_t>(std::clamp(needed, 1.0, 0x1p62));
  chosen.reps = {std::clamp(wanted, limits.reps.least.count, std::max(limits.reps.least, limits.reps.most).count)};
  if (chosen.reps.count >= wanted) chosen.wanted = length;
  if (wanted == 1) chosen.remark.clear();  // one repetition is as short as a batch can be
  if (std::string remark = bound_remark(limits, chosen, wanted); !remark.empty()) chosen.remark = std::move(remark);
  return chosen;
}

Calibration like_twin(Calibration chosen, Reps twin, const CalibrationLimits& limits) {
  const Nanoseconds length = chosen.per_rep * static_cast<double>(twin.count);
  const bool is_too_short = length < chosen.wanted / 2;
  const bool is_too_long = length > limits.tick && twin > chosen.reps;
  if (!is_too_short && !is_too_long && twin.count > 0) chosen.reps = twin;
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
