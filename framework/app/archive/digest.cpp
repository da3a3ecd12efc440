// SPDX-License-Identifier: Apache-2.0
// A journal's campaign as a history keeps it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <ostream>

#include "app/archive/entry.hpp"
#include "app/results/comparability.hpp"
#include "app/results/results.hpp"
#include "base/value.hpp"
#include "record/grouping.hpp"
#include "record/journal/consistency.hpp"
#include "record/shown_value.hpp"
#include "text/scale.hpp"
#include "text/sha256.hpp"

namespace assay::history {
namespace {

constexpr double least_share_shown = 0.25;  // of regimes, as in tables

// Campaigns are distinguished by this where machine, system or program differ, and by how they measured.
std::string environment_of(const Facts& facts, const std::string& schedule) {
  std::string text = schedule;
  for (const auto& [key, value] : hard_facts(facts))
    text += '\n' + std::to_string(key.size()) + ' ' + key + '=' + value;
  return assay::digest_of(text);
}

// The checksum with which the last whole line ends: ..."crc":"xxxxxxxx"}
std::string last_checksum(const std::string& file, std::int64_t good_size) {
  constexpr std::int64_t digits = 8;
  constexpr std::int64_t behind = 3;  // quote, brace, line end
  std::ifstream in(file, std::ios::binary);
  std::string text(digits, ' ');
  in.seekg(std::max<std::int64_t>(0, good_size - behind - digits));
  in.read(text.data(), digits);
  return in ? text : std::string();
}

std::string state_of(const std::vector<Record>& records) {
  std::string state = "unfinished";
  for (const Record& record : records) {
    if (std::holds_alternative<SessionRecord>(record)) state = "unfinished";
    if (const auto* end = std::get_if<EndRecord>(&record)) state = end->reason;
  }
  return state;
}

// Of what was found, when and where: no two campaigns have the same, but copies do.
std::string contents_of(const Digest& digest) {
  std::string text = digest.entry.started + '\n' + digest.entry.node;
  for (const Found& found : digest.found)
    text += '\n' + found.place.series + '\n' + found.place.point + '\n' + assay::to_text(found.known.value) + '\n' +
            found.verdict;
  return assay::digest_of(text);
}

bool is_steady(const Result& result) { return result.steadiness.drift.empty() && result.steadiness.modes.empty(); }

// What was found in another state has no verdict of its own: that it is not "converged" is no mark.
std::string own_marks(const PointRecord& point, const Result& result, bool is_other) {
  std::string marks = marks_of(point, result);
  if (is_other && result.verdict.outcome == Outcome::open) std::erase(marks, '!');
  return marks;
}

Found found_of(const PointRecord& point, const Result& result, const std::string& primary, bool is_other) {
  Found found;
  found.state = result.state;
  found.is_other = is_other;
  found.place = {point.series, point.measurement, to_text(point.point), result.quantity, to_text(result.regime)};
  found.identity = point.id;
  found.unit = result.unit;
  found.is_usual = result.quantity == primary && result.regime_share >= least_share_shown;
  found.known = {result.headline.value, result.headline.interval};
  found.marks = own_marks(point, result, is_other);
  found.is_sound = found.has_number() && is_steady(result) &&
                   std::ranges::all_of(found.marks, [](char mark) { return mark == '~'; });
  found.verdict = verdict_text(result);
  const std::string unsteady = unsteady_text(result, scale_of(result.headline.value, result.unit));
  if (!unsteady.empty()) found.verdict += "; " + unsteady;
  return found;
}

Found without_number(const PointRecord& point) {
  Found found;
  found.place = {point.series, point.measurement, to_text(point.point), "", ""};
  found.identity = point.id;
  found.known.value = std::numeric_limits<double>::quiet_NaN();
  found.verdict = verdict_text(point);
  return found;
}

std::vector<Found> all_found(const std::vector<Record>& records) {
  std::vector<Found> all;
  for (const SeriesGroup& group : group_by_series(records))
    for (const PointRecord& point : group.points) {
      if (point.results.empty()) {
        all.push_back(without_number(point));
        continue;
      }
      const std::string& primary =
          group.series.quantities.empty() ? point.results.front().quantity : group.series.quantities.front().name;
      for (const Result& result : point.results) all.push_back(found_of(point, result, primary, false));
      for (const Result& result : point.others) all.push_back(found_of(point, result, primary, true));
    }
  return all;
}

}  // namespace

std::string to_text(Source source) {
  if (source == Source::gone) return "gone";
  return source == Source::broken ? "broken" : "";
}

std::string known_path(const std::string& path) {
  const std::filesystem::path whole = std::filesystem::canonical(path);
  return whole.filename() == journal_name ? whole.parent_path().string() : whole.string();
}

Digest read_digest(const std::string& command, const std::string& path, std::ostream& err) {
  require_results(command, path);
  std::vector<Record> records;
  // Incarnations show that a finished point was opened again, as those of adaptive levels are.
  const auto wanted = [](const RecordHead& head) { return head.type != "begin" && head.type != "visit"; };
  const JournalEnd end = scan_journal(path, wanted, [&](Record record) { records.push_back(std::move(record)); });
  tell_of_torn_end(end, err);
  require_none(path, contradictions(records));
  Digest digest;
  Entry& entry = digest.entry;
  entry.path = known_path(path);
  if (const auto* campaign = last_of<CampaignRecord>(records)) {
    entry.id = campaign->id;
    entry.title = campaign->title;
  }
  for (const Record& record : records)
    if (const auto* session = std::get_if<SessionRecord>(&record)) {
      if (entry.started.empty() || session->new_machine) entry.started = session->started;
      entry.facts = session->facts;
    }
  entry.node = fact_of(entry.facts, "host.name");
  entry.environment = environment_of(entry.facts, schedule_of(records));
  entry.state = state_of(records);
  entry.size = end.good_size;
  entry.records = end.records;
  entry.checksum = last_checksum(journal_file(path), end.good_size);
  digest.found = all_found(records);
  entry.contents = contents_of(digest);
  return digest;
}

}  // namespace assay::history
