// SPDX-License-Identifier: Apache-2.0
// What identifies who measured and where, and which of the environment's variables may be recorded.
#pragma once
#include <string>
#include <vector>

#include "platform/machine/machine.hpp"

namespace assay {

/// Name of this host, as the system has it.
std::string host_name();

/// Names of this host (with and without its domain) and of the user of this process, the longest first; those that
/// cannot be found are left out, and so is root, which identifies no person.
std::vector<std::string> own_names();

/// The variables that are set of those that change what is measured (threads, MPI, scheduler, allocator), as facts
/// "environment.NAME". No other variable is looked at: some hold secrets.
std::vector<Fact> environment_facts();

}  // namespace assay
