// SPDX-License-Identifier: Apache-2.0
// What belongs to a whole process, so that somebody can tell whether it was changed meanwhile.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// Names with values in words: the CPUs and the signal mask of the calling thread; working directory, locale, limits,
/// and what descriptors 0 to 3 are, of the process.
using ProcessState = std::vector<std::pair<std::string, std::string>>;

/// The state now. Some forty system calls; never fails as a whole.
ProcessState process_state();

/// "the working directory (was /a, is /b), the locale (...)"; empty when nothing differs. Both are from this program.
std::string changes_between(const ProcessState& before, const ProcessState& after);

}  // namespace assay
