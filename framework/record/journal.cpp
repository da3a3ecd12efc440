// SPDX-License-Identifier: Apache-2.0
// Writing the journal.
#include "record/journal.hpp"

#include <cerrno>

#include "base/error.hpp"
#include "record/codec.hpp"

namespace assay {

namespace {

// Records after which the user is told that something is done.
bool must_be_durable(const Record& record) {
  return std::holds_alternative<PointRecord>(record) || std::holds_alternative<DerivedRecord>(record) ||
         std::holds_alternative<NoteRecord>(record) || std::holds_alternative<EndRecord>(record);
}

std::string line_of(const Record& record, std::int64_t number) {
  // The members before the record's own are fixed text: the reader finds its place in a torn line by them.
  std::string line = R"({"v":)" + std::to_string(journal_version) + R"(,"seq":)" + std::to_string(number) + ",";
  const std::string members = to_text(encode(record));
  line.append(members, 1, members.size() - 2);
  return line + R"(,"crc":")" + crc_text(crc32c(line)) + "\"}\n";
}

AppendFile create_in(const std::string& directory) {
  create_private_directory(directory);
  return AppendFile::create(directory + "/" + journal_name);
}

}  // namespace

Journal::Journal(const std::string& directory, const Clock& clock)
    : clock_(clock), file_(create_in(directory)), synced_(clock.now()) {}

Journal::Journal(const std::string& directory, const JournalContent& content, const Clock& clock)
    : clock_(clock),
      file_(AppendFile::reopen(directory + "/" + journal_name, content.good_size, content.torn)),
      next_(static_cast<std::int64_t>(content.records.size())),
      durable_(next_),
      synced_(clock.now()) {}

void Journal::write(const Record& record) {
  const std::string line = line_of(record, next_);
  if (line.size() > json_size_limit)
    throw StorageError("a record of " + std::to_string(line.size()) + " bytes is too long for the journal", EFBIG);
  file_.append(line);
  ++next_;
  if (must_be_durable(record))
    sync();
  else
    sync_if_due();
}

void Journal::sync_if_due() {
  if (durable_ < next_ && clock_.now() - synced_ >= seconds(1)) sync();
}

void Journal::sync() {
  file_.sync();
  durable_ = next_;
  synced_ = clock_.now();
}

}  // namespace assay
