// SPDX-License-Identifier: Apache-2.0
// Reading and collecting records.
#include "app/results.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <set>
#include <utility>

#include "app/suggest.hpp"
#include "base/error.hpp"
#include "record/consistency.hpp"

namespace assay {

bool is_tabled(const Record& record) {
  return !std::holds_alternative<VisitRecord>(record) && !std::holds_alternative<IncarnationRecord>(record) &&
         !std::holds_alternative<BeginRecord>(record);
}

void tell_of_torn_end(const JournalEnd& end, std::ostream& err) {
  if (end.torn > 0)
    err << "note: the journal ends in " << end.torn << " bytes of an unfinished record, which are left out\n";
}

namespace {

// Wants a point's first visit in each session, and whatever is no visit.
class FirstVisits {
 public:
  bool operator()(const RecordHead& head) {
    if (head.type == "begin") return false;
    return head.type != "visit" || seen_.emplace(head.about, head.session).second;
  }

 private:
  std::set<std::pair<std::string, int>> seen_;
};

}  // namespace

void require_none(const std::string& path, const std::vector<std::string>& found) {
  if (found.empty()) return;
  constexpr std::size_t most_told = 20;
  std::string text = path + ": the results contradict themselves; take them as they were written";
  for (std::size_t i = 0; i < std::min(found.size(), most_told); ++i) text += "\n  " + found[i];
  if (found.size() > most_told) text += "\n  and " + std::to_string(found.size() - most_told) + " more";
  throw ResultError(text);
}

void require_results(const std::string& command, const std::string& path) {
  if (!std::filesystem::exists(path))
    throw ConfigError(Problem{{command}, "there is no " + shown(path), {}, "name the directory of a campaign"});
  if (!std::filesystem::exists(journal_file(path)))
    throw ConfigError(
        Problem{{command}, shown(path) + " holds no results", "it has no " + std::string(journal_name), {}});
}

std::vector<Record> read_results(const std::string& command, const std::string& path, std::ostream& err) {
  require_results(command, path);
  std::vector<Record> records;
  const auto take = [&](Record record) {
    if (auto* visit = std::get_if<VisitRecord>(&record)) visit->batches = {};
    records.push_back(std::move(record));
  };
  tell_of_torn_end(scan_journal(path, FirstVisits(), take), err);
  require_none(path, contradictions(records));
  return records;
}

void Collector::remember(const std::vector<Record>& records) {
  std::ranges::copy_if(records, std::back_inserter(records_), is_tabled);
}

void Collector::write(const Record& record) {
  journal_.write(record);
  if (is_tabled(record)) records_.push_back(record);
}

}  // namespace assay
