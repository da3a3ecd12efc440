// SPDX-License-Identifier: Apache-2.0
// A random order of numbers that is computed number by number.
#pragma once
#include <array>
#include <cstdint>

#include "base/rng.hpp"

namespace assay {

/// The numbers 0..size-1 in a seeded random order, in constant memory: a Feistel network over the least even number of
/// bits that holds them, walked until it hits one of them (Black and Rogaway, "Ciphers with arbitrary finite domains",
/// 2002). It cannot yield every order that there is, but each number is as likely as any other at each place.
class Permutation {
 public:
  /// `size` is at most 2^62.
  Permutation(std::uint64_t size, Rng rng);
  std::uint64_t size() const { return size_; }
  /// The number at a place, which is below size().
  std::uint64_t operator()(std::uint64_t place) const;

 private:
  std::uint64_t size_;
  unsigned half_ = 1;  ///< bits
  std::array<std::uint64_t, 6> keys_{};
};

}  // namespace assay
