// SPDX-License-Identifier: Apache-2.0
// Bindings by rank in messages.
#pragma once
#include <string_view>
#include <vector>

#include "run/protocol/fields.hpp"

namespace assay {

/// Numbers of CPUs by rank.
Json::Array encode_cpus(const std::vector<int>& cpus);
/// Exact inverse. Throws JsonError for what is not the number of a CPU.
std::vector<int> decode_cpus(Fields& fields, std::string_view key);

}  // namespace assay
