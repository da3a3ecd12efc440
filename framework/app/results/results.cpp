// SPDX-License-Identifier: Apache-2.0
// Reading what presentations need.
#include "app/results/results.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/error.hpp"
#include "record/journal/consistency.hpp"
#include "run/series/restate.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"
#include "text/text_key.hpp"

namespace assay {

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
    if (head.type != "visit") return true;
    return seen_[head.session].insert(text_key(head.subject)).second;  // there are far more visits than points
  }

 private:
  std::map<int, std::unordered_set<TextKey, TextKeyHash>> seen_;  ///< by session
};

// Wants the records of the first few points, and whatever is not about a point and its visits.
class FirstPoints {
 public:
  explicit FirstPoints(std::size_t most) : most_(most) {}
  bool operator()(const RecordHead& head) {
    if (head.type == "begin" || head.type == "visit" || head.type == "incarnation") return false;
    if (head.type != "point") return true;
    const TextKey key = text_key(head.about());
    if (first_.size() < most_) first_.insert(key);
    if (first_.contains(key)) return true;
    others_.insert(key);
    return false;
  }
  // What another machine yielded is not shown.
  void forget() {
    first_.clear();
    others_.clear();
  }
  std::size_t left_out() const { return others_.size(); }

 private:
  std::size_t most_;
  std::unordered_set<TextKey, TextKeyHash> first_;
  std::unordered_set<TextKey, TextKeyHash> others_;
};

}  // namespace

void require_none(const std::string& path, const std::vector<std::string>& found) {
  if (found.empty()) return;
  constexpr std::size_t most_told = 20;
  std::string text = path + ": the results contradict themselves; use them as they were written";
  for (std::size_t i = 0; i < std::min(found.size(), most_told); ++i) text += "\n  " + found[i];
  if (found.size() > most_told) text += "\n  and " + std::to_string(found.size() - most_told) + " more";
  throw ResultError(text);
}

void require_results(const std::string& command, const std::string& path) {
  if (!std::filesystem::exists(path))
    throw ConfigError(Problem{{command}, "there is no " + shown_path(path), {}, "name the directory of a campaign"});
  if (!std::filesystem::exists(journal_file(path)))
    throw ConfigError(
        Problem{{command}, shown_path(path) + " holds no results", "it has no " + std::string(journal_name), {}});
  std::error_code ignored;
  if (std::filesystem::is_regular_file(journal_file(path)) &&
      std::filesystem::file_size(journal_file(path), ignored) == 0)
    throw ResultError(printable(journal_file(path)) +
                      " is empty: the campaign was stopped before its first record, or the file was emptied; run the "
                      "campaign again");
}

namespace {

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

// The journal is read twice more: what cores yielded alone is known at its end only.
void restate(const std::string& path, std::vector<Record>& records) {
  Restater restater;
  const auto is_any = [](const RecordHead& head) { return head.type != "begin"; };
  scan_journal(path, is_any, [&](const Record& record) { restater.learn(record); });
  std::deque<PointRecord> points;
  scan_journal(path, is_any, [&](Record record) {
    restater.restate(record);
    if (auto* point = std::get_if<PointRecord>(&record)) points.push_back(std::move(*point));
  });
  for (Record& record : records)
    if (std::holds_alternative<PointRecord>(record) && !points.empty()) {
      record = std::move(points.front());
      points.pop_front();
    }
}

/// Decides which records are kept, and what of them.
class ResultReader {
 public:
  ResultReader(Turns* turns, const std::vector<std::string>& raw_of) : turns_(turns), raw_of_(raw_of) {}

  bool wants(const RecordHead& head) {
    keep_ = is_kept_(head);
    return keep_ || ((turns_ != nullptr || !raw_of_.empty()) && head.type == "visit");
  }
  void take(Record record) {
    is_of_before_ = is_of_before_ || Restater::is_of_before(record);
    if (auto* visit = std::get_if<VisitRecord>(&record)) look_at(*visit);
    if (const auto* series = std::get_if<SeriesRecord>(&record);
        series != nullptr && is_among(series->measurement, raw_of_))
      raw_series_.insert(series->series);
    if (keep_) records.push_back(std::move(record));
  }
  /// Whether there were no states when the journal was written.
  bool is_of_before() const { return is_of_before_; }

  std::vector<Record> records;

 private:
  void look_at(VisitRecord& visit) {
    if (turns_ != nullptr) turns_->add(visit);
    const bool is_raw = raw_series_.contains(visit.series);
    keep_ = keep_ || is_raw;
    if (!is_raw) visit.batches = {};
  }

  Turns* turns_;
  const std::vector<std::string>& raw_of_;
  FirstVisits is_kept_;
  std::set<std::string> raw_series_;
  bool is_of_before_ = false;
  bool keep_ = false;  ///< the current record
};

}  // namespace

std::vector<Record> read_results(const std::string& command, const std::string& path, std::ostream& err, Turns* turns,
                                 const std::vector<std::string>& raw_of) {
  require_results(command, path);
  ResultReader reader(turns, raw_of);
  const auto wants = [&](const RecordHead& head) { return reader.wants(head); };
  tell_of_torn_end(scan_journal(path, wants, [&](Record record) { reader.take(std::move(record)); }), err);
  require_none(path, contradictions(reader.records));
  if (reader.is_of_before()) restate(path, reader.records);
  return std::move(reader.records);
}

Tabled read_tabled(const std::string& directory, std::size_t most) {
  FirstPoints wanted(most);
  Tabled tabled;
  std::deque<Record> notes;
  const auto take = [&](Record record) {
    if (const auto* session = std::get_if<SessionRecord>(&record); session != nullptr && session->new_machine)
      wanted.forget();
    if (!std::holds_alternative<NoteRecord>(record)) return tabled.records.push_back(std::move(record));
    notes.push_back(std::move(record));
    if (notes.size() > most) notes.pop_front();
  };
  scan_journal(directory, std::ref(wanted), take);
  std::ranges::move(notes, std::back_inserter(tabled.records));
  tabled.left_out = wanted.left_out();
  return tabled;
}

}  // namespace assay
