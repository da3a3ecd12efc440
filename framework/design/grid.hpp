// SPDX-License-Identifier: Apache-2.0
// All combinations of the levels of factors, by number, whether a point is one of them, and a random order of numbers:
// none of them is kept.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/point.hpp"
#include "base/rng.hpp"
#include "design/design.hpp"

namespace assay {

/// The last factor varies fastest. One empty point for no factor.
class Grid {
 public:
  explicit Grid(std::vector<FactorDomain> factors);
  std::uint64_t size() const { return size_; }
  /// The combination of that number, which is below size().
  Point operator[](std::uint64_t number) const;

 private:
  std::vector<FactorDomain> factors_;
  std::uint64_t size_ = 1;
};

/// All of them as points, where they are few.
std::vector<Point> product(const std::vector<FactorDomain>& factors);

/// Whether points are such combinations: keeps the hashes of the levels' texts, eight bytes each.
class Membership {
 public:
  explicit Membership(const std::vector<FactorDomain>& factors);
  /// True when the point has these factors, in their order, and each at one of its levels.
  bool contains(const Point& point) const;

 private:
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> factors_;  ///< hashes ascending
};

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
