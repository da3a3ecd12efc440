// SPDX-License-Identifier: Apache-2.0
// Room: records on disk: written durably, read back, salvaged.
// The result file: append-only JSON Lines, each with sequence number and CRC-32C; written whole, synced, checked on
// reading.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "platform/file/crc32c.hpp"
#include "platform/machine/owner_file.hpp"
#include "record/journal/durability.hpp"
#include "record/journal/journal_line.hpp"
#include "record/record.hpp"
#include "text/text_key.hpp"

namespace assay {

/// Name of the journal inside a campaign's directory.
inline constexpr const char* journal_name = "journal.jsonl";

/// How far a journal is whole.
struct JournalEnd {
  std::int64_t records = 0;
  std::int64_t good_size = 0;  ///< bytes of whole, valid records
  std::int64_t torn = 0;       ///< bytes after them that unfinished writes left
};

/// What a line is about, known before its record is decoded. Views into the line, valid during the call only.
struct RecordHead {
  std::string_view type;  ///< "visit", "point", ...
  std::string_view
      subject;       ///< of records of a point: the bytes that name it, which are of no other point in this file
  int session = -1;  ///< of begin, incarnation, visit and failure; -1 for others
  /// Of records of a point: equal to about(series, point), which costs more than to look at the subject; else empty.
  std::function<std::string_view()> about;
};
/// The text by which a line identifies its point and series.
std::string about(const std::string& series, const Point& point);
/// What stands for it in an index.
TextKey key_of(const std::string& series, const Point& point);

/// Whose records are wanted, and who takes them.
using Wanted = std::function<bool(const RecordHead&)>;
using Take = std::function<void(Record)>;

/// Checks every line of a journal file, or of the journal of a campaign's directory, and hands on the records whose
/// heads `wanted` says yes to, in their order; the others are not decoded. Needs memory for a line, not for the file. A
/// torn tail is what writes that did not finish can leave; it is reported. Any other damage throws ResultError with
/// byte offset and line. Throws PlatformError when there is no such file.
JournalEnd scan_journal(const std::string& path, const Wanted& wanted, const Take& take);
/// The same for a journal's text; `name` stands in the messages, files beside the journal are in `directory`.
JournalEnd scan_journal_text(std::string_view text, const std::string& name, const std::string& directory,
                             const Wanted& wanted, const Take& take);

/// What a journal holds, and how far it is whole.
struct JournalContent {
  std::vector<Record> records;
  JournalEnd end;
};
/// Reads all of a journal, as scan_journal does.
JournalContent read_journal(const std::string& path);
/// The same for a journal's text.
JournalContent parse_journal(std::string_view text, const std::string& name);
/// The journal's file where `path` is a directory, else `path`.
std::string journal_file(const std::string& path);

/// How a journal is written.
struct JournalOptions {
  Durability durability = {};
  bool steal_lock = false;  ///< take it from an owner on another host that cannot be asked
};

/// Writes records. Line: {"v":1,"seq":N,"type":...,...,"crc":"xxxxxxxx"}, the checksum over all bytes before `,"crc"`;
/// before it "unsynced":K where K records before this one were not known to be on the disk. The batches of a visit of
/// more than 64 KiB stand in a file of their own (record/journal/side_file.hpp).
class Journal final : public Sink {
 public:
  /// Creates the directory and an empty journal in it. Throws ResultError when the directory exists, StorageError.
  Journal(const std::string& directory, const Clock& clock, const JournalOptions& options = {});
  /// Goes on with the journal of a directory after the whole records that were read from it; a torn tail is cut off,
  /// and a note in the journal reports it, as that of an earlier owner that did not end in order. Throws ResultError
  /// when another process is writing it, or may be; StorageError.
  Journal(const std::string& directory, const JournalEnd& end, const Clock& clock, const JournalOptions& options = {});
  /// Writes after `records` whole records to a file that no other process has.
  Journal(AppendFile file, std::int64_t records, const Clock& clock, const JournalOptions& options = {});

  /// Appends one record with one write. What is reported as done is on the disk before this returns: campaign, failure,
  /// point, derived, note and end records, and the beginning of a visit to a point that failed before; the rest within
  /// a second. Other durabilities promise less. Throws StorageError, also for a record longer than the reader takes;
  /// the journal then ends with the whole record before.
  void write(const Record& record) override;
  /// Syncs what has been waiting too long. For loops that wait long without writing.
  void sync_if_due();
  /// Syncs everything now, whatever the durability.
  void sync();
  /// Number of records known to be on the disk.
  std::int64_t durable() const { return durable_; }

 private:
  struct Opened {
    AppendFile file;
    std::vector<OwnerFile> owner;  // one
  };
  static Opened created(const std::string& directory, const JournalOptions& options);
  static Opened reopened(const std::string& directory, const JournalEnd& end, const JournalOptions& options);
  Journal(Opened opened, std::int64_t records, const Clock& clock, const JournalOptions& options);
  std::string directory() const;
  std::string line_of(const Record& record) const;
  static bool must_be_durable(const Record& record);
  void append(const std::string& line);
  [[noreturn]] void give_up(const StorageError& error, std::int64_t kept) const;

  const Clock& clock_;
  JournalOptions options_;
  AppendFile file_;
  std::vector<OwnerFile> owner_;  // after the file: it goes while the lock is still held
  std::int64_t next_ = 0;
  std::int64_t durable_ = 0;
  Instant synced_;
};

}  // namespace assay
