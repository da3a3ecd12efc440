// SPDX-License-Identifier: Apache-2.0
// Title, legend, notes, counts and end of a campaign as text.
#include "record/table/frame.hpp"

#include <map>
#include <ostream>
#include <string>

#include "record/shown_value.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

constexpr std::size_t told_alike = 2;

// A note without its numbers: what notes on many points of a series have in common.
std::string kind_of(const std::string& text) {
  std::string kind;
  for (const char letter : text)
    if (letter < '0' || letter > '9') kind += letter;
  return kind;
}

// Of more than a few that differ in numbers only the first is told.
void print_notes(std::ostream& out, const std::vector<Record>& records) {
  std::map<std::string, std::vector<const std::string*>> alike;
  std::vector<std::string> kinds;  // in the order of their first notes
  for (const Record& record : records)
    if (const auto* note = std::get_if<NoteRecord>(&record)) {
      auto& texts = alike[kind_of(note->text)];
      if (texts.empty()) kinds.push_back(kind_of(note->text));
      texts.push_back(&note->text);
    }
  for (const std::string& kind : kinds) {
    const auto& texts = alike[kind];
    const std::size_t told = texts.size() <= told_alike ? texts.size() : 1;
    for (std::size_t i = 0; i < told; ++i) out << "note: " << printable(*texts[i]) << '\n';
    if (texts.size() > told)
      out << "      and " << texts.size() - told
          << " more that differ in numbers only; 'assay export --format json' has all\n";
  }
  if (!kinds.empty()) out << '\n';
}

void print_counts(std::ostream& out, const std::vector<SeriesGroup>& groups) {
  std::map<Outcome, int> counts;
  int points = 0;
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points) {
      ++counts[point.outcome];
      ++points;
    }
  out << std::to_string(points) << (points == 1 ? " point" : " points");
  const char* separator = ": ";
  for (const auto& [outcome, count] : counts) {
    out << separator << std::to_string(count) << ' ' << to_text(outcome);
    separator = ", ";
  }
  out << '\n';
}

// How the last session ended, unless it is complete.
void print_end(std::ostream& out, const std::vector<Record>& records) {
  const EndRecord* end = nullptr;
  bool begun = false;
  for (const Record& record : records) {
    if (std::holds_alternative<SessionRecord>(record)) {
      begun = true;
      end = nullptr;
    }
    if (const auto* ended = std::get_if<EndRecord>(&record)) end = ended;
  }
  if (end != nullptr && end->reason != "complete")
    out << "not complete: ended by " << printable(end->reason) << '\n';
  else if (end == nullptr && begun)
    out << "not complete: the session has no end record; it is still running or was interrupted\n";
}

}  // namespace

void print_title(std::ostream& out, const std::vector<Record>& records) {
  for (const Record& record : records)
    if (const auto* campaign = std::get_if<CampaignRecord>(&record); campaign != nullptr && !campaign->title.empty())
      out << printable(campaign->title) << "\n\n";
}

void print_legend(std::ostream& out, std::string_view used) {
  for (const char mark : all_marks)
    if (used.find(mark) != used.npos) out << mark << "  " << meaning_of(mark) << '\n';
  if (!used.empty()) out << '\n';
}

void print_close(std::ostream& out, const std::vector<Record>& records, const std::vector<SeriesGroup>& groups) {
  print_notes(out, records);
  print_counts(out, groups);
  print_end(out, records);
}

}  // namespace assay
