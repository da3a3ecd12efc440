// SPDX-License-Identifier: Apache-2.0
// Whether a point is one of all combinations of the levels of factors.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/point.hpp"
#include "design/design.hpp"

namespace assay {

/// Knows levels by the hashes of their texts: eight bytes each, however many there are.
class Membership {
 public:
  explicit Membership(const std::vector<FactorDomain>& factors);
  /// True when the point has these factors, in their order, and each at one of its levels.
  bool contains(const Point& point) const;

 private:
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> factors_;  ///< hashes ascending
};

}  // namespace assay
