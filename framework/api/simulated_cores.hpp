// SPDX-License-Identifier: Apache-2.0
// Cores whose readings are computed, for measurements of simulated time.
#pragma once
#include <optional>

#include "api/measurement.hpp"
#include "base/core_reading.hpp"
#include "base/simulated_core.hpp"

namespace assay {

/// A measurement of simulated time that derives from this as well has simulated cores: the framework asks it where it
/// would read the machine's own, and a batch takes the time that passes on the member's stopwatch. Without it such a
/// measurement has no cores, and no states. Cores are numbered as the members are; a step of the chain takes
/// simulated_cycles_per_step cycles.
class SimulatedCores {
 public:
  SimulatedCores() = default;
  SimulatedCores(const SimulatedCores&) = delete;
  SimulatedCores& operator=(const SimulatedCores&) = delete;
  virtual ~SimulatedCores() = default;

  /// What the member's core is like now; called on that member. Right before and right after each batch the others are
  /// at work as well; before a visit they rest, and each member is asked in its turn. Only then a system call says
  /// anything, and it may be left out.
  virtual CoreReading read_core(Member& member, bool others_rest) = 0;
  /// Mean round trip of flags between the cores of the first two members, asked for once per visit before its first
  /// batch, on the first member. Nothing where they have no distance.
  virtual std::optional<Nanoseconds> distance() { return std::nullopt; }
};

}  // namespace assay
