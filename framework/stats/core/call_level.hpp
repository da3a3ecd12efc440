// SPDX-License-Identifier: Apache-2.0
// What a system call takes on a core whose throughput is that of a core alone.
#pragma once
#include <cstdint>
#include <optional>

#include "stats/core/level_counts.hpp"

namespace assay {

/// In steps of the chain, as what follows the clock.
struct UsualCall {
  double cost = 0;     ///< 0: not known
  double longest = 0;  ///< that is still usual
  /// True where it is not known.
  bool holds(double call) const { return !(cost > 0) || call <= longest; }
};

/// Learns it, since a core can be alone by its throughput and yet be beside a neighbour that waits. That one leaves it
/// all its additions; but system calls take 1.2 times as long beside it, mutexes 1.3 and pipes 1.1. Of a core alone
/// calls are at several levels, a twelfth or a fifteenth apart: on one machine at 192 ns, and in the fast state, of
/// which the cause is not known and which lasts from 10 ms to half a minute, at 178; on another at 165, 178 and 192
/// from one visit to the next. What consists of calls differs by 4 % between them at the most. So all are usual that
/// are connected by levels so near.
class CallLevel {
 public:
  /// True where what is usual has changed by more than 1 %.
  bool add(double call);
  /// What was found before, until 20 readings say more.
  void confirm(const UsualCall& earlier);
  const UsualCall& usual() const { return usual_; }

 private:
  double alone() const;
  double highest(double usual) const;

  LevelCounts counts_;
  std::int64_t next_look_ = 20;  ///< readings
  UsualCall usual_;
};

}  // namespace assay
