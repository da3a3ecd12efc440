// SPDX-License-Identifier: Apache-2.0
// Room: message schedules of collective operations, and how long they take under LogGP.
// What each rank sends, receives and computes in a collective operation, by the algorithm; also as texts in GOAL, the
// language of LogGOPSim.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace assay::collective {

/// The operations of MPI that have a schedule here. Rank 0 is the root where there is one.
enum class Collective : std::uint8_t { barrier, broadcast, reduce, allreduce, allgather, alltoall };

enum class Algorithm : std::uint8_t {
  binomial,
  recursive_doubling,
  ring,
  rabenseifner,
  bruck,
  dissemination,
  pairwise,
  linear
};

/// "allreduce", and "recursive-doubling": how they are written on the command line and in files.
std::string_view name(Collective collective);
std::string_view name(Algorithm algorithm);

/// The one of this name, or none.
std::optional<Collective> collective_named(std::string_view name);
std::optional<Algorithm> algorithm_named(std::string_view name);

/// All of them, and the algorithms that a collective operation has a schedule for.
std::vector<Collective> collectives();
std::vector<Algorithm> algorithms(Collective collective);

/// What an algorithm does in this operation, and the publication it is taken from. Throws std::invalid_argument where
/// the operation has no such algorithm.
std::string_view source(Collective collective, Algorithm algorithm);

/// The parts of a rank's data that a message carries, by number: `count` of them from `first` on, in runs of `run` at
/// distances of `period`, counted cyclically. `run` 0: in one run.
struct Blocks {
  std::int32_t first = 0;
  std::int32_t count = 0;
  std::int32_t run = 0;
  std::int32_t period = 0;
  /// The number of the i-th part, of `parts` in all.
  std::int32_t part(std::int32_t i, std::int32_t parts) const {
    return static_cast<std::int32_t>(
        (run == 0 ? std::int64_t{first} + i : std::int64_t{first} + std::int64_t{i / run} * period + i % run) % parts);
  }
};

/// One thing that a rank does. It begins when everything in earlier stages of its rank is done; within a stage, sends
/// are issued in their order, and before the receives.
struct Operation {
  enum class Kind : std::uint8_t { send, receive, compute };
  Kind kind = Kind::send;
  bool combined = false;    ///< a receive whose data are combined with the parts there, which the next stage computes
  std::int32_t peer = -1;   ///< the other rank; -1: a computation
  std::uint32_t stage = 0;  ///< from 0, in order
  std::uint32_t match = 0;  ///< of a message: the number of the peer's operation in Schedule::operations
  double bytes = 0;
  Blocks blocks;
};

/// All operations, by rank and stage.
struct Schedule {
  Collective collective = Collective::barrier;
  Algorithm algorithm = Algorithm::linear;
  int ranks = 1;
  double bytes = 0;
  int parts = 1;          ///< that a rank's data are divided into, all of one size
  double part_bytes = 0;  ///< which need not be whole
  std::vector<Operation> operations;
  std::vector<std::size_t> first;  ///< of each rank's operations, and one past the last
  std::span<const Operation> of(int rank) const {
    const auto begin = first[static_cast<std::size_t>(rank)];
    return std::span(operations).subspan(begin, first[static_cast<std::size_t>(rank) + 1] - begin);
  }
};

/// A schedule of more operations would not fit into memory: of those algorithms in which each rank sends to every one.
inline constexpr std::size_t most_operations = std::size_t{1} << 25;

/// How many operations the schedule has at most, without making it.
double operations_at_most(Collective collective, Algorithm algorithm, int ranks);

/// The schedule over `ranks` ranks, any number of them. `bytes` is the vector of broadcast, reduce and allreduce, what
/// each rank contributes to allgather, and what each sends to each in alltoall; barriers send messages of 0 bytes.
/// Throws std::invalid_argument where the operation has no such algorithm, `ranks` is below 1 or `bytes` is negative,
/// and std::length_error above `most_operations`.
Schedule make(Collective collective, Algorithm algorithm, int ranks, double bytes);

/// The schedule in GOAL (Hoefler, Siebert and Lumsdaine, Group Operation Assembly Language, 2009), as LogGOPSim's
/// txt2bin reads it. An operation requires all of the stage before it, and a send the one before it in its stage, so
/// that both programs send in the same order. Sizes are whole bytes, at least 1, since LogGOPSim subtracts 1.
/// `combine_byte`: of computations, ns per byte.
void write_goal(std::ostream& out, const Schedule& schedule, double combine_byte = 0);

}  // namespace assay::collective
