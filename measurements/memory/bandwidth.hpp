// SPDX-License-Identifier: Apache-2.0
// Bandwidth of copying, reading and writing memory, of each member's own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "memory/kernels.hpp"

namespace assay {

/// What a kernel of STREAM (McCalpin, 1995) computes of an element; exact in doubles, whatever is contracted.
struct StreamCopy {
  static constexpr int sources = 1;
  static double of(double a, double) { return a; }
};
struct StreamScale {
  static constexpr int sources = 1;
  static double of(double a, double) { return 3 * a; }
};
struct StreamAdd {
  static constexpr int sources = 2;
  static double of(double a, double b) { return a + b; }
};
struct StreamTriad {
  static constexpr int sources = 2;
  static double of(double a, double b) { return a + 3 * b; }
};

/// A kernel as the compiler makes of it, vectors included: that is what STREAM is. Counts the bytes read and those
/// written, as it does; what a cache reads before it writes is not counted.
template <class Formula>
class StreamKernel {
 public:
  static constexpr int arrays = Formula::sources + 1;
  static constexpr double counted = arrays;

  explicit StreamKernel(std::size_t bytes)
      : count_(bytes / sizeof(double)),
        a_(bytes, PageKind::system),
        b_(Formula::sources > 1 ? bytes : sizeof(double), PageKind::system),
        target_(bytes, PageKind::system) {
    for (std::size_t i = 0; i < count_; ++i) {
      a_.as<double>()[i] = first(i);
      if constexpr (Formula::sources > 1) b_.as<double>()[i] = second(i);
      target_.as<double>()[i] = 0;
    }
  }
  void upset() {
    at_few(count_, 1, [this](std::size_t i) { target_.as<double>()[i] = -1; });
  }
  void pass() {
    const double* const a = a_.as<double>();
    const double* const b = b_.as<double>();
    double* const __restrict to = target_.as<double>();
    for (std::size_t i = 0; i < count_; ++i) to[i] = Formula::of(a[i], Formula::sources > 1 ? b[i] : 0);
  }
  void check(std::int64_t) {
    inspection_.look(count_, 1, [this](std::size_t i) {
      if (target_.as<double>()[i] != Formula::of(first(i), Formula::sources > 1 ? second(i) : 0))
        wrong_contents("the target", i);
    });
  }

 private:
  static double first(std::size_t i) { return static_cast<double>(1 + i % 1021); }
  static double second(std::size_t i) { return static_cast<double>(1 + i % 509); }

  std::size_t count_;
  Pages a_;
  Pages b_;
  Pages target_;
  Inspection inspection_;
};

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
