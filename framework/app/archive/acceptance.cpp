// SPDX-License-Identifier: Apache-2.0
// Results against accepted ranges, and against earlier results.
#include "app/archive/acceptance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "app/results/comparability.hpp"
#include "base/error.hpp"
#include "base/typed.hpp"
#include "text/number_format.hpp"

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

// The results of a campaign at a place, what was answered for first; one without a number where its point has none.
class Results {
 public:
  explicit Results(const std::vector<Found>& all) {
    for (const Found& found : all) by_place_[found.place].push_back(&found);
  }
  const Found* at(PlaceOfResult place) const {
    if (const auto exact = by_place_.find(place); exact != by_place_.end()) return exact->second.front();
    place.quantity.clear();
    place.regime.clear();
    const auto none = by_place_.find(place);
    return none == by_place_.end() ? nullptr : none->second.front();
  }
  // In a like state where there is one, else as above.
  const Found* at(const PlaceOfResult& place, const std::optional<CoreState>& state) const {
    if (const auto exact = by_place_.find(place); state && exact != by_place_.end())
      for (const Found* found : exact->second)
        if (is_like(found->state, *state)) return found;
    return at(place);
  }

 private:
  std::map<PlaceOfResult, std::vector<const Found*>> by_place_;
};

std::string clock_now(const CoreState& now, const CoreState& accepted) {
  const auto clock = other_clock(now, accepted);
  return clock ? ", at " + assay::to_text(*clock) + " times the clock" : std::string();
}

// Why a result cannot be held against what is expected; nothing where it can.
std::optional<std::pair<Acceptance, std::string>> obstacle(const Found* found, Unit unit, const std::string& identity,
                                                           const std::optional<CoreState>& state = {}) {
  if (found == nullptr) return std::pair(Acceptance::missing, std::string("the campaign has no such point"));
  if (!found->has_number()) return std::pair(Acceptance::missing, found->verdict);
  if (found->unit != unit) return std::pair(Acceptance::missing, std::string("measured in another unit"));
  if (!identity.empty() && !found->identity.empty() && identity != found->identity)
    return std::pair(Acceptance::missing, std::string("measured otherwise: with other settings or another version"));
  if (state && !is_like(found->state, *state))
    return std::pair(Acceptance::unclear, "the cores were " + assay::to_text(*state) + " when it was accepted, " +
                                              assay::to_text(found->state) + " now" + clock_now(found->state, *state));
  if (!found->is_sound)
    return std::pair(Acceptance::marked, found->verdict == "converged" ? "by " + found->marks : found->verdict);
  return std::nullopt;
}

Judged judged_of(const PlaceOfResult& place, Unit unit, const Found* found) {
  Judged judged;
  judged.place = place;
  judged.unit = unit;
  judged.known.value = unknown;
  judged.expected = unknown;
  if (found != nullptr && found->has_number()) {
    judged.unit = found->unit;
    judged.known = found->known;
    judged.marks = found->marks;
    judged.state = found->state;
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

// Earlier results of a place that may be held against one.
struct Earlier {
  std::vector<KnownValue> values;   // sound, measured alike, in like states of the cores
  std::size_t in_other_states = 0;  // what were they but for that
};

Earlier earlier_of(const Series& all, const Found& now) {
  Earlier earlier;
  const auto known = all.find(now.place);
  if (known == all.end()) return earlier;
  for (const Found& one : known->second) {
    if (!one.is_sound || one.unit != now.unit || one.identity != now.identity) continue;
    if (is_like(one.state, now.state))
      earlier.values.push_back(one.known);
    else
      ++earlier.in_other_states;
  }
  return earlier;
}

// Those of the level that holds, after the last change.
std::vector<KnownValue> of_last_level(std::vector<KnownValue> values) {
  const auto changes = change_points(values);
  if (!changes.empty()) values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(changes.back().at));
  return values;
}

AnotherDay another_day_by(const KnownValue& now, const std::vector<KnownValue>& earlier) {
  std::vector<double> values;
  for (const KnownValue& one : earlier) values.push_back(one.value);
  return another_day(now.value, now.interval, values);
}

std::string too_few(std::size_t values, const Found& now, std::size_t in_other_states) {
  std::string text =
      counted(values, "earlier value") + " to compare it with, " + std::to_string(fewest_earlier) + " are needed";
  if (in_other_states > 0)
    text += "; the cores were " + assay::to_text(now.state) + ", and in another state for " +
            std::to_string(in_other_states) + " more";
  return text;
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
      judged.reason += ", but not after adjustment for the number of points: more earlier campaigns are needed";
  }
}

// A result beside earlier ones, with its departure from them where there are enough.
std::pair<Judged, std::optional<Departure>> judged_by(const Found& found, const Earlier& earlier) {
  Judged judged = judged_of(found.place, found.unit, &found);
  const auto values = of_last_level(earlier.values);
  if (found.is_sound) judged.another_day = another_day_by(found.known, earlier.values);
  if (auto why = obstacle(&found, found.unit, {})) {
    std::tie(judged.acceptance, judged.reason) = std::move(*why);
    return {std::move(judged), std::nullopt};
  }
  if (values.size() < fewest_earlier) {
    judged.acceptance = Acceptance::unclear;
    judged.reason = too_few(values.size(), found, earlier.in_other_states);
    return {std::move(judged), std::nullopt};
  }
  const Departure departure = departure_of(found.known, values);
  judged.expected = departure.expected;
  judged.range = departure.range;
  return {std::move(judged), departure};
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
    const Found* found = results.at(value.place, value.state);
    Judged& judged = report.points.emplace_back(judged_of(value.place, value.unit, found));
    judged.expected = value.value;
    judged.range = {value.low, value.high, 1};
    if (auto why = obstacle(found, value.unit, value.identity, value.state)) {
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
    further += found.is_usual && !found.is_other &&
               std::ranges::find(accepted.values, found.place, &AcceptedValue::place) == accepted.values.end();
  if (further > 0) report.notes.push_back(counted(further, "result") + " of the campaign without an accepted value");
  return report;
}

CheckReport check_history(const Digest& digest, History& history) {
  std::size_t campaigns = 0;
  const Series earlier = earlier_results(digest, history, campaigns);
  CheckReport report{digest.entry.path,
                     counted(campaigns, "earlier campaign") + " of " + digest.entry.node +
                         ", same machine and program, in equal states of the cores only",
                     {},
                     {}};
  std::map<std::size_t, Departure> departures;
  std::size_t never = 0;
  for (const Found& found : digest.found) {
    if (!found.is_usual || found.is_other) continue;
    if (!found.has_number() && !had_number(earlier, found.place)) {
      ++never;
      continue;
    }
    auto [judged, departure] = judged_by(found, earlier_of(earlier, found));
    if (departure) departures.emplace(report.points.size(), *departure);
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
