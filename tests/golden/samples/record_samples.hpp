// SPDX-License-Identifier: Apache-2.0
// A fixed set of records with everything that tables and exports have to show.
#pragma once
#include <vector>

#include "record/record.hpp"

namespace assay::test {

/// Two series (one with several quantities and regimes, one without variation and with hostile names), derived values,
/// notes, points without a number, and a session that ended early.
std::vector<Record> sample_records();

}  // namespace assay::test
