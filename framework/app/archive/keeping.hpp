// SPDX-License-Identifier: Apache-2.0
// The actions of `assay history`, in the program that keeps histories.
#pragma once
#include "app/cli/command.hpp"

namespace assay::history {

/// Executes the command line, which has been checked; returns the exit code. Throws as sub-commands do.
int keep(const CommandLine& line, AppContext& context);

}  // namespace assay::history
