// SPDX-License-Identifier: Apache-2.0
// The four kernels of STREAM over arrays of doubles.
#pragma once
#include <cstddef>
#include <cstdint>

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

}  // namespace assay
