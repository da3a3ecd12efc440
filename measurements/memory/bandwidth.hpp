// SPDX-License-Identifier: Apache-2.0
// Bandwidth of copying, reading and writing memory, of each member's own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// One member's kernel with its memory.
class MemoryStation {
 public:
  MemoryStation() = default;
  MemoryStation(const MemoryStation&) = delete;
  MemoryStation& operator=(const MemoryStation&) = delete;
  virtual ~MemoryStation() = default;
  /// `reps` passes in the clock, before the first of all one outside, which leaves the caches as passes leave them; the
  /// time of those.
  /// Throws std::logic_error where the contents are not right afterwards.
  virtual Nanoseconds run(const Member& member, Reps reps) = 0;
};

/// A kernel by its word.
struct MemoryKernel {
  const char* word;
  int arrays;      ///< ranges of memory that it needs
  double counted;  ///< bytes that count as moved, by the size
  std::unique_ptr<MemoryStation> (*make)(std::size_t bytes);
};
/// All of them, in the order of their words in `kernel_words()`.
const std::vector<MemoryKernel>& memory_kernels();
std::vector<std::string> kernel_words();

/// Passes over memory. Every member has ranges of its own, which it is the first to touch: on a machine of several
/// memory nodes they are near it.
class MemoryBandwidth final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t time = 0, bandwidth = 1;

  /// Throws Unsupported for a size that is no multiple of 512 bytes, or that there is no room for.
  explicit MemoryBandwidth(Setup& setup);
  void enter(Member& member) override;
  Claims run(Member& member, Reps reps) override;
  void leave(Member& member) override;

 private:
  const MemoryKernel& kernel_;
  std::size_t bytes_;
  std::vector<std::unique_ptr<MemoryStation>> stations_;  ///< each member's, in its own process where it has one
};

}  // namespace assay
