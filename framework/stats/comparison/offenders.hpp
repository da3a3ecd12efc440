// SPDX-License-Identifier: Apache-2.0
// Units that are found bad again and again, out of many that are tested as often.
#pragma once
#include <span>
#include <vector>

#include "stats/sample/summary.hpp"

namespace assay {

/// How often a unit was tested, and found bad.
struct Offences {
  int bad = 0;
  int tests = 0;
};

/// The exact interval of a share that was found `bad` times in `tests` (Clopper and Pearson, Biometrika 26, 1934).
/// Throws std::invalid_argument unless 0 <= bad <= tests, 0 < tests and 0 < level < 1.
Interval share_interval(const Offences& found, double level = 0.95);

/// Share of tests in which a unit that is well may be found bad, whatever the others say.
inline constexpr double usual_offence_rate = 0.02;

/// What is said of a unit.
struct OffenceFinding {
  Interval share;         ///< of tests in which it was bad; not available where it was never tested
  double adjusted_p = 1;  ///< that a unit as the others are is bad so often, over all units (Holm, 1979)
};

/// Tests each unit: that it was bad so often by chance, with the share of all other units or with `rate`, whichever is
/// more (binomial test, one-sided). Adjusted by Holm's procedure (Scandinavian Journal of
/// Statistics 6, 1979): the probability that any unit that is well has a p of at most alpha is alpha. Throws
/// std::invalid_argument as share_interval does.
std::vector<OffenceFinding> test_offences(std::span<const Offences> units, double rate = usual_offence_rate);

}  // namespace assay
