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
#include "stats/core/core_levels.hpp"
#include "team/ranks/rank_team.hpp"

namespace assay {

/// Builds the part of a team that a rank holds, from the request of RankHost: on every rank of the launch. Borrows the
/// registry. A member that fails in a batch on another thread than the first ends the process, since a launch that lost
/// a member cannot go on.
PartMaker part_maker(const Registry& registry);

/// The names of the ranks' nodes by rank, as cores are distinguished by them; none where all ranks are on `home`, or on
/// one node and `home` is empty.
std::vector<std::string> names_of_nodes(const RankMap& map, const std::string& home);
/// What the ranks of each node found of its cores. Where they found different things it is not known.
std::vector<NodeCores> cores_of_nodes(const RankMap& map);

/// Opens points of vehicle "mpi" on the ranks. Others are refused: a process with MPI in it has threads of the library.
/// One launch is one incarnation: a team that was closed and is opened again is in the same processes.
class RankHost final : public Host {
 public:
  /// Both are borrowed. `alive` is called before anything is done with how long that may take at most. `home`: the node
  /// of the session, where that is not in this launch; else empty.
  RankHost(
      const CampaignPlan& plan, RankTeams& teams, std::function<void(Nanoseconds)> alive = [](Nanoseconds) {},
      const std::string& home = {})
      : plan_(plan), teams_(teams), alive_(std::move(alive)), nodes_(names_of_nodes(teams.map(), home)) {}
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
    std::vector<std::string> nodes{};  ///< by member
  };
  std::list<Standing>::iterator find(const IncarnationKey& key);
  void announce(Nanoseconds most);
  Opened bring_up(Standing& standing, const SeriesPlan& series);
  void take_notes(Standing& standing);

  const CampaignPlan& plan_;
  RankTeams& teams_;
  std::function<void(Nanoseconds)> alive_;
  std::vector<std::string> nodes_;  ///< by rank
  std::list<Standing> standing_;
  std::set<std::string> crowded_;  ///< series that were reported
  std::set<std::string> told_;     ///< of clocks
  std::vector<std::string> notes_;
};

}  // namespace assay
