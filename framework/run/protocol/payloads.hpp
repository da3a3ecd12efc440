// SPDX-License-Identifier: Apache-2.0
// What messages carry beside their fields: batches as numbers in one string, descriptions of measurements as JSON.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "api/description.hpp"
#include "base/batch.hpp"
#include "text/json.hpp"

namespace assay {

/// Every field of every batch as numbers with a space behind each; reals in the shortest form that reads back exactly.
/// In one string, since a JSON tree of them takes longer than the visit's guards. The journal's encoding
/// (record/journal/codec.hpp) has names and leaves out what is usual, to stay readable.
std::string batches_to_text(const std::vector<Batch>& batches);

/// The batches of such a text, which may be damaged: takes no more memory than a fixed multiple of its
/// length. Throws JsonError saying what is wrong, and at which byte.
std::vector<Batch> batches_from_text(std::string_view text);

/// All of a description.
Json encode_description(const Description& description);

/// Exact inverse. Throws JsonError where a member is missing or wrong, and where the description makes no sense: no
/// quantity or more than max_quantities, a range that ends before it starts, a claimant that no team has.
Description decode_description(const Json& json);

}  // namespace assay
