// SPDX-License-Identifier: Apache-2.0
// Whether all ranks of a place on one node read one clock, tried by messages.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "api/mpi.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// Stamps of different ranks may be compared as they are where these are on one node and no exchange refuted that they
/// read one clock: an answer is stamped after its question and before its receipt. For measurements that compare stamps
/// at one level of a factor only; those that always do say so in their traits, and have api/common_time.hpp.
class NodeClock {
 public:
  /// By the first member of each rank, from enter(). Throws Unsupported (N11), and then on all ranks.
  static void agree(const MpiPlace& place, const Stopwatch& watch, const MpiProgress& progress) {
    if (!Seating(place).one_node())
      throw Unsupported("compares time stamps of ranks on different nodes, which have no common clock here", "N11");
    std::int64_t widest = 0;
    for (int rank = 1; rank < place.ranks(); ++rank) {
      if (place.rank == 0) widest = std::max(widest, question(rank, place.communicator, watch, progress));
      if (place.rank == rank) answer(place.communicator, watch, progress);
    }
    const double bound = progress.from_root(static_cast<double>(widest), 0, place.communicator);
    if (bound >= static_cast<double>(refuted))
      throw Unsupported("compares time stamps of different ranks, and these read different clocks", "N11");
  }

 private:
  static constexpr int tag = 1;
  static constexpr int exchanges = 100;
  static constexpr std::int64_t refuted = std::int64_t{1} << 52;  // still exact as a double

  /// In ticks: the largest offset that the exchanges leave possible; `refuted` where they leave none.
  static std::int64_t question(int rank, MPI_Comm communicator, const Stopwatch& watch, const MpiProgress& progress) {
    std::int64_t ahead = std::numeric_limits<std::int64_t>::max();   // of the other clock, at most
    std::int64_t behind = std::numeric_limits<std::int64_t>::max();  // at most
    for (int i = 0; i < exchanges; ++i) {
      std::int64_t theirs = 0;
      const std::int64_t asked = watch.start();
      progress.tell(rank, tag, communicator);
      progress.receive(&theirs, sizeof theirs, rank, tag, communicator);
      const std::int64_t heard = watch.stop();
      ahead = std::min(ahead, theirs - asked);
      behind = std::min(behind, heard - theirs);
    }
    return std::min(ahead, behind) < 0 ? refuted : std::min(std::max(ahead, behind), refuted);
  }
  static void answer(MPI_Comm communicator, const Stopwatch& watch, const MpiProgress& progress) {
    for (int i = 0; i < exchanges; ++i) {
      progress.hear(0, tag, communicator);
      const std::int64_t now = watch.start();
      progress.send(&now, sizeof now, 0, tag, communicator);
    }
  }
};

}  // namespace assay
