// SPDX-License-Identifier: Apache-2.0
// What an access to a cache line costs, by the operation, the line's state and who has it.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "line/pool.hpp"
#include "line/protocol.hpp"
#include "logp/polling.hpp"

namespace assay {

/// One repetition is a pass: member 0 chooses lines, the members bring each of them into the state in the steps of its
/// recipe, with a meeting after each step, and member 0 accesses each line once, which is timed. Preparing is not.
/// The states' effects on latency were first distinguished so by Molka et al., Memory Performance and Cache Coherency
/// Effects on an Intel Nehalem Multiprocessor System (PACT 2009); by operation: David, Guerraoui and Trigonakis (SOSP
/// 2013), Schweizer, Besta and Hoefler (PACT 2015).
class LineAccess final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, access, loop };

  /// Throws Unsupported where the members cannot have lines in this state (N11), or the processor (N10).
  explicit LineAccess(Setup& setup);
  /// Throws std::logic_error where a line did not hold what the preparation left there.
  Claims run(Member& member, Reps reps) override { return (this->*batch_)(member, reps); }

 private:
  struct alignas(line_size) Pass {
    LineOffsets chosen{};
    std::uint64_t key = 0;
  };
  struct alignas(line_size) Meeting {
    std::atomic<std::uint64_t> arrived{0};
  };
  struct alignas(line_size) Own {
    std::uint64_t meetings = 0;  // that this member has been to
  };

  template <LineOperation operation, LineFollow follow>
  Claims batch(Member& member, Reps reps);
  std::uint64_t prepare(const Member& member);
  void meet(const Member& member);

  LineCase case_;
  std::vector<LineStep> recipe_;
  LinePool& pool_;
  Pass& pass_;
  Meeting& meeting_;
  Polling polling_;
  LineChooser chooser_;
  std::vector<Own> own_;
  Claims (LineAccess::*batch_)(Member&, Reps) = nullptr;
};

}  // namespace assay
