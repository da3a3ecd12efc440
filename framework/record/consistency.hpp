// SPDX-License-Identifier: Apache-2.0
// Whether whole, valid records agree with each other: results may come from anywhere.
#pragma once
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// What contradicts itself: a point that was finished twice in one session with different contents, a series with two
/// measurements, a quantity with two units, a result of more observations than its visits hold. Sentences without full
/// stop, with foreign names quoted; empty when nothing does. Visits may be missing altogether.
std::vector<std::string> contradictions(const std::vector<Record>& records);

}  // namespace assay
