// SPDX-License-Identifier: Apache-2.0
// Gives up what fails again and again, so that a broken measurement does not cost a night.
#pragma once
#include <map>
#include <string>

#include "record/record.hpp"

namespace assay {

/// When to give up.
struct BreakerLimits {
  int in_a_row = 5;    ///< failures of one measurement without a success between them; 0: never
  double share = 0.2;  ///< of the points finished so far, whatever their measurement; 1: never
};

/// Counts points that failed or timed out. What has no meaning here, or is not supported, is no failure.
class Breaker {
 public:
  explicit Breaker(const BreakerLimits& limits) : limits_(limits) {}
  /// Takes note of a finished point.
  void add(const PointRecord& record);
  /// Why no further point of the measurement is worth trying; empty while one is.
  std::string gives_up(const std::string& measurement) const;
  /// Why the campaign is not worth going on with, asked from 20 points on; empty while it is.
  std::string ends() const;

 private:
  BreakerLimits limits_;
  std::map<std::string, int> in_a_row_;  ///< by measurement
  int points_ = 0;
  int failed_ = 0;
};

}  // namespace assay
