// SPDX-License-Identifier: Apache-2.0
// Numbers in a mixed radix, sorted hashes of levels, and rounds of a Feistel network.
#include "design/grid.hpp"

#include <algorithm>
#include <utility>

#include "base/rng.hpp"

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

Membership::Membership(const std::vector<FactorDomain>& factors) {
  for (const auto& [name, domain] : factors) {
    auto& hashes = factors_.emplace_back(name, std::vector<std::uint64_t>{}).second;
    for (const Value& level : domain.levels) hashes.push_back(stable_hash(to_text(level)));
    std::ranges::sort(hashes);
  }
}

bool Membership::contains(const Point& point) const {
  const auto has = [](const auto& factor, const auto& level) {
    return factor.first == level.first && std::ranges::binary_search(factor.second, stable_hash(to_text(level.second)));
  };
  return std::ranges::equal(factors_, point.levels(), has);
}

Permutation::Permutation(std::uint64_t size, Rng rng) : size_(size) {
  while (std::uint64_t{1} << (2 * half_) < size) ++half_;
  for (std::uint64_t& key : keys_) key = rng.next();
}

std::uint64_t Permutation::operator()(std::uint64_t place) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
  do {
    for (const std::uint64_t key : keys_) {
      const std::uint64_t right = place & mask;
      place = right << half_ | ((place >> half_ ^ scattered(right ^ key)) & mask);
    }
  } while (place >= size_);
  return place;
}

}  // namespace assay
