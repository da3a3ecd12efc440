// SPDX-License-Identifier: Apache-2.0
// Where the level of a few values with known intervals changed for good, and whether one more value fits those before.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "stats/comparison/comparison.hpp"
#include "stats/sample/summary.hpp"

namespace assay {

/// What one campaign found: a value with the interval that it is known by.
struct KnownValue {
  double value = 0;
  Interval interval;  ///< of the value; one that is not available adds nothing to what values differ by
};

/// Probability of reporting any change in a series without one.
inline constexpr double usual_change_alpha = 0.05;

struct ChangePointOptions {
  double alpha = usual_change_alpha;
  double margin = usual_margin;  ///< relative changes up to this are not reported
};

/// A change of level between two values that follow each other.
struct ChangePoint {
  std::size_t at = 0;  ///< index of the first value of the new level
  double before = 0;   ///< level up to here, from the change before on
  double after = 0;    ///< level from here on, up to the next change
  double p = 1;        ///< of the test that found it
};

/// The changes of level, in the order of the values.
///
/// The division into two parts of two values or more with the largest weighted difference of means is sought, of the
/// logs where all values are positive. Weights are 1 / (s^2 + t^2), with s from a value's interval and t^2 what values
/// differ by beyond that (Hedges and Olkin, Statistical Methods for Meta-Analysis, 1985, section 9.3). Its significance
/// is that among random orders of the values, weights included, as in E-divisive (Matteson and James, Journal of the
/// American Statistical Association 109, 2014): no law of the values is assumed, only that without a change they could
/// have come in any order. The parts are divided further as long as that finds something, so that `alpha` bounds the
/// probability of any change reported of a series without one. The orders are drawn from a fixed seed. Throws
/// std::invalid_argument unless 0 < alpha < 1 and margin >= 0, and for a value that is not finite.
std::vector<ChangePoint> change_points(std::span<const KnownValue> values, const ChangePointOptions& options = {});

/// Values below which no change can be detected at this alpha: among all orders, too many look as parted.
std::size_t fewest_for_a_change(double alpha = usual_change_alpha);

/// Earlier values below which nothing is said of a further one.
inline constexpr std::size_t fewest_earlier = 3;

/// How a further value stands to earlier ones of one level.
struct Departure {
  double expected = 0;  ///< the level of the earlier ones
  Interval range;       ///< in which a further one lies with probability 95 % (Student's prediction interval)
  double shift = 0;     ///< relative to `expected`; 0.1 is 10 % more
  double p = 1;         ///< two-sided
};

/// Holds a value against earlier ones, by their spread or what their intervals and its own say, whichever is more:
/// Student's test of one further value, of the logs where all are positive. Throws std::invalid_argument with fewer
/// than fewest_earlier of them, and for a value that is not finite.
Departure departure_of(const KnownValue& value, std::span<const KnownValue> earlier);

}  // namespace assay
