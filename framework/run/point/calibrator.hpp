// SPDX-License-Identifier: Apache-2.0
// How many repetitions make a batch: long enough for the clock, short enough to be undisturbed.
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

#include "api/description.hpp"
#include "base/units.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/sample.hpp"

namespace assay {

/// Actions longer than this are timed one at a time, and few of them.
inline constexpr Nanoseconds long_action = milliseconds(10);

/// What the calibration needs to know of clock and machine.
struct CalibrationLimits {
  Nanoseconds clock_step{};
  Nanoseconds clock_spread{};
  double eps = standard_accuracy;
  Nanoseconds tick = milliseconds(4);  ///< of the scheduler
  Nanoseconds undisturbed{};           ///< how long a thread is left alone, as a rule; 0: as the tick has it
  Nanoseconds expected{};              ///< time of one repetition, as far as it is known; 0 when not
  Reps several{1};                     ///< what a batch should have of them, however few the clock needs
  bool gathered = false;               ///< members go on from where they wait for one another: one exchange is as any
  RepsBounds reps;
  Reps ordered{};  ///< what a batch is to have whatever the clock needs, within the bounds; 0: nothing is ordered
};

/// The choice, with the time of one repetition it was based on.
struct Calibration {
  Reps reps{1};
  Nanoseconds per_rep{};
  Nanoseconds wanted{};  ///< length of a batch that was aimed at; 0 where the measurement's bounds kept it shorter
  std::string remark;    ///< empty, or why the batch is shorter or longer than wanted
};

/// What a batch took.
struct TrialTime {
  Nanoseconds time{};   ///< of its repetitions, as they claim it
  Nanoseconds whole{};  ///< with all that is not timed: where a claim is a small part, what a trial costs
};
using Trial = std::function<TrialTime(Reps)>;

/// Time does not advance at all, however long the batch.
class FrozenClock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The length of a batch that the clock needs, cut to what stays undisturbed: see calibrate.
Nanoseconds batch_length(const CalibrationLimits& limits);

/// Batch length T = 5 max(step, spread) / eps, at most what stays undisturbed unless one repetition is longer or the
/// clock resolves nothing shorter (step / eps: below that no interval can reach eps). Undisturbed is a tenth of the
/// tick, or what interruptions of the core leave where that is less. reps = ceil(T / t1), within the bounds, and no
/// less than `several` where there is room for them undisturbed, else as many halves of that as there is room for: a
/// quarter at the least, or one where the members are gathered. Where not even so many stay undisturbed, what a quarter
/// of the tick has room for. t1 is the second shortest of five trials (a clock that jumps back spoils one) at the first
/// number of repetitions, doubled from the least permitted, at which it exceeds 20 steps, where nothing is expected, or
/// from the first at which it is expected to; where the whole of one takes more than 10 ms it is the shorter of two, or
/// one that agrees with what is expected. Where `several` of them would not stay undisturbed, it is the shortest of
/// that and two trials of so many, of at most 20 ms. `trial` performs one batch; growth stops when one exceeds a
/// second. Where a number is ordered, no length is aimed at. Throws FrozenClock when time does not advance, and passes
/// on what `trial` throws.
Calibration calibrate(const CalibrationLimits& limits, const Trial& trial);

/// The choice with the repetitions of a twin: the same point in another variant, which would else differ by what short
/// and long batches differ by. Not where batches of so many lasted less than half of what the clock needs, or more than
/// a tick where those chosen do not.
Calibration like_twin(Calibration chosen, Reps twin, const CalibrationLimits& limits);

/// Median over the incarnations of their interquartile ranges, over the median of all values; 0 where that is 0.
double within_spread(const Sample& sample);
/// Standard deviation of the logarithms of the incarnations' medians; 0 for fewer than two, or where one is not
/// positive.
double between_spread(const Sample& sample);

}  // namespace assay
