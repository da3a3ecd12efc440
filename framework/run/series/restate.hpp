// SPDX-License-Identifier: Apache-2.0
// Points of journals from before there were states, finished again by the readings that their visits hold.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "stats/core/core_levels.hpp"

namespace assay {

/// Two passes over the records of a journal in their order: one learns what cores yielded alone, the other one finishes
/// points anew. Visits had one reading of the first member's core on each side, of a loop that happened to see
/// neighbours, and none of the clock.
class Restater {
 public:
  /// Whether a record is a visit with such readings.
  static bool is_of_before(const Record& record);

  /// The first pass.
  void learn(const Record& record);
  /// The second pass: a record of a point is exchanged for what it is in the state "alone", with the others beside it.
  /// What the readings do not contain stays as it was.
  void restate(Record& record);

 private:
  void restate(PointRecord& record);
  void follow(const Record& record);

  CoreLevels levels_;
  std::string node_;  ///< of the first members now, in a launch over several
  std::map<std::string, SeriesRecord> series_;
  std::map<std::string, std::vector<VisitRecord>> visits_;  ///< by point, since its last record
};

}  // namespace assay
