// SPDX-License-Identifier: Apache-2.0
// Results against accepted ranges, and against earlier results.
#include "app/history/acceptance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "app/fingerprint.hpp"
#include "base/error.hpp"
#include "base/typed.hpp"
#include "stats/phrase.hpp"

namespace assay::history {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double usual_alpha = 0.05;

// Values of another processor are no measure for this one.
void require_machine(const Facts& accepted, const Facts& now) {
  for (const char* key : {"cpu.model", "kernel.architecture"}) {
    const auto then = fact_of(accepted, key);
    const auto here = fact_of(now, key);
    if (!then.empty() && !here.empty() && then != here)
      throw ResultError(std::string("the accepted values are of another machine: ") + key + " was " + then + ", is " +
                        here + "; accept values of this one");
  }
}

// The result of a campaign at a place; one without a number where its point has none.
class Results {
 public:
  explicit Results(const std::vector<Found>& all) {
    for (const Found& found : all) by_place_.emplace(found.place, &found);
  }
  const Found* at(PlaceOfResult place) const {
    if (const auto exact = by_place_.find(place); exact != by_place_.end()) return exact->second;
    place.quantity.clear();
    place.regime.clear();
    const auto none = by_place_.find(place);
    return none == by_place_.end() ? nullptr : none->second;
  }

 private:
  std::map<PlaceOfResult, const Found*> by_place_;
};

// Why a result cannot be held against what is expected; nothing where it can.
std::optional<std::pair<Acceptance, std::string>> obstacle(const Found* found, Unit unit, const std::string& identity) {
  if (found == nullptr) return std::pair(Acceptance::missing, std::string("the campaign has no such point"));
  if (!found->has_number()) return std::pair(Acceptance::missing, found->verdict);
  if (found->unit != unit) return std::pair(Acceptance::missing, std::string("measured in another unit"));
  if (!identity.empty() && !found->identity.empty() && identity != found->identity)
    return std::pair(Acceptance::missing, std::string("measured otherwise: with other settings or another version"));
  if (!found->is_sound)
    return std::pair(Acceptance::marked, found->verdict == "converged" ? "by " + found->marks : found->verdict);
  return std::nullopt;
}

Judged judged_of(const PlaceOfResult& place, Unit unit, const Found* found) {
  Judged judged{place, unit, {unknown, {}}, {}, unknown, {}, Acceptance::ok, {}};
  if (found != nullptr && found->has_number()) {
    judged.unit = found->unit;
    judged.known = found->known;
    judged.marks = found->marks;
  }
  return judged;
}

Acceptance by_range(const Judged& judged) {
  const Interval& is = judged.known.interval;
  const Interval& may = judged.range;
  if (is.low >= may.low && is.high <= may.high) return Acceptance::ok;
  if (is.low <= may.high && is.high >= may.low) return Acceptance::unclear;
  return (is.low > may.high) == more_is_better(judged.unit) ? Acceptance::faster : Acceptance::slower;
}

// What earlier campaigns of one node and environment found of one place, in order of time.
using Series = std::map<PlaceOfResult, std::vector<Found>>;

Series earlier_results(const Digest& digest, History& history, std::size_t& campaigns) {
  std::vector<Entry> entries;
  for (Entry& entry : history.entries())
    if (entry.node == digest.entry.node && entry.environment == digest.entry.environment &&
        entry.path != digest.entry.path && entry.started <= digest.entry.started &&
        entry.contents != digest.entry.contents)
      entries.push_back(std::move(entry));
  campaigns = entries.size();
  Series series;
  for (Dated& dated : history.results(entries, {})) series[dated.found.place].push_back(std::move(dated.found));
  return series;
}

// Those of the level that holds: sound, measured alike, after the last change.
std::vector<KnownValue> of_last_level(const std::vector<Found>& earlier, const Found& now) {
  std::vector<KnownValue> values;
  for (const Found& one : earlier)
    if (one.is_sound && one.unit == now.unit && one.identity == now.identity) values.push_back(one.known);
  const auto changes = change_points(values);
  if (!changes.empty()) values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(changes.back().at));
  return values;
}

// Whether a point had a number before, of whatever quantity and regime.
bool had_number(const Series& earlier, PlaceOfResult place) {
  place.quantity.clear();
  place.regime.clear();
  for (auto at = earlier.lower_bound(place); at != earlier.end(); ++at) {
    const PlaceOfResult& found = at->first;
    if (found.series != place.series || found.measurement != place.measurement || found.point != place.point) break;
    if (at->second.back().has_number()) return true;
  }
  return false;
}

std::string shift_text(double shift) {
  const double percent = std::round(shift * 1000) / 10;
  return (percent > 0 ? "+" : "") + number_text(percent) + " %";
}

