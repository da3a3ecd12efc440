// SPDX-License-Identifier: Apache-2.0
// Launches of ranks, as a session sees them: what one is to do, what became of it, and launch after launch, until
// nothing is left for them.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/record.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "run/series/continuation.hpp"
#include "text/text_key.hpp"

namespace assay {

/// True when all members of the series are ranks: its points are measured in launches, by rank 0 of each.
bool is_launched(const SeriesPlan& series);
/// The plan with these series only, and nothing that only workers need.
CampaignPlan launched_part(const CampaignPlan& plan);
/// Ranks that a launch must have for all points of the plan: members by threads of a rank, and 2 at least.
int ranks_needed(const CampaignPlan& plan);

/// What one launch is to do.
struct LaunchOrder {
  int session = 0;
  int launch = 0;                         ///< counts through the campaign, from 1
  Nanoseconds elapsed{};                  ///< since the session's start: the times of visits go on from there
  std::optional<Nanoseconds> time_limit;  ///< for this launch
  KeptResults keeping;
};

/// What became of a launch whose records, as far as there were any, have been handed on.
struct Launched {
  bool began = false;                    ///< rank 0 wrote something
  std::string ended;                     ///< why it ended, as rank 0 has it; empty when it was lost
  int left = 0;                          ///< points that need further launches
  std::optional<BeginRecord> in_flight;  ///< when it was lost
  Outcome outcome = Outcome::failed;     ///< or timeout
  std::string why;                       ///< how it was lost
  Evidence evidence;
};

/// Called with what is being measured, and how many points are finished so far in this launch.
using Follow = std::function<void(const std::string& current, int finished)>;

/// Starts launches and watches them.
class Launches {
 public:
  virtual ~Launches() = default;
  /// Runs one launch to its end; what rank 0 wrote goes to `sink`, between a record that it began and one that it
  /// ended. A launch that was stopped on request counts as ended. Throws StorageError.
  virtual Launched launch(const LaunchOrder& order, Sink& sink, const Follow& follow) = 0;
  /// Launches that may be lost, for a point or before the first visit, until that is the result.
  virtual int most_relaunches() const = 0;
};

/// The launches of one session. Borrows them.
class LaunchLoop {
 public:
  /// What a session does with records: it keeps them, and takes note of finished points; and with a point that cannot
  /// be finished.
  struct Session {
    Sink& sink;
    std::function<void(const PointRecord&)> finished;
    std::function<void(const std::string& series, const Point&, Outcome, const std::string& why)> give_up;
    Follow follow;
  };

  explicit LaunchLoop(Launches& launches) : launches_(&launches) {}

  /// Whether a further launch is needed, and would help.
  bool due() const { return due_; }
  void need_none() { due_ = false; }
  /// Starts a launch and waits for its end. A lost one is followed by another; what was in flight in too many of them
  /// is given up. Throws StorageError.
  void next(const LaunchOrder& order, const Session& session);
  /// The reason of the last launch's end, by rank 0; empty when it was lost.
  const std::string& ended() const { return ended_; }
  /// Why there are no further ones although points are left; empty while there may be.
  const std::string& gave_up() const { return gave_up_; }
  /// Whether one ever came as far as its first record.
  bool ever_began() const { return ever_began_; }

 private:
  void lose(const LaunchOrder& order, const Launched& lost, const Session& session);
  void stop(const std::string& why);

  Launches* launches_;
  bool due_ = true;
  bool ever_began_ = false;
  std::string ended_;
  std::string gave_up_;
  std::unordered_map<TextKey, int, TextKeyHash> losses_;  ///< by point
  int early_ = 0;                                         ///< lost in a row without a visit in flight
  int barren_ = 0;                                        ///< ended in a row without a visit
};

}  // namespace assay
