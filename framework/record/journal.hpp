// SPDX-License-Identifier: Apache-2.0
// The result file: append-only JSON Lines, each with sequence number and CRC-32C; written whole, synced, checked on
// reading.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "platform/append_file.hpp"
#include "record/record.hpp"

namespace assay {

/// CRC-32C (Castagnoli) of a text.
std::uint32_t crc32c(std::string_view text);

/// Name of the journal inside a campaign's directory.
inline constexpr const char* journal_name = "journal.jsonl";

/// Writes records. Line: {"v":1,"seq":N,"type":...,...,"crc":"xxxxxxxx"}, the checksum over all bytes before `,"crc"`.
class Journal final : public Sink {
 public:
  /// Creates the directory and an empty journal in it. Throws ResultError when the directory exists, StorageError.
  Journal(const std::string& directory, const Clock& clock);
  /// Appends one record with one write. Synced at least every second, and before this returns for point, derived, note
  /// and end records.
  void write(const Record& record) override;

 private:
  const Clock& clock_;
  AppendFile file_;
  std::int64_t next_ = 0;
  Instant synced_;
};

/// What a journal holds, and what was wrong with its end.
struct JournalContent {
  std::vector<Record> records;
  std::int64_t good_size = 0;  ///< bytes of whole, valid records
  std::int64_t torn = 0;       ///< bytes after them with nothing valid among them
};
/// Reads a journal file or the journal of a campaign's directory. A torn tail is reported; any other damage throws
/// ResultError with byte offset and line.
JournalContent read_journal(const std::string& path);

}  // namespace assay
