// SPDX-License-Identifier: Apache-2.0
// A chain of dependent multiplications, timed.
#include "platform/core_speed.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>

namespace assay {
namespace {

constexpr int chains = 4;
constexpr int length = 2000;  // some 2 us: a step of the clock, 20 ns and more on real machines, is 1 % of that

std::int64_t now() noexcept {
  timespec reading{};
  ::clock_gettime(CLOCK_MONOTONIC, &reading);
  return reading.tv_sec * 1'000'000'000LL + reading.tv_nsec;
}

/// The multiplier is hidden from the compiler, which can then neither compute the chain nor shorten it.
std::uint64_t chain(std::uint64_t factor) noexcept {
  asm volatile("" : "+r"(factor));
  std::uint64_t product = factor;
  for (int i = 0; i < length; ++i) {
    product *= factor;
    asm volatile("" : "+r"(product));
  }
  return product;
}

}  // namespace

Nanoseconds core_step() {
  auto fastest = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < chains; ++i) {
    const std::int64_t start = now();
    [[maybe_unused]] const volatile std::uint64_t kept = chain(3);
    fastest = std::min(fastest, now() - start);
  }
  return Nanoseconds{static_cast<double>(fastest)} / length;
}

}  // namespace assay
