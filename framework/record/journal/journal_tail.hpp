// SPDX-License-Identifier: Apache-2.0
// What follows the last whole record of a journal: the trace of unfinished writes, or damage.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// The place in the tail, in bytes and in lines from its beginning, that unfinished writes cannot have left; nothing
/// when all of it can. `offset` is where the tail begins in the file, `records` how many whole ones stand before it.
///
/// A killed process leaves the beginning of a line. A power loss leaves zeros in sectors (512 bytes) that were never
/// written, and records after them: those show by `unsynced` that the ones before were never reported as written.
struct TailDamage {
  std::size_t at = 0;
  std::size_t line = 0;
};
std::optional<TailDamage> damage_in_tail(std::string_view tail, std::int64_t offset, std::int64_t records);

}  // namespace assay
