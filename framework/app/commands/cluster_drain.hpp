// SPDX-License-Identifier: Apache-2.0
// The part of `assay cluster` that measures nothing.
#pragma once
#include "app/cli/command.hpp"

namespace assay {

/// Prints the commands that drain the deviating nodes of the report in the directory of --drain, or with --yes runs
/// them. Throws ConfigError for operands and options that measure, and for a directory without a cluster's results;
/// ResultError where more nodes would be drained than --most, without it one in ten, allows.
int run_drain(const CommandLine& line, AppContext& context);

/// Throws ConfigError for options that belong to --drain, where that is not given.
void refuse_without_drain(const CommandLine& line);

}  // namespace assay
