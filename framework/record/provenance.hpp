// SPDX-License-Identifier: Apache-2.0
// Where numbers come from: build, command and machine.
#pragma once
#include <string>

#include "platform/machine/check.hpp"
#include "platform/machine/machine.hpp"
#include "record/record.hpp"

namespace assay {

/// Version, source revision, compiler, flags, build type, C++ library: fixed when the program was built.
Facts build_facts();
/// "assay 0.1.0 (g++ 12.2.0, release)".
std::string version_line();
/// "assay 0.1.0".
std::string program_version();
/// The day of the source revision, or of configuring where there is none: "2026-11-23".
std::string source_date();
/// build_facts, the facts of the machine, of the environment and of the clock.
Facts session_facts(const Topology& topology);

/// The checks of this machine and session, with results going to `output`; what happens on it now is looked at for
/// `watch`, or not at all.
std::vector<Check> session_checks(const Topology& topology, const std::string& output, Nanoseconds watch = {});

}  // namespace assay
