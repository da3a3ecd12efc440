// SPDX-License-Identifier: Apache-2.0
// Teams whose members are spread over the ranks of a launch: each rank holds a part, rank 0 leads.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "team/rank_link.hpp"
#include "team/rank_map.hpp"
#include "team/team.hpp"

namespace assay {

class LocalTeam;

/// What a rank needs to build its part of a team.
struct RankOrder {
  std::vector<RankSeat> seats;
  std::string what;  ///< means something to the PartMaker only
};

/// Builds the measurement and the members of this rank, without letting them enter: nothing here may wait for another
/// rank. `part` is complete. Throws as open_thread_team.
using PartMaker = std::function<std::unique_ptr<LocalTeam>(const std::string& what, const TeamPart& part)>;

/// The teams of one launch, on one of its ranks.
class RankTeams {
 public:
  /// Borrows the link.
  RankTeams(RankLink& link, PartMaker make);
  ~RankTeams();
  RankTeams(const RankTeams&) = delete;
  RankTeams& operator=(const RankTeams&) = delete;

  /// Where the ranks are.
  const RankMap& map() const { return link_.map(); }
  /// On rank 0: opens a team; every rank has built its part or none enters. A team's batch ends when all reports are
  /// in; what goes wrong in one of them ends the launch. Throws as open_thread_team, with the rank in the text.
  std::unique_ptr<Team> open(const RankOrder& order);
  /// On rank 0: the others return from serve().
  void dismiss();
  /// On the others: does what rank 0 asks for until it dismisses.
  void serve();

 private:
  friend class RankTeam;
  enum class Task : std::uint8_t { open, enter, run, park, close, dismiss };
  struct Command {
    Task task = Task::dismiss;
    std::int32_t team = 0;
    std::int64_t reps = 0;
    std::string payload{};
  };

  static std::string encode(const Command& command);
  static Command decode(const std::string& text);
  /// Broadcasts, does this rank's share, and collects what all say.
  std::vector<std::string> lead(const Command& command);
  std::string obey(const Command& command);
  std::string carry_out(const Command& command);
  std::string build(const Command& command);

  RankLink& link_;
  PartMaker make_;
  std::map<std::int32_t, std::unique_ptr<LocalTeam>> parts_;  ///< those in which this rank has a member
  std::int32_t last_ = 0;
};

}  // namespace assay
