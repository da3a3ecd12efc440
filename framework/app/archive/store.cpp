// SPDX-License-Identifier: Apache-2.0
// Tables, and what is asked of them.
#include "app/archive/store.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "base/point.hpp"
#include "record/grouping.hpp"
#include "text/json.hpp"
#include "text/scale.hpp"

namespace assay::history {
namespace {

constexpr std::int64_t application = 0x41535359;  // "ASSY", by which other programs know the file
constexpr std::int64_t schema_version = 2;

constexpr const char* schema =
    "CREATE TABLE campaigns(key INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, id TEXT NOT NULL, title TEXT NOT NULL,"
    " started TEXT NOT NULL, node TEXT NOT NULL, environment TEXT NOT NULL, facts TEXT NOT NULL, state TEXT NOT NULL,"
    " size INTEGER NOT NULL, records INTEGER NOT NULL, checksum TEXT NOT NULL,"
    " contents TEXT NOT NULL, source INTEGER NOT NULL);"
    "CREATE TABLE results(campaign INTEGER NOT NULL REFERENCES campaigns(key) ON DELETE CASCADE, series TEXT NOT NULL,"
    " measurement TEXT NOT NULL, point TEXT NOT NULL, quantity TEXT NOT NULL, regime TEXT NOT NULL,"
    " identity TEXT NOT NULL, unit TEXT NOT NULL, usual INTEGER NOT NULL, value REAL, low REAL, high REAL, level REAL,"
    " marks TEXT NOT NULL, sound INTEGER NOT NULL, verdict TEXT NOT NULL, state TEXT NOT NULL,"
    " other INTEGER NOT NULL);"
    "CREATE INDEX results_by_campaign ON results(campaign);"
    "CREATE INDEX results_by_series ON results(series, point);";

// Facts as texts of an object; invalid UTF-8 was replaced when the journal was written.
std::string facts_text(const Facts& facts) {
  Json::Object object;
  for (const auto& [key, value] : facts) object.emplace_back(key, value);
  return to_text(Json(std::move(object)));
}

Facts facts_of(const std::string& text) {
  try {
    Facts facts;
    const Json json = parse_json(text);
    for (const auto& [key, value] : json.object()) facts.emplace_back(key, value.string());
    return facts;
  } catch (const JsonError& error) {
    throw ResultError(std::string("the history is damaged: facts of a campaign: ") + error.what() +
                      "; run 'assay history rebuild'");
  }
}

std::int64_t setting(Database& database, const char* pragma) {
  Statement statement(database, std::string("PRAGMA ") + pragma);
  return statement.step() ? statement.integer(0) : 0;
}

bool is_empty(Database& database) {
  Statement statement(database, "SELECT count(*) FROM sqlite_master");
  return !statement.step() || statement.integer(0) == 0;
}

Source source_of(std::int64_t number) {
  return number == 0 ? Source::there : number == 1 ? Source::gone : Source::broken;
}

Found found_at(const Statement& row) {
  Found found;
  found.place = {row.text(1), row.text(2), row.text(3), row.text(4), row.text(5)};
  found.identity = row.text(6);
  found.unit = parse_unit(row.text(7)).value_or(Unit::ratio);
  found.is_usual = row.integer(8) != 0;
  found.known = {row.number(9), {row.number(10), row.number(11), row.number(12)}};
  if (!(found.known.interval.level > 0)) found.known.interval = {};
  found.marks = row.text(13);
  found.is_sound = row.integer(14) != 0;
  found.verdict = row.text(15);
  found.state = parse_core_state(row.text(16)).value_or(CoreState{});
  found.is_other = row.integer(17) != 0;
  return found;
}

bool has_levels(const std::string& text, const Selection& selection) {
  if (selection.levels.empty()) return true;
  const auto point = parse_point(text);
  if (!point) return false;
  return std::ranges::all_of(selection.levels, [&](const auto& level) {
    return point->find(level.first) != nullptr &&
           (point->text(level.first) == level.second || shown_level(*point, level.first) == level.second);
  });
}

bool is_selected(const Found& found, const Selection& selection) {
  const std::string& quantity = found.place.quantity;
  if (selection.quantity.empty() ? !found.is_usual : !quantity.empty() && quantity != selection.quantity) return false;
  return has_levels(found.place.point, selection);
}

}  // namespace

std::string to_text(Added added) {
  constexpr const char* names[] = {"added", "renewed", "unchanged", "replaced", "moved", "copied"};
  return names[static_cast<unsigned>(added)];
}

std::optional<std::string> usual_file(const std::function<const char*(const char* name)>& variable) {
  const char* data = variable("XDG_DATA_HOME");
  if (data != nullptr && data[0] == '/') return std::string(data) + "/assay/history.sqlite";
  const char* home = variable("HOME");
  if (home == nullptr || home[0] != '/') return std::nullopt;
  return std::string(home) + "/.local/share/assay/history.sqlite";
}

History::History(const std::string& path, Use use, Nanoseconds patience)
    : database_(path, use == Use::read ? Database::Access::read : Database::Access::write, patience) {
  prepare(use);
}

void History::prepare(Use use) {
  if (use == Use::write && is_empty(database_)) {
    Transaction transaction(database_);
    // Another process may have been first.
    if (is_empty(database_)) create();
    transaction.commit();
  }
  const std::string& path = database_.path();
  if (setting(database_, "application_id") != application)
    throw ResultError(path +
                      ": is a database of something else, not a history; name another file with --file; nothing was " +
                      "changed");
  const std::int64_t form = setting(database_, "user_version");
  if (form > schema_version)
    throw ResultError(path + ": is of a newer form (" + std::to_string(form) + ") than this assay knows (" +
                      std::to_string(schema_version) + "); use that assay, or name another file with --file");
  is_old_ = form < schema_version;
  if (is_old_ && use != Use::rebuild)
    throw ResultError(path + ": is of an older form (" + std::to_string(form) + ", now " +
                      std::to_string(schema_version) +
                      "); run 'assay history rebuild', which regenerates it from the journals that it names");
}

void History::create() {
  database_.run(schema);
  database_.run("PRAGMA application_id = " + std::to_string(application));
  database_.run("PRAGMA user_version = " + std::to_string(schema_version));
}

std::int64_t History::key_of(const std::string& path) {
  Statement statement(database_, "SELECT key FROM campaigns WHERE path = ?");
  return statement.with({path}).step() ? statement.integer(0) : 0;
}

std::optional<std::string> History::same_elsewhere(const Entry& entry) {
  Statement statement(
      database_,
      "SELECT path FROM campaigns WHERE contents = ? AND records = ? AND checksum = ? AND id = ? AND path <> ?");
  if (!statement.with({entry.contents, entry.records, entry.checksum, entry.id, entry.path}).step())
    return std::nullopt;
  return statement.text(0);
}

Added History::add(const Digest& digest) {
  const Entry& entry = digest.entry;
  Transaction transaction(database_);
  std::int64_t key = key_of(entry.path);
  Added outcome = Added::added;
  if (key != 0) {
    Statement known(database_, "SELECT contents, records, checksum, id, started, source FROM campaigns WHERE key = ?");
    known.with({key}).step();
    const bool is_same = known.text(0) == entry.contents && known.integer(1) == entry.records &&
                         known.text(2) == entry.checksum && known.text(3) == entry.id && known.integer(5) == 0;
    if (is_same) return Added::unchanged;
    outcome = known.text(3) == entry.id && known.text(4) == entry.started ? Added::renewed : Added::replaced;
  } else if (const auto other = same_elsewhere(entry)) {
    // One campaign counts once, wherever its copies lie.
    std::error_code ignored;
    if (std::filesystem::exists(*other, ignored)) return Added::copied;
    key = key_of(*other);
    outcome = Added::moved;
  }
  write(digest, key);
  transaction.commit();
  return outcome;
}

void History::write(const Digest& digest, std::int64_t key) {
  if (key != 0) Statement(database_, "DELETE FROM results WHERE campaign = ?").with({key}).run();
  const Entry& entry = digest.entry;
  Statement campaign(database_,
                     "INSERT OR REPLACE INTO campaigns VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) RETURNING key");
  campaign.with({key == 0 ? Datum() : Datum(key), entry.path, entry.id, entry.title, entry.started, entry.node,
                 entry.environment, facts_text(entry.facts), entry.state, entry.size, entry.records, entry.checksum,
                 entry.contents});
  campaign.step();
  const std::int64_t made = campaign.integer(0);
  campaign.run();
  Statement result(database_, "INSERT INTO results VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const Found& found : digest.found) {
    const auto& [value, interval] = found.known;
    const auto real = [](double number) { return std::isnan(number) ? Datum() : Datum(number); };
    const PlaceOfResult& place = found.place;
    result
        .with({made, place.series, place.measurement, place.point, place.quantity, place.regime, found.identity,
               std::string(symbol(found.unit)), std::int64_t{found.is_usual}, real(value), real(interval.low),
               real(interval.high), real(interval.level), found.marks, std::int64_t{found.is_sound}, found.verdict,
               to_text_with_step(found.state), std::int64_t{found.is_other}})
        .run();
  }
}

std::vector<Entry> History::entries() {
  std::vector<Entry> all;
  Statement row(database_,
                "SELECT key, path, id, title, started, node, environment, facts, state, size, records, checksum, "
                "contents, source "
                "FROM campaigns ORDER BY started, key");
  while (row.step())
    all.push_back({row.integer(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5), row.text(6),
                   facts_of(row.text(7)), row.text(8), row.integer(9), row.integer(10), row.text(11), row.text(12),
                   source_of(row.integer(13))});
  return all;
}

Outcomes History::outcomes_of(const Entry& entry) {
  Statement row(database_,
                "SELECT min(sound), min(value IS NOT NULL) FROM results WHERE campaign = ? AND usual AND NOT other "
                "GROUP BY series, point");
  Outcomes outcomes;
  row.with({entry.key});
  while (row.step()) {
    if (row.integer(1) == 0)
      ++outcomes.without_number;
    else
      ++(row.integer(0) != 0 ? outcomes.sound : outcomes.marked);
  }
  return outcomes;
}

std::vector<Dated> History::results(const std::vector<Entry>& entries, const Selection& selection) {
  std::map<std::int64_t, std::size_t> by_key;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (selection.node.empty() || entries[i].node == selection.node) by_key.emplace(entries[i].key, i);
  std::vector<Dated> all;
  Statement row(
      database_,
      "SELECT campaign, series, measurement, point, quantity, regime, identity, unit, usual, value, low, high, "
      "level, marks, sound, verdict, state, other FROM results WHERE ?1 = '' OR series = ?1 ORDER BY rowid");
  row.with({selection.series});
  while (row.step()) {
    const auto campaign = by_key.find(row.integer(0));
    if (campaign == by_key.end()) continue;
    Found found = found_at(row);
    if (is_selected(found, selection)) all.push_back({std::move(found), campaign->second});
  }
  std::ranges::stable_sort(all, {}, &Dated::campaign);
  return all;
}

std::vector<std::string> History::rebuild(const std::function<Digest(const std::string& path)>& digest) {
  Transaction transaction(database_);
  const std::vector<std::string> known = paths();
  if (is_old_) clear();
  std::vector<std::string> told;
  for (const std::string& path : known) {
    try {
      write(digest(path), key_of(path));
    } catch (const ResultError& error) {
      mark(path, Source::broken);
      told.emplace_back(error.what());
    } catch (const ConfigError&) {
      mark(path, Source::gone);
      told.push_back(path + ": the journal is gone");
    }
  }
  if (is_old_ && !told.empty()) refuse_losses(told);
  transaction.commit();
  return told;
}

std::vector<std::string> History::paths() {
  std::vector<std::string> all;
  Statement row(database_, "SELECT path FROM campaigns ORDER BY rowid");
  while (row.step()) all.push_back(row.text(0));
  return all;
}

void History::clear() {
  // Whatever the older form had, by whatever names.
  std::vector<std::string> names;
  Statement row(database_, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  while (row.step()) names.push_back(row.text(0));
  for (std::string& name : names) {
    for (auto at = name.find('"'); at != name.npos; at = name.find('"', at + 2)) name.insert(at, 1, '"');
    database_.run("DROP TABLE \"" + name + "\"");
  }
  create();
}

void History::mark(const std::string& path, Source source) {
  Statement(database_, "UPDATE campaigns SET source = ? WHERE path = ?")
      .with({static_cast<std::int64_t>(source), path})
      .run();
}

void History::refuse_losses(const std::vector<std::string>& told) const {
  std::string text = database_.path() +
                     ": is of an older form, of which nothing can be kept without the journals; nothing " +
                     "was changed; move it away and add what is left, or bring these back";
  for (const std::string& line : told) text += "\n  " + line;
  throw ResultError(text);
}

}  // namespace assay::history
