// SPDX-License-Identifier: Apache-2.0
// A common clock for all ranks: rank 0's own, which each rank learns from a rank that knows it.
#pragma once
#include <cstdint>
#include <string>

#include "stats/clock_model.hpp"
#include "team/wire.hpp"

namespace assay {

/// When a rank has learned enough.
struct SyncRule {
  int exchanges = 10;                      ///< per fit point, of which the fastest counts
  int fit_points = 10;                     ///< at least 2
  Nanoseconds spacing = milliseconds(10);  ///< between fit points
  Nanoseconds wanted = seconds(1e9);       ///< more fit points are taken while the bound is wider than this
  int most_exchanges = 1000;               ///< with the rank it learns from
};

/// Why a rank's learning ended.
enum class SyncEnd : std::uint8_t { is_reference, one_clock, bound_reached, exchanges_used_up };

/// What a rank knows of the common clock. A plain value: rank 0 can gather it for the record.
struct CommonClock {
  ClockModel model;  ///< from this rank's clock to rank 0's; its bounds are those of the whole way there
  ClockModel link;   ///< what this rank learned itself: the same line, with the bounds of its own exchanges alone
  int parent = -1;   ///< from which rank; -1 on rank 0
  SyncEnd end = SyncEnd::is_reference;
  int fit_points = 0;
  int exchanges = 0;
};

/// Learns the common clock on all ranks, which all call it: leaders of nodes from each other in a tree, each against
/// its parent's reading of the common clock (HCA3: Hunold and Carpen-Amarie, Hierarchical Clock Synchronization in MPI,
/// CLUSTER 2018), then ranks within their node. Within a node it is first tested whether both ranks read one clock: it
/// is, when no answer was stamped before its question or after its receipt; the bound is then what such exchanges could
/// not have seen. Where that is refuted (clocks of different containers may differ) ranks learn as between nodes.
/// Throws std::invalid_argument for a rule that ends before two fit points; WireError.
CommonClock synchronize(Wire& wire, const SyncRule& rule = {});

/// A rank's clock for people: "rank 3: within 1.2 us of the common clock, by 10 fit points from rank 2".
std::string to_text(const CommonClock& clock, int rank);

}  // namespace assay
