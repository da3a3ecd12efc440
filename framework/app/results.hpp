// SPDX-License-Identifier: Apache-2.0
// Existing results, and those of a running campaign.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "record/journal.hpp"
#include "record/record.hpp"

namespace assay {

/// The records of a campaign's directory or journal file. A torn end is told on `err`. Throws ConfigError, positioned
/// at `command`, when there is no such thing, and ResultError as read_journal does.
std::vector<Record> read_results(const std::string& command, const std::string& path, std::ostream& err);
/// The same with what is known of the journal's end.
JournalContent read_content(const std::string& command, const std::string& path, std::ostream& err);

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
