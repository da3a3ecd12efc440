// SPDX-License-Identifier: Apache-2.0
// Results that make pictures: a matrix of placements, and curves with gaps.
#pragma once
#include <vector>

#include "record/record.hpp"

namespace assay::test {

/// A matrix of four CPUs in two groups, of which one pair is noisy, one has no number and one was not measured; a curve
/// over bytes that passes from spinning to sleeping, with a point that did not converge far above it; and one of three
/// points, which is none.
std::vector<Record> picture_records();

}  // namespace assay::test