// Points with their departures, judged as one family.
void judge_together(std::vector<Judged>& points, const std::map<std::size_t, Departure>& departures) {
  std::vector<double> p;
  for (const auto& [index, departure] : departures) p.push_back(departure.p);
  const std::vector<double> adjusted_p = adjusted(p);
  std::size_t i = 0;
  for (const auto& [index, departure] : departures) {
    Judged& judged = points[index];
    const double in_family = adjusted_p[i++];
    if (std::abs(departure.shift) <= usual_margin || departure.p > usual_alpha) continue;
    judged.reason = shift_text(departure.shift);
    judged.acceptance = Acceptance::unclear;
    if (in_family <= usual_q)
      judged.acceptance =
          (departure.shift > 0) == more_is_better(judged.unit) ? Acceptance::faster : Acceptance::slower;
    else
      judged.reason += ", but among so many points that can be chance: more earlier campaigns tell";
  }
}

}  // namespace

std::string_view to_text(Acceptance acceptance) {
  constexpr std::string_view names[] = {"slower", "faster", "unclear", "missing", "marked", "ok"};
  return names[static_cast<unsigned>(acceptance)];
}

bool more_is_better(Unit unit) { return unit == Unit::per_second || unit == Unit::bytes_per_second; }

std::size_t CheckReport::count(Acceptance acceptance) const {
  return static_cast<std::size_t>(std::ranges::count(points, acceptance, &Judged::acceptance));
}

CheckReport check_accepted(const Digest& digest, const AcceptedValues& accepted) {
  require_machine(accepted.facts, digest.entry.facts);
  CheckReport report{
      digest.entry.path, "values accepted of campaign " + accepted.title + " of " + accepted.started, {}, {}};
  for (const std::string& difference : hard_differences(accepted.facts, digest.entry.facts))
    report.notes.push_back("not as when accepted: " + difference);
  const Results results(digest.found);
  for (const AcceptedValue& value : accepted.values) {
    const Found* found = results.at(value.place);
    Judged& judged = report.points.emplace_back(judged_of(value.place, value.unit, found));
    judged.expected = value.value;
    judged.range = {value.low, value.high, 1};
    if (auto why = obstacle(found, value.unit, value.identity)) {
      std::tie(judged.acceptance, judged.reason) = std::move(*why);
      continue;
    }
    judged.acceptance = by_range(judged);
    if (judged.acceptance == Acceptance::unclear) judged.reason = "the interval lies on both sides of a limit";
    if (judged.acceptance == Acceptance::slower || judged.acceptance == Acceptance::faster)
      judged.reason = shift_text(judged.known.value / value.value - 1);
  }
  std::size_t further = 0;
  for (const Found& found : digest.found)
    further += found.is_usual &&
               std::ranges::find(accepted.values, found.place, &AcceptedValue::place) == accepted.values.end();
  if (further > 0) report.notes.push_back(counted(further, "result") + " of the campaign without an accepted value");
  return report;
}

CheckReport check_history(const Digest& digest, History& history) {
  std::size_t campaigns = 0;
  const Series earlier = earlier_results(digest, history, campaigns);
  CheckReport report{
      digest.entry.path,
      std::to_string(campaigns) + " earlier campaigns of " + digest.entry.node + ", same machine and program",
      {},
      {}};
  std::map<std::size_t, Departure> departures;
  std::size_t never = 0;
  for (const Found& found : digest.found) {
    if (!found.is_usual) continue;
    if (!found.has_number() && !had_number(earlier, found.place)) {
      ++never;
      continue;
    }
    Judged judged = judged_of(found.place, found.unit, &found);
    const auto known = earlier.find(found.place);
    const auto values = known == earlier.end() ? std::vector<KnownValue>() : of_last_level(known->second, found);
    if (auto why = obstacle(&found, found.unit, {})) {
      std::tie(judged.acceptance, judged.reason) = std::move(*why);
    } else if (values.size() < fewest_earlier) {
      judged.acceptance = Acceptance::unclear;
      judged.reason = std::to_string(values.size()) + " earlier values to hold it against, " +
                      std::to_string(fewest_earlier) + " are needed";
    } else {
      const Departure departure = departure_of(found.known, values);
      judged.expected = departure.expected;
      judged.range = departure.range;
      departures.emplace(report.points.size(), departure);
    }
    report.points.push_back(std::move(judged));
  }
  const Results results(digest.found);
  for (const auto& [place, values] : earlier) {
    const Found* now = results.at(place);
    if (now != nullptr || !values.back().has_number()) continue;
    Judged& judged = report.points.emplace_back(judged_of(place, values.back().unit, nullptr));
    std::tie(judged.acceptance, judged.reason) = *obstacle(nullptr, judged.unit, {});
  }
  judge_together(report.points, departures);
  if (never > 0) report.notes.push_back(counted(never, "point") + " without a number never had one");
  return report;
}

}  // namespace assay::history
