// SPDX-License-Identifier: Apache-2.0
// The records behind the golden files of the layout `loggp`.
#pragma once
#include <vector>

#include "record/record.hpp"

namespace assay::test {

/// Two channels over message sizes: one that changes its protocol after 4 KiB, one that does not and was measured in
/// part.
std::vector<Record> loggp_records();

}  // namespace assay::test
