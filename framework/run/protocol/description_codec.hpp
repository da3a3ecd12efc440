// SPDX-License-Identifier: Apache-2.0
// A measurement's description as JSON and back: how a probe worker reports what its plugins register.
#pragma once
#include "api/description.hpp"
#include "text/json.hpp"

namespace assay {

/// All of a description.
Json encode_description(const Description& description);

/// Exact inverse. Throws JsonError where a member is missing or wrong, and where the description makes no sense: no
/// quantity or more than max_quantities, a range that ends before it starts, a claimant that no team has.
Description decode_description(const Json& json);

}  // namespace assay
