// SPDX-License-Identifier: Apache-2.0
// The running program, the ones beside it, what a program writes, and becoming another one.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace assay {

/// The path of the running image; "/proc/self/exe" when the file has been replaced or removed since. Throws
/// PlatformError.
std::string own_program();

/// The folder of the running image, links resolved, with a slash at its end. Throws PlatformError.
std::string own_folder();

/// The path of a program of that name in the folder of the running one; nothing where there is none that may be run.
/// Throws PlatformError.
std::optional<std::string> program_beside(const std::string& name);

/// The path by which a program is started: of its own where it has a slash, else the first of that name on PATH.
/// Nothing where there is none that may be run.
std::optional<std::string> program_on_path(const std::string& name);

/// Runs a program to its end and returns what it wrote to standard output and error, 64 KiB of it at most. Nothing
/// where it cannot be started, fails, or does not end before the deadline; whatever is left of it is killed.
std::optional<std::string> output_of(const std::string& program, const std::vector<std::string>& arguments,
                                     Nanoseconds deadline);

/// Replaces this process by the first program of that name on the path, no shell in between. Returns only when that
/// fails: the reason, as errno has it (ENOENT when there is no such program).
int execute_from_path(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace assay
