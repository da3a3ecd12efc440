// SPDX-License-Identifier: Apache-2.0
// A fixed journal of the tests of Table 1 of de Supinski and May.
#pragma once
#include <vector>

#include "record/record.hpp"

namespace assay::test {

/// Rows measured by the paper's rule and by another, without a number, with two regimes, and left out.
std::vector<Record> desupinski_records();

}  // namespace assay::test
