// SPDX-License-Identifier: Apache-2.0
// Recorded batches of actions with readings of their core between them, by which rules for its state are judged.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/core_reading.hpp"
#include "support/traces/trace_text.hpp"

namespace assay::test {

/// What was read of a core at one instant: a few times in a row, so that lengths and numbers of tries can be compared.
struct KeptReading {
  static constexpr std::size_t tries = 4;  ///< each of half the program's length
  std::array<std::int64_t, tries> wide{};  ///< ns
  std::int64_t chain = 0;                  ///< ns of all tries
  std::int64_t walk = 0;                   ///< ns through a few lines of the second level's cache
  friend bool operator==(const KeptReading&, const KeptReading&) = default;
};

/// Batches in a row, each between two readings.
struct KeptVisit {
  std::int64_t at = 0;   ///< us since the first one
  std::size_t cell = 0;  ///< into StateTrace::cells
  std::vector<KeptReading> readings;
  struct KeptBatch {
    std::int64_t elapsed = 0;  ///< ns
    bool switched = false;     ///< another process ran on the CPU meanwhile
    friend bool operator==(const KeptBatch&, const KeptBatch&) = default;
  };
  std::vector<KeptBatch> batches;  ///< one less than there are readings
  friend bool operator==(const KeptVisit&, const KeptVisit&) = default;
};

/// A recording of some seconds on one CPU.
struct StateTrace {
  std::vector<TraceCell> cells;
  std::int64_t additions = 1;  ///< of each try
  std::int64_t steps = 1;      ///< of the chain, of all tries
  std::int64_t lines = 1;      ///< of the walk
  int cycles_per_step = 0;
  std::vector<KeptVisit> visits;  ///< in order of time
  Circumstances circumstances;

  /// What the program would have read with its usual length right before the batch that follows (the last two tries)
  /// and right after the one that went before (the first two).
  CoreReading before_batch(const KeptReading& kept) const { return of_tries(kept, 2); }
  CoreReading after_batch(const KeptReading& kept) const { return of_tries(kept, 0); }
  /// Of some tries in a row. Each of them is half of the usual length.
  CoreReading of_tries(const KeptReading& kept, std::size_t first, std::size_t count = 2) const;
};

/// A first line "assay-trace 1 states", facts, and for each visit: microseconds since the one before, cell, number of
/// batches, then a reading and a batch in turn, and a last reading. A reading is the first try, the differences of the
/// further ones to it, chain and walk; a batch is its nanoseconds, negative where it was switched.
std::string to_text(const StateTrace& trace);
/// Throws std::runtime_error like read_timings.
StateTrace read_states(const std::string& file);

}  // namespace assay::test
