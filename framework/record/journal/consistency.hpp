// SPDX-License-Identifier: Apache-2.0
// Whether whole, valid records agree with each other: results may come from anywhere.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// What contradicts itself: a point that was finished twice in one session with different contents, a series with two
/// measurements, a quantity with two units, a result of more observations than its visits hold. Sentences without full
/// stop, with foreign names quoted; empty when nothing does. Visits may be missing altogether.
std::vector<std::string> contradictions(const std::vector<Record>& records);

/// The same for records that come one by one, visits with their batches or without.
class ConsistencyCheck {
 public:
  void add(const Record& record);
  /// What was found so far, in order of appearance.
  const std::vector<std::string>& found() const { return found_; }
  /// Beside it: results of more observations than the visits before them hold, as when visits were lost.
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  using Key = std::pair<std::string, std::string>;  ///< series and point, or series and quantity
  void look(const SessionRecord& record);
  void look(const SeriesRecord& record);
  void look(const IncarnationRecord& record);
  void look(const VisitRecord& record);
  void look(const PointRecord& record);
  template <class Other>
  void look(const Other& /*record*/) {}
  void tell(std::vector<std::string>& list, std::string text);
  static std::string quoted(const Key& key);
  void require_measurement(const std::string& series, const std::string& measurement);
  void require_unit(const Key& quantity, Unit unit);
  void require_observations(const Key& point, const Result& result);

  std::vector<std::string> found_;
  std::vector<std::string> missing_;
  std::map<std::string, std::string> measurements_;
  std::map<Key, Unit> units_;
  std::map<Key, std::size_t> observations_;
  std::map<Key, std::string> finished_;  ///< of the session
  std::set<std::string> told_;
};

/// Whether every visit that was begun came to an end: a visit's record, a failure, a finished point, the end of its
/// launch, or the end of its session in good order.
class BeginMarkers {
 public:
  void add(const Record& record);
  /// Visits that were in flight when their session was lost, the last one of the journal included. They are no fault
  /// of the journal.
  std::vector<std::string> lost() const;
  /// What cannot have happened: a visit without a marker, where others have one; a marker before the one before it came
  /// to an end.
  const std::vector<std::string>& found() const { return found_; }

 private:
  void begin(const BeginRecord& record);
  void end(const VisitRecord& record);
  void lose();

  std::optional<BeginRecord> in_flight_;
  bool has_any_ = false;
  std::vector<std::string> lost_;
  std::vector<std::string> found_;
};

}  // namespace assay
