// SPDX-License-Identifier: Apache-2.0
// What earlier sessions of a campaign measured, in as far as later ones need it.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "record/record.hpp"
#include "run/plan.hpp"
#include "text/text_key.hpp"

namespace assay {

/// What need not be remembered, so that a campaign of many points fits into memory. By default everything is.
struct HistoryScope {
  std::set<std::string> planned = {};  ///< series whose points the plan lists: there is no list of them
  bool one_pass = false;               ///< no pass but this one was or will be: what earlier ones found is not needed
};
/// For a campaign by this plan.
HistoryScope scope_of(const CampaignPlan& plan, bool one_pass);

/// Remembers points, numbers given and estimates; never observations. A session that does not continue another begins a
/// *pass*: a pass measures every point once.
class History {
 public:
  explicit History(HistoryScope scope = {}) : scope_(std::move(scope)) {}
  /// Takes note of a record, in the order of the journal.
  void add(const Record& record);
  /// The same for a visit's record that was not decoded.
  void add_visit() { in_flight_.reset(); }

  /// After a finished point was added: forgets it where it will not be asked for again, neither in this pass nor in
  /// another one.
  void release(const std::string& series, const Point& point);

  /// The number of the session to come.
  int next_session() const { return next_session_; }
  /// The number of the first visit to come.
  int next_visit() const { return next_visit_; }
  /// The number of the first launch to come.
  int next_launch() const { return next_launch_; }
  /// The number of a point's next incarnation.
  int next_incarnation(const std::string& series, const Point& point) const;
  /// The points of a series that had a record when the latest pass began, in the order of their first ones; none where
  /// the plan lists them.
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
  /// What sessions and launches learned of the cores of this machine, of each core what the latest of them that knew it
  /// did; nothing before the first.
  const std::optional<CoresRecord>& cores() const { return cores_; }
  /// Whether the reader has been informed before.
  bool has_note(const std::string& text) const { return notes_.contains(text_key(text)); }
  /// What the sessions before `session` found while the cores were in a like state, in their order.
  std::vector<SessionEstimate> sessions(const std::string& series, const Point& point, const Result& like,
                                        int session) const;

 private:
  void begin_session(const SessionRecord& record);
  void end_session();
  void add_point(const PointRecord& record);
  void add_cores(const CoresRecord& record);
  bool is_lost(const std::string& series, const Point& point) const;

  int next_session_ = 0;
  int next_visit_ = 0;
  int next_launch_ = 1;
  int passes_ = 0;
  int pass_ = 0;
  bool ended_ = false;
  std::optional<BeginRecord> in_flight_;
  std::string variant_;
  std::optional<CoresRecord> cores_;
  // By series and point, and quantity and regime, or by text: all that is remembered of each of many.
  template <class Kept>
  using Index = std::unordered_map<TextKey, Kept, TextKeyHash>;
  using Keys = std::unordered_set<TextKey, TextKeyHash>;

  HistoryScope scope_;
  Keys notes_;
  Index<int> losses_;
  std::map<std::string, std::vector<Point>> points_;  ///< by series
  Keys known_;                                        ///< of each of them
  std::map<std::string, std::vector<Point>> listed_;  ///< those of them that the pass is to measure
  Index<int> incarnations_;
  struct Found {
    CoreState state;
    std::vector<SessionEstimate> sessions;
  };
  Index<std::vector<Found>> found_;  ///< by result: what was found in states that are not alike
};

/// Puts a session's results beside those of earlier ones: from two sessions on the headline is over sessions. A session
/// that found several modes, a drift, too much noise or too coarse a clock does not count, and stands for itself. From
/// four on there is an interval for another day beside it: where the median of a further session lies.
void add_sessions(PointRecord& record, const History& earlier, int session, double alpha);

}  // namespace assay
