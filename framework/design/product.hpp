// SPDX-License-Identifier: Apache-2.0
// Products of levels.
#pragma once
#include <vector>

#include "base/point.hpp"
#include "design/design.hpp"

namespace assay {

/// All combinations of the factors' levels; the last factor varies fastest. One empty point for no factor.
std::vector<Point> product(const std::vector<FactorDomain>& factors);

}  // namespace assay
