// SPDX-License-Identifier: Apache-2.0
// From a sound line of a journal to its record.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "record/journal/journal_line.hpp"
#include "record/record.hpp"

namespace assay {

/// "format version 2; this program reads version 1".
std::string version_text(std::int64_t version);

/// The head of a line, which has to be that of record `due`, of a type that is known; only the first record is a
/// campaign. Throws JsonError that says what is wrong.
LineHead checked_head(std::string_view line, std::int64_t due);
/// The same for any sequence number.
LineHead checked_head(std::string_view line);

/// What about(series, point) gives for the head of a record that has both. Throws JsonError.
std::string about_text(const LineHead& head);

/// The record of a line, with what stands in a file of its own. Throws JsonError for what no writer makes: values of
/// another type, times that are negative or not finite, a missing file.
Record decode_line(std::string_view line, const LineHead& head, const std::string& directory);

}  // namespace assay
