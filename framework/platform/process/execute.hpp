// SPDX-License-Identifier: Apache-2.0
// Handing the process over to another program.
#pragma once
#include <string>
#include <vector>

namespace assay {

/// Replaces this process by the first program of that name on the path, no shell in between. Returns only when that
/// fails: the reason, as errno has it (ENOENT when there is no such program).
int execute_from_path(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace assay
