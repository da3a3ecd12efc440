// SPDX-License-Identifier: Apache-2.0
// Launches of ranks, as a session sees them: what one is to do, and what became of it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "run/series/continuation.hpp"

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

}  // namespace assay
