// SPDX-License-Identifier: Apache-2.0
// Lists of CPUs as people and the kernel write them.
#pragma once
#include <string>
#include <vector>

namespace assay {

/// CPU indexes as ranges, "0-3,8": `cpus` ascending. "none" when there are none.
std::string cpu_ranges(const std::vector<int>& cpus);

}  // namespace assay
