// SPDX-License-Identifier: Apache-2.0
// Batches of a visit that is too long for one write, in a file of their own beside the journal.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/batch.hpp"
#include "text/json.hpp"

namespace assay {

/// Records longer than this have their batches put aside: a kill can tear longer writes.
inline constexpr std::size_t side_file_from = std::size_t{64} << 10U;

/// Writes the batches of record `number`, one per line, durably and under the name that the number gives; returns what
/// the record has to say of the file: its bytes and checksum. Throws StorageError.
Json write_side_file(const std::string& directory, std::int64_t number, const std::vector<JudgedBatch>& batches);

/// Reads them back. Only the file of that number inside the directory is ever read, and no link. Throws JsonError when
/// it is missing, or not what the record says.
std::vector<JudgedBatch> read_side_file(const std::string& directory, std::int64_t number, const Json& said);

}  // namespace assay
