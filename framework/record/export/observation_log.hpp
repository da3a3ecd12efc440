// SPDX-License-Identifier: Apache-2.0
// The observations that results were made of, found again in the visits of a journal.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/known_cores.hpp"
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
  std::size_t in_visit = 0;   ///< which of the visit's batches that were not discarded
  std::size_t discarded = 0;  ///< batches of the visit before those
};

/// Remembers the clean batches of visits. Needs the series, session and visit records of a journal in their order.
class ObservationLog {
 public:
  void add(const Record& record);
  /// Those that a result speaks of, in order, without warm-up: their number, smallest and largest are the result's.
  /// Nothing when the visits do not hold such a set, as where a journal's visits were lost.
  std::optional<std::vector<LoggedObservation>> of(const PointRecord& point, const Result& result) const;

  /// All clean batches of the quantity in the result's regime with the point's repetitions: of all sessions and states,
  /// warm-up included. None where the journal's visits were lost.
  std::vector<LoggedObservation> clean(const PointRecord& point, const Result& result) const;

 private:
  using Stretch = std::vector<LoggedObservation>;
  using Key = std::pair<std::string, Regime>;  ///< quantity and regime
  /// What classifies the states of a visit's batches.
  struct Readings {
    int session = 0;
    int incarnation = 0;
    int visit = 0;
    Reps reps;
    std::optional<Nanoseconds> reference;
    std::vector<CoreReading> apart;
    std::vector<JudgedBatch> kept;  ///< batches that are to be estimated
    std::vector<std::string> nodes;
    Spread before = Spread::unknown;  ///< VisitedBatches::before
  };
  struct LoggedPoint {
    std::map<Key, Stretch> values;  ///< per repetition
    std::vector<Readings> visits;
  };
  void add(const VisitRecord& visit);
  void keep_in_state(Stretch& stretch, const PointRecord& point, const Result& result) const;

  std::map<std::string, std::vector<Quantity>> series_;
  std::map<std::string, LoggedPoint> points_;  ///< by what a line is about
  KnownNodes nodes_;
};

}  // namespace assay
