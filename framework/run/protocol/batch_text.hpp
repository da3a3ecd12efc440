// SPDX-License-Identifier: Apache-2.0
// Batches on their way from a worker: numbers in one string, since a JSON tree of them takes longer than the visit's
// guards. The journal's encoding (record/journal/codec.hpp) has names and leaves out what is usual, to stay readable.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/batch.hpp"

namespace assay {

/// Every field of every batch as numbers with a space behind each; reals in the shortest form that reads back exactly.
std::string batches_to_text(const std::vector<Batch>& batches);

/// The batches of such a text, which may be damaged: takes no more memory than a fixed multiple of its
/// length. Throws JsonError saying what is wrong, and at which byte.
std::vector<Batch> batches_from_text(std::string_view text);

}  // namespace assay
