// SPDX-License-Identifier: Apache-2.0
// One line of a journal: sealed with a checksum, and recognised without reading it as JSON.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/json.hpp"

namespace assay {

/// Version of the journal's format.
inline constexpr int journal_version = 1;

/// Longest line of a journal, its newline left out.
inline constexpr std::size_t journal_line_limit = std::size_t{1} << 20U;
/// What a record may hold; the configuration of a campaign may be one string as long as a line.
inline constexpr JsonLimits journal_json_limits{journal_line_limit, 32, std::size_t{64} << 10U};
inline constexpr JsonLimits campaign_json_limits{journal_line_limit, 32, journal_line_limit};

/// The checksum as it stands in a journal: eight lower-case hexadecimal digits.
std::string crc_text(std::uint32_t crc);

/// A line, newline included, around the members of an object ("type" first, in braces). `unsynced` records before it
/// were not known to be on the disk when it was written.
std::string sealed_line(std::int64_t number, std::int64_t unsynced, std::string_view members);

/// True when a line (without its newline) has the form of a record and its checksum is right, in any version.
bool is_sound(std::string_view line);

/// The beginning of each line in this version: an unfinished line agrees with it as far as it goes.
std::string line_start(std::int64_t number);

/// What stands at the fixed beginning of a line. Views into it.
struct LineHead {
  std::int64_t version = 0;
  std::int64_t number = 0;
  std::string_view type;
  std::string_view subject;  ///< from the series to the point's end, of records that have both
  std::string_view series;   ///< as JSON
  std::string_view point;    ///< as JSON
  std::int64_t session = -1;
};
/// Nothing when the line does not begin as its writer makes it.
std::optional<LineHead> head_of(std::string_view line);

}  // namespace assay
