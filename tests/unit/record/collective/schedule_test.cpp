// SPDX-License-Identifier: Apache-2.0
// Schedules, by what is in every rank's memory when they have been carried out.
#include "record/collective/schedule.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <stdexcept>

#include "base/rng.hpp"

namespace assay {
namespace {

using namespace collective;
using Parts = std::vector<std::uint64_t>;

/// A part of a rank's data at the start; sums of them are those of no other set of ranks.
std::uint64_t initial(int rank, int part) {
  return scattered((static_cast<std::uint64_t>(rank) << 32) + static_cast<std::uint64_t>(part) + 1);
}

/// Carries out the schedule on what `at_start` puts into each rank's memory.
template <class Start>
std::vector<Parts> carried_out(const Schedule& schedule, Start at_start) {
  const auto ranks = static_cast<std::size_t>(schedule.ranks), parts = static_cast<std::size_t>(schedule.parts);
  std::vector<Parts> memory(ranks, Parts(parts)), received(ranks, Parts(parts));
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (std::size_t part = 0; part < parts; ++part)
      memory[rank][part] = at_start(static_cast<int>(rank), static_cast<int>(part));
  std::map<std::uint32_t, Parts> messages;  // by the receiver's operation
  std::vector<std::size_t> next(schedule.first.begin(), schedule.first.end() - 1);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      for (; next[rank] < schedule.first[rank + 1]; ++next[rank], goes_on = true) {
        const Operation& each = schedule.operations[next[rank]];
        const auto slot = [&](std::int32_t i) { return static_cast<std::size_t>(each.blocks.part(i, schedule.parts)); };
        if (each.kind == Operation::Kind::send)
          for (std::int32_t i = 0; i < each.blocks.count; ++i) messages[each.match].push_back(memory[rank][slot(i)]);
        if (each.kind == Operation::Kind::compute)
          for (std::int32_t i = 0; i < each.blocks.count; ++i) memory[rank][slot(i)] += received[rank][slot(i)];
        if (each.kind != Operation::Kind::receive) continue;
        const auto message = messages.find(static_cast<std::uint32_t>(next[rank]));
        if (message == messages.end()) break;
        EXPECT_EQ(message->second.size(), static_cast<std::size_t>(each.blocks.count));
        for (std::int32_t i = 0; i < each.blocks.count; ++i)
          (each.combined ? received : memory)[rank][slot(i)] = message->second[static_cast<std::size_t>(i)];
        messages.erase(message);
      }
    }
  }
  for (std::size_t rank = 0; rank < ranks; ++rank)
    EXPECT_EQ(next[rank], schedule.first[rank + 1]) << "rank " << rank << " waits for ever";
  EXPECT_TRUE(messages.empty());
  return memory;
}

std::uint64_t sum_of_all(const Schedule& schedule, int part) {
  std::uint64_t sum = 0;
  for (int rank = 0; rank < schedule.ranks; ++rank) sum += initial(rank, part);
  return sum;
}

/// What a part of a rank has to be at the start and in the end; none: anything.
std::uint64_t at_start(const Schedule& schedule, int rank, int part) {
  switch (schedule.collective) {
    case Collective::broadcast:
      return rank == 0 ? initial(0, part) : 0;
    case Collective::allgather:
      return rank == part ? initial(rank, 0) : 0;
    default:
      return initial(rank, part);
  }
}
std::optional<std::uint64_t> at_end(const Schedule& schedule, int rank, int part) {
  switch (schedule.collective) {
    case Collective::barrier:
      return std::nullopt;
    case Collective::broadcast:
      return initial(0, part);
    case Collective::reduce:
      return rank == 0 ? std::optional(sum_of_all(schedule, part)) : std::nullopt;
    case Collective::allreduce:
      return sum_of_all(schedule, part);
    case Collective::allgather:
      return initial(part, 0);
    case Collective::alltoall:
      return initial((rank + schedule.ranks - part) % schedule.ranks, part);
  }
  return std::nullopt;
}

