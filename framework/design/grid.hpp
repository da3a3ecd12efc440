// SPDX-License-Identifier: Apache-2.0
// All combinations of the levels of factors, by number: none of them is kept.
#pragma once
#include <cstdint>
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

}  // namespace assay
