// SPDX-License-Identifier: Apache-2.0
// Whether a session would measure the same thing as an earlier one: machine, system and program.
#pragma once
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// The facts that make another machine or program where they differ: processor, topology, usable CPUs, SMT, clock
/// source, C library, MPI library, program and build, scheduling class.
Facts hard_facts(const Facts& facts);

/// Differences after which two sessions may not stand in one estimate: processor, topology, usable CPUs, SMT, clock
/// source, C library, MPI library, program and build, scheduling class. "KEY: VALUE then, VALUE now" each.
std::vector<std::string> hard_differences(const Facts& then, const Facts& now);

/// Differences that are reported, and tested for a shift: boot, kernel, host of the same model, microcode, governor.
std::vector<std::string> soft_differences(const Facts& then, const Facts& now);

}  // namespace assay
