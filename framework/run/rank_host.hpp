// SPDX-License-Identifier: Apache-2.0
// Where visits happen when members are ranks of an MPI launch: in rank 0 itself and the others, one launch long.
#pragma once
#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/measurement.hpp"
#include "run/host.hpp"
#include "team/rank_team.hpp"

namespace assay {

/// Builds the part of a team that a rank holds, from what RankHost tells it: on every rank of the launch. Borrows the
/// registry. A member that fails in a batch on another thread than the first ends the process, since a launch that lost
/// a member cannot go on.
PartMaker part_maker(const Registry& registry);

/// Opens points of vehicle "mpi" on the ranks. Others are refused: a process with MPI in it has threads of the library.
/// One launch is one incarnation: a team that was closed and is opened again is in the same processes.
class RankHost final : public Host {
 public:
  /// Both are borrowed. `alive` is told before anything is done how long that may take at most.
  RankHost(
      const CampaignPlan& plan, RankTeams& teams, std::function<void(Nanoseconds)> alive = [](Nanoseconds) {})
      : plan_(plan), teams_(teams), alive_(std::move(alive)) {}
  ~RankHost() override { standing_.clear(); }
  RankHost(const RankHost&) = delete;
  RankHost& operator=(const RankHost&) = delete;

  Opened open(const IncarnationKey& key) override;
  VisitYield visit(const IncarnationKey& key, const VisitOrder& order) override;
  void close(const IncarnationKey& key) override;
  std::size_t capacity() const override { return static_cast<std::size_t>(plan_.max_workers); }
  std::vector<std::string> notes() override { return std::exchange(notes_, {}); }

 private:
  struct Standing {
    IncarnationKey key;
    const Description& measurement;
    const Traits& traits;
    std::unique_ptr<RankTeam> team;
  };
  std::list<Standing>::iterator find(const IncarnationKey& key);
  void announce(Nanoseconds most);
  Opened bring_up(Standing& standing, const SeriesPlan& series);
  void take_notes(Standing& standing);

  const CampaignPlan& plan_;
  RankTeams& teams_;
  std::function<void(Nanoseconds)> alive_;
  std::list<Standing> standing_;
  std::set<std::string> crowded_;  ///< series that were told of
  std::set<std::string> told_;     ///< of clocks
  std::vector<std::string> notes_;
};

}  // namespace assay
