// SPDX-License-Identifier: Apache-2.0
// Numbers in a mixed radix.
#include "design/grid.hpp"

#include <utility>

namespace assay {

Grid::Grid(std::vector<FactorDomain> factors) : factors_(std::move(factors)) {
  for (const FactorDomain& factor : factors_) size_ *= factor.domain.levels.size();
}

Point Grid::operator[](std::uint64_t number) const {
  Point point;
  std::uint64_t stride = size_;
  for (const auto& [name, domain] : factors_) {
    stride /= domain.levels.size();
    point.set(name, domain.levels[number / stride]);
    number %= stride;
  }
  return point;
}

std::vector<Point> product(const std::vector<FactorDomain>& factors) {
  const Grid grid(factors);
  std::vector<Point> points;
  for (std::uint64_t i = 0; i < grid.size(); ++i) points.push_back(grid[i]);
  return points;
}

}  // namespace assay
