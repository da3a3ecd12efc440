// SPDX-License-Identifier: Apache-2.0
// Reading and collecting records.
#include "app/results.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>

#include "app/suggest.hpp"
#include "base/error.hpp"

namespace assay {

namespace {

// True for what stands in tables.
bool is_tabled(const Record& record) {
  return !std::holds_alternative<VisitRecord>(record) && !std::holds_alternative<IncarnationRecord>(record);
}

}  // namespace

JournalContent read_content(const std::string& command, const std::string& path, std::ostream& err) {
  if (!std::filesystem::exists(path))
    throw ConfigError(Problem{{command}, "there is no " + shown(path), {}, "name the directory of a campaign"});
  auto journal = std::filesystem::path(path);
  if (std::filesystem::is_directory(journal)) journal /= journal_name;
  if (!std::filesystem::exists(journal))
    throw ConfigError(
        Problem{{command}, shown(path) + " holds no results", "it has no " + std::string(journal_name), {}});
  auto content = read_journal(path);
  if (content.torn > 0)
    err << "note: the journal ends in " << content.torn << " bytes of an unfinished record, which are left out\n";
  return content;
}

std::vector<Record> read_results(const std::string& command, const std::string& path, std::ostream& err) {
  return std::move(read_content(command, path, err).records);
}

void Collector::remember(const std::vector<Record>& records) {
  std::ranges::copy_if(records, std::back_inserter(records_), is_tabled);
}

void Collector::write(const Record& record) {
  journal_.write(record);
  if (is_tabled(record)) records_.push_back(record);
}

}  // namespace assay
