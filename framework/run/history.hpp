// SPDX-License-Identifier: Apache-2.0
// What earlier sessions of a campaign measured, in as far as later ones need it.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// Remembers points, numbers given and estimates; never observations. A session that does not continue another begins a
/// *pass*: a pass measures every point once.
class History {
 public:
  /// Takes note of a record, in the order of the journal.
  void add(const Record& record);
  /// The same for a visit's record that nobody decoded.
  void add_visit() { in_flight_.reset(); }

  /// The number of the session to come.
  int next_session() const { return next_session_; }
  /// The number of the first visit to come.
  int next_visit() const { return next_visit_; }
  /// The number of a point's next incarnation.
  int next_incarnation(const std::string& series, const Point& point) const;
  /// The points of a series that had a record when the latest pass began, in the order of their first ones.
  const std::vector<Point>& points(const std::string& series) const;
  /// Passes begun, on the machine of the latest.
  int passes() const { return passes_; }
  /// The first session of the latest pass.
  int pass() const { return pass_; }
  /// In how many sessions of the pass the point was in flight when they were lost, since its last record.
  int losses(const std::string& series, const Point& point) const;
  /// Whether the latest session ended by itself, with its derived values.
  bool ended() const { return ended_; }
  /// The variant that was set up, or begun to be, and not taken down again; empty when there is none.
  const std::string& standing_variant() const { return variant_; }
  /// Whether the reader has been told so before.
  bool has_note(const std::string& text) const { return notes_.contains(text); }
  /// What the sessions before `session` found, in their order.
  std::vector<SessionEstimate> sessions(const std::string& series, const Point& point, const Result& like,
                                        int session) const;

 private:
  void begin_session(const SessionRecord& record);
  void end_session();
  void add_point(const PointRecord& record);
  bool is_lost(const std::string& series, const Point& point) const;

  int next_session_ = 0;
  int next_visit_ = 0;
  int passes_ = 0;
  int pass_ = 0;
  bool ended_ = false;
  std::optional<BeginRecord> in_flight_;
  std::string variant_;
  std::set<std::string> notes_;
  std::map<std::string, int> losses_;                          ///< by series and point
  std::map<std::string, std::vector<Point>> points_;           ///< by series
  std::unordered_set<std::string> known_;                      ///< series and point of each of them
  std::map<std::string, std::vector<Point>> listed_;           ///< those of them that the pass is to measure
  std::map<std::string, int> incarnations_;                    ///< by series and point
  std::map<std::string, std::vector<SessionEstimate>> found_;  ///< by series, point, quantity and regime
};

/// Puts a session's results beside those of earlier ones: from two sessions on the headline is over sessions. A session
/// that found several modes, a drift, too much noise or too coarse a clock does not count, and stands for itself.
void add_sessions(PointRecord& record, const History& earlier, int session, double alpha);

}  // namespace assay
