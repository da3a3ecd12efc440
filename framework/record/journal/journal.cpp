// SPDX-License-Identifier: Apache-2.0
// Writing the journal.
#include "record/journal/journal.hpp"

#include <cerrno>
#include <utility>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "record/journal/codec.hpp"
#include "record/journal/side_file.hpp"

namespace assay {

namespace {

constexpr auto at_least_every = seconds(1);

template <class... Kinds>
bool is_any_of(const Record& record) {
  return (std::holds_alternative<Kinds>(record) || ...);
}

void create_for(const std::string& directory) {
  try {
    create_private_directory(directory);
  } catch (const ResultError& error) {
    throw ResultError(std::string(error.what()) +
                      "; nothing in it was changed; name a new directory, or continue with 'assay resume " + directory +
                      "'");
  }
}

// Only what the reader takes is written.
void check_limits(const Record& record, const std::string& line) {
  if (line.size() <= journal_json_limits.string) return;
  const bool campaign = std::holds_alternative<CampaignRecord>(record);
  try {
    parse_json(std::string_view(line).substr(0, line.size() - 1),
               campaign ? campaign_json_limits : journal_json_limits);
  } catch (const JsonError& error) {
    throw StorageError(
        "a record of " + std::to_string(line.size()) + " bytes is too long for the journal: " + error.what(), EFBIG);
  }
}

}  // namespace

Journal::Opened Journal::created(const std::string& directory, const JournalOptions& options) {
  create_for(directory);
  std::vector<OwnerFile> owner;
  AppendFile file = AppendFile::create(directory + "/" + journal_name,
                                       [&](FileLock lock) { owner.emplace_back(directory, lock, options.steal_lock); });
  return {std::move(file), std::move(owner)};
}

Journal::Opened Journal::reopened(const std::string& directory, const JournalEnd& end, const JournalOptions& options) {
  std::vector<OwnerFile> owner;
  AppendFile file = AppendFile::reopen(directory + "/" + journal_name, end.good_size, end.torn,
                                       [&](FileLock lock) { owner.emplace_back(directory, lock, options.steal_lock); });
  return {std::move(file), std::move(owner)};
}

Journal::Journal(const std::string& directory, const Clock& clock, const JournalOptions& options)
    : Journal(created(directory, options), 0, clock, options) {}

Journal::Journal(const std::string& directory, const JournalEnd& end, const Clock& clock, const JournalOptions& options)
    : Journal(reopened(directory, end, options), end.records, clock, options) {
  // A journal begins with what was asked for; without a record nothing was lost.
  if (end.records == 0) return;
  if (end.torn > 0)
    write(NoteRecord{"the journal ended in " + std::to_string(end.torn) +
                     " bytes of incomplete records; they were cut off"});
  if (const std::string& notice = owner_.front().notice(); !notice.empty())
    write(NoteRecord{"the journal was " + notice});
}

Journal::Journal(AppendFile file, std::int64_t records, const Clock& clock, const JournalOptions& options)
    : Journal(Opened{std::move(file), {}}, records, clock, options) {}

Journal::Journal(Opened opened, std::int64_t records, const Clock& clock, const JournalOptions& options)
    : clock_(clock),
      options_(options),
      file_(std::move(opened.file)),
      owner_(std::move(opened.owner)),
      next_(records),
      durable_(records),
      synced_(clock.now()) {}

std::string Journal::directory() const { return parent_directory(file_.path()); }

std::string Journal::line_of(const Record& record) const {
  std::string line = sealed_line(next_, next_ - durable_, to_text(encode(record)));
  const auto* visit = std::get_if<VisitRecord>(&record);
  if (visit != nullptr && line.size() > side_file_from) {
    VisitRecord short_one = *visit;
    short_one.batches.clear();
    Json json = encode(Record(std::move(short_one)));
    json.set("samples", write_side_file(directory(), next_, visit->batches));
    line = sealed_line(next_, next_ - durable_, to_text(json));
  }
  check_limits(record, line);
  return line;
}

// Records after which the user is informed that something is done, or after which a machine may not come back.
bool Journal::must_be_durable(const Record& record) {
  if (const auto* begin = std::get_if<BeginRecord>(&record)) return begin->retried;
  return is_any_of<CampaignRecord, FailureRecord, PointRecord, DerivedRecord, VariantRecord, NoteRecord, EndRecord,
                   LaunchRecord>(record);
}

void Journal::write(const Record& record) {
  try {
    file_.append(line_of(record));
  } catch (const StorageError& error) {
    give_up(error, next_);
  }
  ++next_;
  const bool done = must_be_durable(record);
  const auto mode = options_.durability.mode;
  // Without its first record a journal is none, whatever else of it reached the disk.
  const bool now = is_any_of<CampaignRecord>(record) || (mode == Durability::Mode::point && done) ||
                   (mode == Durability::Mode::interval && is_any_of<EndRecord>(record));
  now ? sync() : sync_if_due();
}

void Journal::sync_if_due() {
  if (options_.durability.mode == Durability::Mode::none || durable_ == next_) return;
  const bool often = options_.durability.mode == Durability::Mode::point;
  if (clock_.now() - synced_ >= (often ? at_least_every : options_.durability.interval)) sync();
}

void Journal::sync() {
  try {
    file_.sync();
  } catch (const StorageError& error) {
    give_up(error, durable_);
  }
  durable_ = next_;
  synced_ = clock_.now();
}

void Journal::give_up(const StorageError& error, std::int64_t kept) const {
  throw StorageError(
      error.attempt(), error.error_number(),
      std::to_string(kept) +
          " records before it are kept; correct that (make room, or restore the file), then 'assay resume " +
          directory() + "'");
}

}  // namespace assay
