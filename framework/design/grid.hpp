// SPDX-License-Identifier: Apache-2.0
// All combinations of the levels of factors, by number, and whether a point is one of them: none of them is kept.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/point.hpp"
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

}  // namespace assay
