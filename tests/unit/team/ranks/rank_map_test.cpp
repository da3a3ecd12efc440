// SPDX-License-Identifier: Apache-2.0
// Ranks of two nodes, their seats and who sits closer than the CPUs allow.
#include "team/ranks/rank_map.hpp"

#include <gmock/gmock-more-matchers.h>

#include <stdexcept>

namespace assay {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Seats = std::vector<RankSeat>;

// Two ranks on node a, two on node b, each with two CPUs.
RankMap two_nodes() {
  RankMap map{{"a", 0, 10, {0, 1}}, {"a", 0, 11, {0, 1}}, {"b", 0, 10, {0, 1}}, {"b", 0, 11, {0, 1}}};
  number_nodes(map);
  return map;
}

TEST(RankMap, NodesAreNumberedInTheOrderOfRanks) {
  RankMap map{{"b", 0, 1, {0}}, {"a", 0, 1, {0}}, {"b", 0, 2, {1}}};
  number_nodes(map);
  EXPECT_EQ(map[0].node_number, 0);
  EXPECT_EQ(map[1].node_number, 1);
  EXPECT_EQ(map[2].node_number, 0);
  EXPECT_EQ(node_count(map), 2);
}

TEST(RankMap, WordsChooseTheRanks) {
  const RankMap map = two_nodes();
  EXPECT_EQ(seats_for(map, "unbound", 3, 1).seats, (Seats{{0, 0}, {1, 0}, {2, 0}}));
  EXPECT_EQ(seats_for(map, "same-process", 2, 1).seats, (Seats{{0, 0}, {0, 1}}));
  EXPECT_EQ(seats_for(map, "other-process", 2, 1).seats, (Seats{{0, 0}, {1, 0}}));
  EXPECT_EQ(seats_for(map, "other-node", 2, 1).seats, (Seats{{0, 0}, {2, 0}}));
  EXPECT_EQ(seats_for(map, "other-node", 4, 2).seats, (Seats{{0, 0}, {0, 1}, {2, 0}, {2, 1}}));
}

TEST(RankMap, WhatALaunchDoesNotHaveIsSaid) {
  const RankMap map = two_nodes();
  EXPECT_THAT(seats_for(map, "other-process", 3, 1).why_not, HasSubstr("needs 3 ranks on the node of rank 0"));
  EXPECT_THAT(seats_for(map, "other-node", 3, 1).why_not, HasSubstr("needs 3 nodes, and the launch is on 2"));
  EXPECT_THAT(seats_for(map, "unbound", 5, 1).why_not, HasSubstr("needs 5 ranks, and the launch has 4"));
  EXPECT_THAT(seats_for(map, "unbound", 3, 2).why_not, HasSubstr("cannot be dealt to ranks of 2 threads"));
  EXPECT_THAT(seats_for(map, "unbound", 5, 1).seats, IsEmpty());
}

TEST(RankMap, IsCrowdedWhereMembersOutnumberCpus) {
  RankMap map = two_nodes();
  EXPECT_FALSE(is_crowded(map, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}));
  EXPECT_TRUE(is_crowded(map, {{0, 0}, {0, 1}, {1, 0}})) << "three members on the two CPUs of a node";
  map[0].cpus = {0};
  map[1].cpus = {1};
  EXPECT_FALSE(is_crowded(map, {{0, 0}, {1, 0}}));
  EXPECT_TRUE(is_crowded(map, {{0, 0}, {0, 1}})) << "two threads of a rank that is bound to one CPU";
}

TEST(RankMap, OnANodeOneMemberLooksAfterTheOther) {
  const RankMap map = two_nodes();
  const Seats seats{{0, 0}, {0, 1}, {2, 0}, {1, 0}};
  const auto turn = [&](int rank) { return look_turn(map, seats, rank); };
  EXPECT_GT(turn(0).begins, Nanoseconds{}) << "who polls for word falls asleep first";
  EXPECT_EQ(turn(1).begins - turn(0).begins, microseconds(200)) << "two members before it, on this node";
  EXPECT_EQ(turn(2).begins, turn(0).begins) << "nodes are in nobody's way";
  EXPECT_EQ(turn(0).ends, turn(1).ends);
  EXPECT_EQ(turn(1).ends - turn(1).begins, microseconds(100));
}

TEST(RankMap, ALookIsBounded) {
  RankMap map;
  Seats seats;
  for (int rank = 0; rank < 1000; ++rank) {
    map.push_back({"a", 0, rank, {rank}});
    seats.push_back({rank, 0});
  }
  EXPECT_LE(look_turn(map, seats, 999).ends, milliseconds(11));
  for (int rank = 1; rank < 1000; ++rank)
    EXPECT_GT(look_turn(map, seats, rank).begins, look_turn(map, seats, rank - 1).begins);
}

TEST(RankMap, SeatsSurviveAsText) {
  const Seats seats{{0, 0}, {3, 1}, {12, 0}};
  EXPECT_EQ(parse_seats(to_text(seats)), seats);
  for (const char* wrong : {"1", "1.", "1.0", "a.0 ", "1.-1 ", "1.0 2"})
    EXPECT_THROW(parse_seats(wrong), std::invalid_argument) << wrong;
}

TEST(RankMap, OnlyRanksThatStayWhereTheyAreHaveADistance) {
  const std::vector<RankSeat> seats{{0, 0}, {1, 0}};
  const auto neighbour = [&](const std::string& node, std::vector<int> cpus) {
    RankMap map{{"a", 0, 10, {0, 1}}, {node, 0, 11, std::move(cpus)}};
    number_nodes(map);
    return neighbour_of_first(map, seats);
  };
  EXPECT_EQ(neighbour("a", {2, 3}), 1);
  EXPECT_EQ(neighbour("a", {1, 2}), 0) << "they may meet on CPU 1";
  EXPECT_EQ(neighbour("b", {2, 3}), 0) << "another node";
  const RankMap one{{"a", 0, 10, {0}}, {"a", 0, 11, {1}}};
  EXPECT_EQ(neighbour_of_first(one, {{0, 0}}), 0);
  EXPECT_EQ(neighbour_of_first(one, {{0, 0}, {0, 1}}), 0) << "threads of one rank";
}

}  // namespace
}  // namespace assay
