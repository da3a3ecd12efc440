// SPDX-License-Identifier: Apache-2.0
// Whether a measurement's description makes sense.
#pragma once
#include <string>
#include <vector>

#include "api/description.hpp"

namespace assay {

/// What is wrong with a description, one text for each mistake with the field it is in: names, quantities and their
/// units, factors whose standard is outside their own range, members, traits. Empty when all is right.
std::vector<std::string> faults_of(const Description& description);

}  // namespace assay
