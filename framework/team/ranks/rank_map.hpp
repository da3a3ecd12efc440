// SPDX-License-Identifier: Apache-2.0
// Where the ranks of a launch are, and which of them can hold the members of a team.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "team/ranks/batch_start.hpp"

namespace assay {

/// Who is which member: (rank, thread in the rank), by member. The first member is the first thread of rank 0.
struct RankSeat {
  int rank = 0;
  int thread = 0;
  friend bool operator==(const RankSeat&, const RankSeat&) = default;
};

/// One rank as it found itself.
struct RankInfo {
  std::string node;                  ///< name of its machine
  int node_number = 0;               ///< counted from 0 in the order of ranks
  int process = 0;                   ///< its id there
  std::vector<int> cpus;             ///< that it may use
  int cycles_per_step = 0;           ///< of the latency yardstick, as it found (platform/clock/yardstick.hpp)
  bool one_thread_per_core = false;  ///< of its node
};

/// All ranks of a launch.
using RankMap = std::vector<RankInfo>;

/// Numbers the nodes in the order of ranks. Two ranks are on one node when the names are equal.
void number_nodes(RankMap& map);
int node_count(const RankMap& map);

/// "same-process": all members are threads of rank 0. "other-process": each group of `threads` members is a rank of its
/// own, on the node of rank 0. "other-node": each of these ranks is on a node of its own. "unbound": the ranks from 0
/// on, wherever they are.
inline constexpr std::string_view rank_placements[] = {"unbound", "same-process", "other-process", "other-node"};
bool is_rank_placement(std::string_view word);

/// The seats of members, or why the launch does not have them.
struct RankSeats {
  std::vector<RankSeat> seats;
  std::string why_not;  ///< empty where there are seats
};
/// `threads` divides `members` for all but "same-process".
RankSeats seats_for(const RankMap& map, std::string_view placement, int members, int threads);

/// The members on each node, and the CPUs that they may use there.
std::vector<Crowd> crowds_of(const RankMap& map, const std::vector<RankSeat>& seats);
/// True when on some node more members sit than there are CPUs for their ranks.
bool is_crowded(const RankMap& map, const std::vector<RankSeat>& seats);

/// The rank of the second member where its launcher bound it and rank 0, on one node, to CPUs of their own; else 0. Who
/// may move has no distance.
int neighbour_of_first(const RankMap& map, const std::vector<RankSeat>& seats);

/// When a rank looks at the cores of its members, and when the last rank of its node has, since all were notified: at
/// other times it sleeps. On a node one member looks after the other, each in a tenth of a millisecond; where that took
/// more than 10 ms, in as much of them as there is for each. Nodes look at the same time.
struct LookTurn {
  Nanoseconds begins{};
  Nanoseconds ends{};
};
LookTurn look_turn(const RankMap& map, const std::vector<RankSeat>& seats, int rank);

/// The ranks that hold members, in the order of their first.
std::vector<int> ranks_of(const std::vector<RankSeat>& seats);

/// Seats as a text and back. Throws std::invalid_argument for anything else.
std::string to_text(const std::vector<RankSeat>& seats);
std::vector<RankSeat> parse_seats(const std::string& text);

}  // namespace assay
