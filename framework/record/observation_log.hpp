// SPDX-License-Identifier: Apache-2.0
// The observations that results were made of, found again in the visits of a journal.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// One batch's value of one quantity, with what surrounds it.
struct LoggedObservation {
  double value = 0;  ///< per event, in the quantity's unit
  double cpu = 0;    ///< CPU time of all members per event, ns
  double wall = 0;   ///< of the slowest member per event, ns
  Reps reps;
  int session = 0;
  int incarnation = 0;
  int visit = 0;
};

/// Remembers the clean batches of visits. Needs the series, session and visit records of a journal in their order.
class ObservationLog {
 public:
  void add(const Record& record);
  /// Those that a result speaks of, in order, without warm-up: their number, smallest and largest are the result's.
  /// Nothing when the visits do not hold such a set, as where a journal's visits were lost.
  std::optional<std::vector<LoggedObservation>> of(const PointRecord& point, const Result& result) const;

 private:
  using Stretch = std::vector<LoggedObservation>;
  using Key = std::pair<std::string, Regime>;  ///< quantity and regime
  void add(const VisitRecord& visit);

  std::map<std::string, std::vector<Quantity>> series_;
  std::map<std::string, std::map<Key, Stretch>> points_;  ///< by what a line is about; values per repetition
};

}  // namespace assay
