// SPDX-License-Identifier: Apache-2.0
// Two variables: latency over size and threads.
#pragma once

namespace assay::test {

/// Prints the table of adaptive lines, a tensor log grid and SKaMPI's refinement per line on four surfaces.
void print_surfaces(double noise, int seeds);

}  // namespace assay::test