void expect_right(const Schedule& schedule) {
  const auto memory = carried_out(schedule, [&](int rank, int part) { return at_start(schedule, rank, part); });
  std::vector<std::optional<std::uint64_t>> same_for_all;
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    for (int part = 0; part < schedule.parts; ++part) {
      const auto wanted = at_end(schedule, rank, part);
      ASSERT_TRUE(!wanted || memory[static_cast<std::size_t>(rank)][static_cast<std::size_t>(part)] == *wanted)
          << name(schedule.collective) << " by " << name(schedule.algorithm) << ", " << schedule.ranks
          << " ranks: rank " << rank << ", part " << part;
    }
    if (schedule.ranks > 64 && rank == 8) rank = schedule.ranks - 8;
  }
}

template <class Body>
void for_all_algorithms(Body body) {
  for (const Collective collective : collectives())
    for (const Algorithm algorithm : algorithms(collective)) body(collective, algorithm);
}

TEST(CollectiveSchedule, EveryRankEndsWithTheRightData) {
  for_all_algorithms([](Collective collective, Algorithm algorithm) {
    for (int ranks = 1; ranks <= 33; ++ranks) expect_right(make(collective, algorithm, ranks, 1000));
    for (const int ranks : {128, 173}) expect_right(make(collective, algorithm, ranks, 1000));
  });
}

TEST(CollectiveSchedule, TreesAreRightAmongThousands) {
  for (const int ranks : {4096, 5001}) {
    expect_right(make(Collective::broadcast, Algorithm::binomial, ranks, 8));
    expect_right(make(Collective::reduce, Algorithm::binomial, ranks, 8));
    expect_right(make(Collective::allreduce, Algorithm::recursive_doubling, ranks, 8));
  }
}

TEST(CollectiveSchedule, MessagesMatchAndCarryTheirParts) {
  for_all_algorithms([](Collective collective, Algorithm algorithm) {
    for (const int ranks : {1, 2, 3, 6, 8, 21}) {
      const Schedule schedule = make(collective, algorithm, ranks, 840);
      double sent = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        std::uint32_t stage = 0;
        for (const Operation& each : schedule.of(rank)) {
          EXPECT_GE(each.stage, stage);
          stage = each.stage;
          EXPECT_DOUBLE_EQ(each.bytes, each.blocks.count * schedule.part_bytes);
          if (each.kind == Operation::Kind::compute) continue;
          const Operation& other = schedule.operations[each.match];
          EXPECT_EQ(other.peer, rank);
          EXPECT_EQ(&schedule.operations[other.match], &each);
          EXPECT_NE(other.kind, each.kind);
          EXPECT_DOUBLE_EQ(other.bytes, each.bytes);
          EXPECT_NE(each.peer, rank);
          sent += each.kind == Operation::Kind::send ? each.bytes : 0;
        }
      }
      EXPECT_LE(static_cast<double>(schedule.operations.size()), operations_at_most(collective, algorithm, ranks));
      // No algorithm sends less than what has to arrive.
      const double least = collective == Collective::barrier     ? 0
                           : collective == Collective::alltoall  ? 840.0 * ranks * (ranks - 1)
                           : collective == Collective::allgather ? 840.0 * ranks * (ranks - 1)
                                                                 : 840.0 * (ranks - 1);
      EXPECT_GE(sent, least * (1 - 1e-12)) << name(collective) << " by " << name(algorithm) << ", " << ranks;
    }
  });
}

TEST(CollectiveSchedule, NamesAreReadBack) {
  for_all_algorithms([](Collective collective, Algorithm algorithm) {
    EXPECT_EQ(collective_named(name(collective)), collective);
    EXPECT_EQ(algorithm_named(name(algorithm)), algorithm);
    EXPECT_FALSE(source(collective, algorithm).empty());
  });
  EXPECT_EQ(collective_named("scan"), std::nullopt);
  EXPECT_EQ(algorithm_named("recursive doubling"), std::nullopt);
}

TEST(CollectiveSchedule, WhatHasNoScheduleIsRefused) {
  EXPECT_THROW(make(Collective::barrier, Algorithm::ring, 4, 0), std::invalid_argument);
  EXPECT_THROW(make(Collective::barrier, Algorithm::linear, 0, 0), std::invalid_argument);
  EXPECT_THROW(make(Collective::broadcast, Algorithm::linear, 2, -1), std::invalid_argument);
  EXPECT_THROW(make(Collective::alltoall, Algorithm::linear, 1 << 20, 1), std::length_error);
  EXPECT_EQ(make(Collective::barrier, Algorithm::dissemination, 16384, 0).ranks, 16384);
}

}  // namespace
}  // namespace assay
