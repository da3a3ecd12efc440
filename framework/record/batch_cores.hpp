// SPDX-License-Identifier: Apache-2.0
// What the members of a batch read of their cores.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/batch.hpp"
#include "stats/core/core_levels.hpp"

namespace assay {

/// The readings on both sides of a member's part of a batch.
struct MemberReadings {
  NodeCpu cpu_before;
  CoreReading before;
  NodeCpu cpu_after;
  CoreReading after;
  bool is_rested = false;  ///< both are the visit's own: what the member read while the others rested
};

/// By rank. Members at work on one core appear shared to each other, which says nothing about the machine: of several
/// on a node, what each read while the others rested (`apart`, by rank) represents every batch of the visit.
std::vector<MemberReadings> readings_of(const Batch& batch, const std::vector<CoreReading>& apart,
                                        std::span<const std::string> nodes);

/// What both readings say together: mixed where they differ, unknown where one of them is.
Sharing sharing_of(const MemberReadings& member, const CoreLevels& levels);

}  // namespace assay
