// SPDX-License-Identifier: Apache-2.0
// Room: clocks of ranks, synchronized and checked.
// A common clock for all ranks: rank 0's own, which each rank learns, by exchanges of stamps, from a rank of a tree.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "stats/clock/clock_fit.hpp"
#include "stats/clock/clock_model.hpp"
#include "team/wire/wire.hpp"

namespace assay {

/// When a rank has learned enough.
struct SyncRule {
  int exchanges = 10;                      ///< per fit point
  int fit_points = 10;                     ///< at least 2, those of earlier lessons included
  Nanoseconds spacing = milliseconds(10);  ///< between the first two; each further one is half as long again
  /// To the next look at the clocks. Lessons go on while what is left open of the drift may make the model wrong by
  /// more than half the fastest round trip in such a time.
  Nanoseconds stretch = milliseconds(250);
  Nanoseconds most_time = seconds(2);  ///< of one lesson, for the fit points asked for besides
};

/// Why a rank's learning ended.
enum class SyncEnd : std::uint8_t { is_reference, one_clock, learned, time_used_up };

/// What a rank knows of the common clock. A plain value: rank 0 can gather it for the record.
struct CommonClock {
  ClockModel model;  ///< from this rank's clock to rank 0's; its bounds are those of the whole way there
  ClockModel link;   ///< from this rank's clock to its parent's own, with the bounds of their exchanges alone
  int parent = -1;   ///< from which rank; -1 on rank 0
  SyncEnd end = SyncEnd::is_reference;
  int fit_points = 0;
  int exchanges = 0;  ///< of the last lesson
};

/// Learns the common clock on all ranks, which all call it: leaders of nodes from each other in a tree, then ranks
/// within their node. Each learns its parent's own clock and joins what it found with what the parent knows (HCA2:
/// Hunold and Carpen-Amarie, Hierarchical Clock Synchronization in MPI, CLUSTER 2018). Within a node it is first tested
/// whether both ranks read one clock: it is, when no answer was stamped before its question or after its receipt; the
/// bound is then what such exchanges could not have seen. Where that is refuted (clocks of different containers may
/// differ) ranks learn as between nodes. `seen` is what this rank found of its parent's clock before, and is added to:
/// while both keep their rates a lesson need not last long. Throws std::invalid_argument for a rule of fewer than two
/// fit points; WireError.
CommonClock synchronize(Wire& wire, const SyncRule& rule, ClockHistory& seen);

/// A rank's clock for people: "rank 3: within 1.2 us of the common clock, by 10 fit points over 0.5 s from rank 2,
/// whose clock is 1000.000000412 s behind".
std::string to_text(const CommonClock& clock, int rank);

/// Asks a rank for a reading of its own clock, so many times; the other side is in answer_stamps().
std::vector<Stamps> exchange_stamps(Wire& wire, int with, int count);
/// Announces to the other side that there will be no more questions.
void end_exchange(Wire& wire, int with);
/// Answers each question with a reading of this rank's clock, until the other side ends it.
void answer_stamps(Wire& wire, int with);

/// A rank's place among those that learn the common clock, which is rank 0's own.
struct SyncPlace {
  int parent = -1;              ///< from whom it learns; -1 for rank 0
  bool parent_is_near = false;  ///< of the same node
  std::vector<int> children;    ///< whom it teaches, in order: leaders of other nodes before ranks of its own
};

/// The place of a rank, given the node of each. The first rank of each node leads it; a binomial tree over the leaders,
/// and one over the ranks of each node, end after log2(nodes) + log2(ranks per node) lessons in a row, rounded up.
SyncPlace sync_place(const std::vector<int>& nodes, int rank);
/// The place of this rank.
SyncPlace sync_place(const Wire& wire);

}  // namespace assay
