// SPDX-License-Identifier: Apache-2.0
// Room: results read back for commands that show, compare and export them.
// Existing results, read for presentation.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "record/compare/turns.hpp"
#include "record/journal/journal.hpp"
#include "record/record.hpp"

namespace assay {

/// Throws ConfigError, positioned at `command`, unless the path is a campaign's directory or journal file.
void require_results(const std::string& command, const std::string& path);
/// What tables, exports and comparisons need of a campaign's directory or journal file: everything but the beginnings
/// of visits, and of visits one per point and session, without its batches. A torn end is reported on `err`. Throws
/// ConfigError as require_results does, and ResultError as scan_journal does.
/// `turns`, if given, receives every visit. Visits of the measurements in `raw_of` are all kept, with their batches.
std::vector<Record> read_results(const std::string& command, const std::string& path, std::ostream& err,
                                 Turns* turns = nullptr, const std::vector<std::string>& raw_of = {});

/// Results that contradict themselves were changed, or put together from others: no table of them would be right.
/// Throws ResultError with what was found at a path, unless that is nothing.
void require_none(const std::string& path, const std::vector<std::string>& found);

/// Tells how many bytes of an unfinished record a journal ends in, if it does.
void tell_of_torn_end(const JournalEnd& end, std::ostream& err);

/// What tables are made of, of so many points at most, so that it fits into memory whatever the journal has.
struct Tabled {
  std::vector<Record> records;
  std::size_t left_out = 0;  ///< further points
};
/// Reads it from a directory's journal: the first `most` points, each by its latest record, and the last `most` notes.
/// Throws as scan_journal does.
Tabled read_tabled(const std::string& directory, std::size_t most);

}  // namespace assay
