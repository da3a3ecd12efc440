// SPDX-License-Identifier: Apache-2.0
// A fixed journal with everything that the layout `logp` has to show.
#pragma once
#include <vector>

#include "record/record.hpp"

namespace assay::test {

/// Primitives that poll, sleep and merge on two placements: numbers, codes, two regimes, an L that is valid, one that
/// overlaps, one that cannot be distinguished from 0, and both routes to an overhead, agreeing and not.
std::vector<Record> logp_records();

}  // namespace assay::test
