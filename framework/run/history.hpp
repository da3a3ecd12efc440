// SPDX-License-Identifier: Apache-2.0
// What earlier sessions of a campaign measured, in as far as later ones need it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// Remembers points, numbers given and estimates; never observations.
class History {
 public:
  /// Takes note of a record, in the order of the journal.
  void add(const Record& record);

  /// The number of the session to come.
  int next_session() const { return next_session_; }
  /// The number of the first visit to come.
  int next_visit() const { return next_visit_; }
  /// The number of a point's next incarnation.
  int next_incarnation(const std::string& series, const Point& point) const;
  /// The points of a series that have a record, in the order of their first ones.
  const std::vector<Point>& points(const std::string& series) const;
  /// What the sessions before `session` found, in their order.
  std::vector<SessionEstimate> sessions(const std::string& series, const Point& point, const Result& like,
                                        int session) const;

 private:
  void add_point(const PointRecord& record);

  int next_session_ = 0;
  int next_visit_ = 0;
  std::map<std::string, std::vector<Point>> points_;           ///< by series
  std::map<std::string, int> incarnations_;                    ///< by series and point
  std::map<std::string, std::vector<SessionEstimate>> found_;  ///< by series, point, quantity and regime
};

/// Puts a session's results beside those of earlier ones: from two sessions on the headline is over sessions. A session
/// that found several modes, a drift, too much noise or too coarse a clock does not count, and stands for itself.
void add_sessions(PointRecord& record, const History& earlier, int session, double alpha);

}  // namespace assay
