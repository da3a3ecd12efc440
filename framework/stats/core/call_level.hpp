// SPDX-License-Identifier: Apache-2.0
// What a system call takes on a core whose throughput is that of a core alone.
#pragma once
#include <cstdint>
#include <optional>

#include "stats/core/level_counts.hpp"

namespace assay {

/// In steps of the chain, as what follows the clock.
struct UsualCall {
  double cost = 0;      ///< 0: not known
  double shortest = 0;  ///< that is still usual: half of the way to a level next to it; else whatever is shorter
  double longest = 0;   ///< likewise; else 1.12 times the cost
  /// True where it is not known.
  bool holds(double call) const { return !(cost > 0) || (call >= shortest && call <= longest); }
};

/// Learns it, since a core can be alone by its throughput and yet be in another state. A neighbour that waits leaves it
/// all its additions; but system calls take 1.2 times as long beside it, mutexes 1.3 and pipes 1.1. In another state,
/// of which the cause is not known and which lasts from 10 ms to a second, system calls take a fifteenth less.
class CallLevel {
 public:
  /// True where what is usual has changed by more than 1 %.
  bool add(double call);
  /// What was found before, until 20 readings say more.
  void confirm(const UsualCall& earlier);
  const UsualCall& usual() const { return usual_; }

 private:
  double alone() const;
  double kept(double found) const;
  std::optional<double> level_beside(double one, double least, double most) const;

  LevelCounts counts_;
  std::int64_t next_look_ = 20;  ///< readings
  UsualCall usual_;
};

}  // namespace assay
