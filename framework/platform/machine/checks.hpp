// SPDX-License-Identifier: Apache-2.0
// The checks one by one, and the words that they are made of.
#pragma once
#include <optional>
#include <string>

#include "platform/machine/check.hpp"

namespace assay::checks {

/// What a check says when there is nothing to say, when it could not be made, and of a problem.
Check fine(std::string found);
Check not_known(std::string why);
Check trouble(CheckLevel level, std::string found, std::string meaning, std::string remedy);

/// A file below the root without white space at its end; nothing where it cannot be read.
std::optional<std::string> text_at(const CheckInputs& inputs, const std::string& path);
/// "/sys/devices/system/cpu/cpuN/FILE"; nothing as above.
std::optional<std::string> cpu_text(const CheckInputs& inputs, int cpu, const std::string& file);
/// "3.1 %".
std::string percent(double share);
/// With at most three digits.
std::string decimal(double value);

// One check each; their ids stand in checks.cpp, and make_checks() sets them.
Check aslr(const CheckInputs& inputs);
Check clock(const CheckInputs& inputs);
Check debug(const CheckInputs& inputs);
Check disk(const CheckInputs& inputs);
Check governor(const CheckInputs& inputs);
Check huge(const CheckInputs& inputs);
Check interrupts(const CheckInputs& inputs);
Check limits(const CheckInputs& inputs);
Check load(const CheckInputs& inputs);
Check mpi(const CheckInputs& inputs);
Check observers(const CheckInputs& inputs);
Check quota(const CheckInputs& inputs);
Check set(const CheckInputs& inputs);
Check smt(const CheckInputs& inputs);
Check steal(const CheckInputs& inputs);
Check thermal(const CheckInputs& inputs);
Check turbo(const CheckInputs& inputs);
Check virtual_machine(const CheckInputs& inputs);

}  // namespace assay::checks
