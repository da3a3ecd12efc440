// SPDX-License-Identifier: Apache-2.0
// A clock's model from exchanges of stamps with the reference clock.
#pragma once
#include <span>
#include <vector>

#include "stats/clock_model.hpp"

namespace assay {

/// The stamps of one exchange: the local clock before the question and after the answer, the reference in between.
struct Stamps {
  Instant sent;
  Instant reference;
  Instant received;
  Nanoseconds round_trip() const { return received - sent; }
};

/// What the fastest of a few exchanges tells about the clocks at one time.
struct FitPoint {
  Instant local;      ///< the middle of the exchange
  Instant reference;  ///< what the reference read, half the round trip more or less
  Nanoseconds round_trip{};
};

/// The exchange with the shortest round trip (Cristian, Distributed Computing 3, 1989): what delayed the others cannot
/// have moved it. Throws std::invalid_argument when there is none, or one whose answer came before its question.
FitPoint fastest(std::span<const Stamps> exchanges);

/// Most that a fit point's reference stamp is wrong at its local time, for any split of the round trip into the two
/// directions: half of it, rounding and the clocks' different rates included.
Nanoseconds half_width(const FitPoint& point, double drift);

/// The least-squares line through fit points spread over time (JK, HCA), without those whose round trips were over one
/// and a half times the fastest, as long as three stay. `bound` is the largest sum of a point's half-width and its
/// distance from the line: a line within that of the truth at two times is so between them, and `drift_bound` is what
/// the outermost two leave open. Throws std::invalid_argument for fewer than two points, or not in order of time.
ClockModel fitted_clock(std::span<const FitPoint> points);

}  // namespace assay
