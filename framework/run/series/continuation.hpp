// SPDX-License-Identifier: Apache-2.0
// What the sessions of an interrupted pass left for one that continues them.
#pragma once
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "record/journal/journal.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"
#include "run/series/finished_index.hpp"
#include "run/series/history.hpp"
#include "run/series/series_run.hpp"
#include "text/text_key.hpp"

namespace assay {

/// What becomes of finished points that would not stand by themselves.
struct KeptResults {
  bool retry_failed = false;  ///< what failed, timed out, was lost or unsupported is measured again, from the start
  bool accept_old = false;    ///< results of other versions of a measurement stand
  int before = std::numeric_limits<int>::max();  ///< only what sessions before this one left is measured again
};

/// A visit of an earlier session, with what its incarnation was asked of the clock.
struct PastVisit {
  VisitRecord record;
  Nanoseconds clock_step{};
};

/// Reads a journal twice: first everything but visits, by which finished points are known and designs replayed; then
/// the visits of the points that are unfinished, and no others. Of finished points it keeps the records only where
/// something is computed over them. Borrows the plan.
class Continuation {
 public:
  explicit Continuation(const CampaignPlan& plan, KeptResults keeping = {});

  /// First reading: takes note of a record after `history` has.
  void add(const Record& record, const History& history);
  /// After the first reading: replays the designs to find what is unfinished, and what the plan no longer has.
  void prepare(const History& history);

  const KeptResults& keeping() const { return keeping_; }
  /// Points, known so far, that are to be measured.
  std::size_t unfinished() const;
  /// Points that stand but are not in the plan: "series NAME: POINT".
  const std::vector<std::string>& removed() const { return removed_; }
  /// Series whose results of an older version stand, with that version: only where that was asked for.
  const std::map<std::string, std::string>& accepted() const { return accepted_; }

  /// Second reading: of which points it takes visits and incarnations, by what `about` says of them, and their taking.
  bool wants(std::string_view about) const;
  void take(Record record);

  /// Replays the design of a running series.
  void replay(SeriesRun& series) const;
  /// The earlier visits of a point, once; the caller keeps them from then on.
  std::vector<PastVisit> visits(const std::string& series, const Point& point);
  /// Asks for a few finished points to be measured again first, to see whether anything has shifted.
  void check_anchors() { checks_anchors_ = true; }
  bool checks_anchors() const { return checks_anchors_; }
  /// The latest time that a visit taken back ended, since the first of the sessions began.
  Nanoseconds elapsed() const { return elapsed_; }

 private:
  struct Before {
    std::string version;
    bool same_rule = false;
  };
  /// By series and point.
  template <class Kept>
  using Index = std::unordered_map<TextKey, Kept, TextKeyHash>;

  void begin_session(const SessionRecord& record, const History& history);
  void add_series(const SeriesRecord& record);
  void add_begin(const BeginRecord& record);
  void add_incarnation(const IncarnationRecord& record, const History& history);
  void add_point(const PointRecord& record, const History& history);
  void add_answer(const AnswerRecord& record, const History& history);
  bool is_current(const std::string& series, const Point& point, const std::string& id);
  void prepare(const SeriesPlan& series, const History& history);
  void remove(const std::string& series, const Point& point);
  FinishedIndex* finished_of(const std::string& series);
  bool counts(const TextKey& key, const VisitRecord& visit) const;

  const CampaignPlan* plan_;
  KeptResults keeping_;
  int session_ = 0;                                                    ///< that is being read
  int first_visit_ = 0;                                                ///< of the pass
  std::map<std::string, Before> before_;                               ///< by series, by its latest record
  std::map<std::string, FinishedIndex, std::less<>> finished_points_;  ///< by series, of those that keep no records
  std::map<std::string, std::vector<Finished>> finished_;              ///< by series, of the others
  Index<int> from_;                               ///< first visit that counts, where it is not the first
  std::unordered_set<TextKey, TextKeyHash> old_;  ///< points whose latest incarnation is not current
  Index<int> unfinished_;  ///< the first visit that counts, of points of series that keep records
  Index<std::vector<PastVisit>> visits_;
  std::map<std::pair<TextKey, int>, Nanoseconds> clock_steps_;  ///< by incarnation too
  std::vector<std::string> removed_;
  std::map<std::string, std::string> accepted_;
  Nanoseconds elapsed_{};
  bool checks_anchors_ = false;
};

}  // namespace assay
