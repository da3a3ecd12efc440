// SPDX-License-Identifier: Apache-2.0
// Choosing ranks by where they are.
#include "team/ranks/rank_map.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace assay {
namespace {

constexpr Nanoseconds falling_asleep = microseconds(200);  // of a rank that polls for what comes next
constexpr Nanoseconds look_time = microseconds(100);       // a reading, and coming late to it
constexpr Nanoseconds most_look_time = milliseconds(10);   // of a node

std::vector<int> ranks_where(const RankMap& map, const std::function<bool(std::size_t)>& wanted) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < map.size(); ++rank)
    if (wanted(rank)) ranks.push_back(static_cast<int>(rank));
  return ranks;
}

/// Ranks that the word allows, in order.
std::vector<int> candidates(const RankMap& map, std::string_view placement) {
  if (placement == "same-process") return {0};
  if (placement == "other-process")
    return ranks_where(map, [&](std::size_t rank) { return map[rank].node_number == map[0].node_number; });
  if (placement != "other-node") return ranks_where(map, [](std::size_t) { return true; });
  std::set<int> seen;
  return ranks_where(map, [&](std::size_t rank) { return seen.insert(map[rank].node_number).second; });
}

std::string lack(const RankMap& map, std::string_view placement, std::size_t wanted, std::size_t found) {
  const std::string there = placement == "other-node"      ? " nodes, and the launch is on "
                            : placement == "other-process" ? " ranks on the node of rank 0, and the launch has "
                                                           : " ranks, and the launch has ";
  return "placement " + std::string(placement) + " needs " + std::to_string(wanted) + there + std::to_string(found) +
         " (" + std::to_string(map.size()) + " ranks on " + std::to_string(node_count(map)) + " nodes)";
}

int number_at(const std::string& text, std::size_t& at, char until) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  at = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || at >= text.size() || text[at] != until || number < 0)
    throw std::invalid_argument("seats of members that cannot be read");
  ++at;
  return number;
}

}  // namespace

void number_nodes(RankMap& map) {
  std::map<std::string, int> numbers;
  for (RankInfo& rank : map)
    rank.node_number = numbers.emplace(rank.node, static_cast<int>(numbers.size())).first->second;
}

int node_count(const RankMap& map) {
  std::set<int> nodes;
  for (const RankInfo& rank : map) nodes.insert(rank.node_number);
  return static_cast<int>(nodes.size());
}

bool is_rank_placement(std::string_view word) {
  return std::ranges::find(rank_placements, word) != std::end(rank_placements);
}

RankSeats seats_for(const RankMap& map, std::string_view placement, int members, int threads) {
  const int each = placement == "same-process" ? members : threads;
  if (each < 1 || members % each != 0)
    return {{}, std::to_string(members) + " members cannot be dealt to ranks of " + std::to_string(each) + " threads"};
  const auto wanted = static_cast<std::size_t>(members / each);
  const std::vector<int> ranks = candidates(map, placement);
  if (ranks.size() < wanted) return {{}, lack(map, placement, wanted, ranks.size())};
  RankSeats found;
  for (std::size_t i = 0; i < wanted; ++i)
    for (int thread = 0; thread < each; ++thread) found.seats.push_back({ranks[i], thread});
  return found;
}

std::vector<Crowd> crowds_of(const RankMap& map, const std::vector<RankSeat>& seats) {
  std::map<int, std::pair<int, std::set<int>>> nodes;  // members, and CPUs of their ranks
  for (const RankSeat& seat : seats) {
    const RankInfo& rank = map.at(static_cast<std::size_t>(seat.rank));
    auto& [members, cpus] = nodes[rank.node_number];
    ++members;
    cpus.insert(rank.cpus.begin(), rank.cpus.end());
  }
  std::vector<Crowd> crowds;
  for (const auto& [node, inhabitants] : nodes)
    crowds.push_back({inhabitants.first, static_cast<int>(inhabitants.second.size())});
  return crowds;
}

int neighbour_of_first(const RankMap& map, const std::vector<RankSeat>& seats) {
  if (seats.size() < 2 || seats[0].rank != 0 || seats[1].rank == 0) return 0;
  const RankInfo& first = map.at(0);
  const RankInfo& other = map.at(static_cast<std::size_t>(seats[1].rank));
  const bool is_apart =
      std::ranges::none_of(first.cpus, [&](int cpu) { return std::ranges::count(other.cpus, cpu) > 0; });
  return first.node_number == other.node_number && is_apart ? seats[1].rank : 0;
}

bool is_crowded(const RankMap& map, const std::vector<RankSeat>& seats) {
  // A rank's own threads have its own CPUs only.
  for (const RankSeat& seat : seats)
    if (std::cmp_greater(std::ranges::count(seats, seat.rank, &RankSeat::rank),
                         map.at(static_cast<std::size_t>(seat.rank)).cpus.size()))
      return true;
  return std::ranges::any_of(crowds_of(map, seats), &Crowd::crowded);
}

std::vector<int> ranks_of(const std::vector<RankSeat>& seats) {
  std::vector<int> ranks;
  for (const RankSeat& seat : seats)
    if (std::ranges::find(ranks, seat.rank) == ranks.end()) ranks.push_back(seat.rank);
  return ranks;
}

std::string to_text(const std::vector<RankSeat>& seats) {
  std::string text;
  for (const RankSeat& seat : seats) text += std::to_string(seat.rank) + '.' + std::to_string(seat.thread) + ' ';
  return text;
}

LookTurn look_turn(const RankMap& map, const std::vector<RankSeat>& seats, int rank) {
  const auto node_of = [&](int other) { return map.at(static_cast<std::size_t>(other)).node_number; };
  double before = 0;
  double all = 0;
  bool is_before = true;
  for (const RankSeat& seat : seats) {
    is_before = is_before && seat.rank != rank;
    if (node_of(seat.rank) != node_of(rank)) continue;
    before += is_before ? 1 : 0;
    ++all;
  }
  const Nanoseconds each = std::min(look_time, most_look_time / std::max(1.0, all));
  return {falling_asleep + each * before, falling_asleep + each * all};
}

std::vector<RankSeat> parse_seats(const std::string& text) {
  std::vector<RankSeat> seats;
  for (std::size_t at = 0; at < text.size();) {
    const int rank = number_at(text, at, '.');
    seats.push_back({rank, number_at(text, at, ' ')});
  }
  return seats;
}

}  // namespace assay
