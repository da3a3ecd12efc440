// SPDX-License-Identifier: Apache-2.0
// The collective operations by name, for descriptions of the program without MPI as well.
#pragma once
#include <string>
#include <vector>

namespace assay {

/// All that Operation has; the first is the standard.
inline std::vector<std::string> collective_operations() {
  return {"barrier", "bcast",    "reduce",         "allreduce",           "gather",   "gatherv",
          "scatter", "scatterv", "allgather",      "allgatherv",          "alltoall", "alltoallv",
          "scan",    "exscan",   "reduce_scatter", "reduce_scatter_block"};
}

}  // namespace assay
