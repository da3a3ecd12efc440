// SPDX-License-Identifier: Apache-2.0
// Where numbers come from: build, command and machine.
#pragma once
#include <string>

#include "platform/machine.hpp"
#include "record/record.hpp"

namespace assay {

/// Version, source revision, compiler, flags, build type, C++ library: fixed when the program was built.
Facts build_facts();
/// "assay 0.1.0 (g++ 12.2.0, release)".
std::string version_line();
/// build_facts, the machine's facts, and the clock's.
Facts session_facts(const Topology& topology);

}  // namespace assay
