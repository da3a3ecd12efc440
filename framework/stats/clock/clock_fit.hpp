// SPDX-License-Identifier: Apache-2.0
// A clock's model from exchanges of stamps with the reference clock, what is kept of them over time, and whether the
// model was still valid at the end.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "stats/clock/clock_model.hpp"

namespace assay {

/// The stamps of one exchange: the local clock before the question and after the answer, the reference in between.
struct Stamps {
  Instant sent;
  Instant reference;
  Instant received;
  Nanoseconds round_trip() const { return received - sent; }
};

/// A reading of the reference against one of the local clock.
struct ClockReading {
  Instant local;
  Instant reference;
};

/// The bounds of a few exchanges on the clocks at one time, whatever delayed them.
struct FitPoint {
  ClockReading most;   ///< when the local clock read this, the reference read so much at most
  ClockReading least;  ///< and here so much at least
  Nanoseconds round_trip{};
};

/// The sharpest that these exchanges say: a question cannot have arrived before it was sent, nor an answer have left
/// after it was received (Cristian, Distributed Computing 3, 1989), and each of the two counts by the exchange in which
/// it says most. `round_trip` is the shortest. Throws std::invalid_argument when there is none, or one whose answer
/// came before its question.
FitPoint fit_point(std::span<const Stamps> exchanges);

/// The line between all lines that contradict no fit point: half way between the steepest and the flattest of them, in
/// slope and at both ends (Duda, Harrus, Haddad and Bernard, Estimating global time in distributed systems, ICDCS
/// 1987). `bound` is the most that any of them differs from it between the first point and the last, `drift_bound` the
/// most that its slope does: no delay makes the model wrong by more while the clocks keep their rates. What rates
/// wander is left room for: `bound` is at least half of the sharpest point's width, `drift_bound` at least 0.1 ppm, to
/// which oscillators of computers keep over any time (Veitch, Ridoux and Korada, Robust Synchronization of Absolute and
/// Difference Clocks over Networks, IEEE/ACM Transactions on Networking 17, 2009). Throws std::invalid_argument for
/// fewer than two points, not in order of time, or that no line agrees with.
ClockModel fitted_clock(std::span<const FitPoint> points);

/// Whether one line agrees with all of these, as it does where both clocks kept their rates.
bool agree(std::span<const FitPoint> points);

/// The fit points of one pair of clocks. The longer they have been compared the better their drift is known, so that
/// earlier points stay as long as one line agrees with all: where none does, or the first is over 100 s old, the older
/// ones go. No more than 64 are kept, of two neighbours the sharper one.
class ClockHistory {
 public:
  /// Takes one in that is later than all others. Throws std::invalid_argument for one that is not.
  void add(const FitPoint& point);
  /// Forgets all but this: a clock was set, or has another rate.
  void restart(const FitPoint& point) { points_.assign(1, point); }

  std::span<const FitPoint> points() const { return points_; }
  /// Whether there are enough for a line.
  bool tells_drift() const { return points_.size() >= 2; }
  /// As fitted_clock(). Throws std::invalid_argument for fewer than two points.
  ClockModel model() const { return fitted_clock(points_); }

 private:
  std::vector<FitPoint> points_;
};

/// What a comparison of the clocks after a period says about the time stamps taken in it.
struct ClockAgreement {
  bool accepted = true;
  Nanoseconds miss{};   ///< by how much the model missed the reference at the end
  Nanoseconds limit{};  ///< the most that the model's bound by then and the comparison itself explain
  Nanoseconds bound{};  ///< largest error of a time stamp of the period, for clocks that kept their rates throughout
};

/// Compares the model with a fit point taken after the period. Refused when the model missed by more than its own
/// bound at that time, with what was left open of the drift since it was learned, and the fit point's half-width: then
/// a clock changed its rate or was set, and what it read in between is undetermined.
ClockAgreement agrees(const ClockModel& before, const FitPoint& after);

/// Why stamps are refused, in words: "the clocks were 12 us apart ...". Empty when they are accepted.
std::string refusal(const ClockAgreement& agreement);

}  // namespace assay
