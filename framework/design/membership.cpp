// SPDX-License-Identifier: Apache-2.0
// Sorted hashes of levels.
#include "design/membership.hpp"

#include <algorithm>

#include "base/rng.hpp"

namespace assay {

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

}  // namespace assay
