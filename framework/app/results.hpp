// SPDX-License-Identifier: Apache-2.0
// Existing results, and those of a running campaign.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "record/journal.hpp"
#include "record/record.hpp"

namespace assay {

/// Throws ConfigError, positioned at `command`, unless the path is a campaign's directory or journal file.
void require_results(const std::string& command, const std::string& path);
/// What tables, exports and comparisons need of a campaign's directory or journal file: everything but the beginnings
/// of visits, and of visits one per point and session, without its batches. A torn end is told on `err`. Throws
/// ConfigError as require_results does, and ResultError as scan_journal does.
std::vector<Record> read_results(const std::string& command, const std::string& path, std::ostream& err);

/// Results that contradict themselves were changed, or put together from others: no table of them would be right.
/// Throws ResultError with what was found at a path, unless that is nothing.
void require_none(const std::string& path, const std::vector<std::string>& found);

/// Tells how many bytes of an unfinished record a journal ends in, if it does.
void tell_of_torn_end(const JournalEnd& end, std::ostream& err);

/// True for what stands in tables: everything but visits, their beginnings and incarnations.
bool is_tabled(const Record& record);

/// Writes to a journal and keeps what tables need: everything but visits and incarnations.
class Collector final : public Sink {
 public:
  /// The journal is borrowed.
  explicit Collector(Journal& journal) : journal_(journal) {}
  void write(const Record& record) override;
  /// Keeps records that the journal has already.
  void remember(const std::vector<Record>& records);
  const std::vector<Record>& records() const { return records_; }

 private:
  Journal& journal_;
  std::vector<Record> records_;
};

}  // namespace assay
