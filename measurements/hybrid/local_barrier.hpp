// SPDX-License-Identifier: Apache-2.0
// A barrier of the threads of one rank.
#pragma once
#include <atomic>
#include <cstdint>

#include "api/measurement.hpp"
#include "mpi/progress.hpp"

namespace assay {

/// A counter that the last to arrive resets and a generation that the others poll, as `central` of sync/barrier; where
/// members outnumber CPUs they give theirs up between two polls.
class LocalBarrier {
 public:
  LocalBarrier(int threads, const MpiProgress& progress) : threads_(threads), progress_(progress), missing_{threads} {}

  void wait() {
    const std::uint32_t own = generation_.load(std::memory_order_relaxed);  // cannot grow before this arrival
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      missing_.store(threads_, std::memory_order_relaxed);
      generation_.store(own + 1, std::memory_order_release);
      return;
    }
    progress_.until([&] {
      relax();
      return generation_.load(std::memory_order_acquire) != own;
    });
  }

 private:
  int threads_;
  MpiProgress progress_;
  alignas(line_size) std::atomic<int> missing_;
  alignas(line_size) std::atomic<std::uint32_t> generation_{0};
};

}  // namespace assay
