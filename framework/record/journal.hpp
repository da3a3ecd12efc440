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
/// The checksum as it stands in a journal: eight lower-case hexadecimal digits.
std::string crc_text(std::uint32_t crc);
/// Version of the journal's format.
inline constexpr int journal_version = 1;

/// Name of the journal inside a campaign's directory.
inline constexpr const char* journal_name = "journal.jsonl";

/// What a journal holds, and what was wrong with its end.
struct JournalContent {
  std::vector<Record> records;
  std::int64_t good_size = 0;  ///< bytes of whole, valid records
  std::int64_t torn = 0;       ///< bytes after them with nothing valid among them
};
/// Writes records. Line: {"v":1,"seq":N,"type":...,...,"crc":"xxxxxxxx"}, the checksum over all bytes before `,"crc"`.
class Journal final : public Sink {
 public:
  /// Creates the directory and an empty journal in it. Throws ResultError when the directory exists, StorageError.
  Journal(const std::string& directory, const Clock& clock);
  /// Goes on with the journal of a directory after the whole records that were read from it; a torn tail is cut off.
  /// Throws ResultError when another process is writing it, StorageError.
  Journal(const std::string& directory, const JournalContent& content, const Clock& clock);
  /// Appends one record with one write. Synced at least every second, and before this returns for point, derived, note
  /// and end records. Throws StorageError, also for a record longer than the reader takes.
  void write(const Record& record) override;
  /// Syncs what has been waiting for a second or more. For loops that wait long without writing.
  void sync_if_due();
  /// Number of records known to be on the disk.
  std::int64_t durable() const { return durable_; }

 private:
  void sync();

  const Clock& clock_;
  AppendFile file_;
  std::int64_t next_ = 0;
  std::int64_t durable_ = 0;
  Instant synced_;
};

/// Reads a journal file or the journal of a campaign's directory. A torn tail is what a write that did not finish can
/// leave: a last line without its end, or last lines with the zero bytes of blocks that were never written. It is
/// reported; any other damage throws ResultError with byte offset and line. Throws PlatformError when there is no such
/// file.
JournalContent read_journal(const std::string& path);
/// The same for a journal's text; `name` stands in the messages.
JournalContent parse_journal(std::string_view text, const std::string& name);

}  // namespace assay
