// SPDX-License-Identifier: Apache-2.0
// A fixed journal of a cluster with a slow node and a slow link, and of the CPUs of a node.
#pragma once
#include <vector>

#include "record/record.hpp"

namespace assay::test {

/// Five nodes with their links, six nodes by themselves, three CPUs; a link that failed, and one that took another
/// turn.
std::vector<Record> cluster_records();

}  // namespace assay::test
