// SPDX-License-Identifier: Apache-2.0
// Batches as observations, and the set of them that a result's description fits.
#include "record/export/observation_log.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "record/journal/journal.hpp"
#include "record/state_sorter.hpp"
#include "stats/steadiness/steadiness.hpp"

namespace assay {

namespace {

bool is_same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

bool is_described(const std::vector<LoggedObservation>& observations, const Summary& summary) {
  if (observations.empty() || observations.size() != summary.n) return false;
  const auto [least, most] = std::ranges::minmax_element(observations, {}, &LoggedObservation::value);
  return is_same(least->value, summary.min) && is_same(most->value, summary.max);
}

bool is_whole(const std::vector<LoggedObservation>& observations) {
  const auto is_finite = [](const LoggedObservation& one) { return std::isfinite(one.value); };
  return std::ranges::is_sorted(observations, {}, &LoggedObservation::visit) &&
         std::ranges::all_of(observations, is_finite);
}

// Without the visits that are warm-up. They come in order, and are finite.
void trim(std::vector<LoggedObservation>& observations) {
  Sample sample;
  for (const LoggedObservation& one : observations) sample.add({one.value, one.session, one.incarnation, one.visit});
  const Trimmed trimmed = without_warm_up(sample);
  std::set<int> kept;
  for (const Observation& one : trimmed.sample.observations()) kept.insert(one.visit);
  std::erase_if(observations, [&](const LoggedObservation& one) { return !kept.contains(one.visit); });
}

LoggedObservation logged(const VisitRecord& visit, std::size_t batch, double total) {
  const JudgedBatch& judged = visit.batches[batch];
  LoggedObservation one{total,
                        0,
                        0,
                        judged.batch.reps,
                        visit.session,
                        visit.incarnation,
                        visit.visit,
                        batch - static_cast<std::size_t>(visit.discarded),
                        static_cast<std::size_t>(visit.discarded)};
  for (const MemberReport& member : judged.batch.members) {
    one.cpu += member.cpu.count;
    one.wall = std::max(one.wall, member.wall.count);
  }
  return one;
}

void divide(LoggedObservation& one, double events) {
  one.cpu /= events;
  one.wall /= events;
}

}  // namespace

void ObservationLog::add(const Record& record) {
  if (const auto* session = std::get_if<SessionRecord>(&record); session != nullptr && session->new_machine)
    points_.clear();
  if (const auto* series = std::get_if<SeriesRecord>(&record)) series_[series->series] = series->quantities;
  if (const auto* visit = std::get_if<VisitRecord>(&record)) add(*visit);
  if (const auto* cores = std::get_if<CoresRecord>(&record)) nodes_.add(*cores);
}

void ObservationLog::add(const VisitRecord& visit) {
  const auto series = series_.find(visit.series);
  if (series == series_.end()) return;
  auto& point = points_[about(visit.series, visit.point)];
  const auto& quantities = series->second;
  if (visit.discarded < 0 || visit.batches.empty()) return;
  Readings readings{visit.session,
                    visit.incarnation,
                    visit.visit,
                    visit.batches.front().batch.reps,
                    visit.reference,
                    visit.apart,
                    {},
                    visit.nodes,
                    spread_before(visit.batches, static_cast<std::size_t>(visit.discarded))};
  for (auto i = static_cast<std::size_t>(visit.discarded); i < visit.batches.size(); ++i) {
    const auto& [batch, judgement] = visit.batches[i];
    readings.kept.push_back(visit.batches[i]);
    if (judgement.disturbed.any() || batch.reps.count <= 0) continue;
    for (std::size_t q = 0; q < std::min(quantities.size(), max_quantities); ++q)
      if (const auto total = combined_claims(batch, quantities[q], q))
        point.values[{quantities[q].name, judgement.regime}].push_back(logged(visit, i, *total));
  }
  const auto has_readings = [](const JudgedBatch& judged) {
    return !judged.batch.members.empty() && judged.batch.members.front().core_before.taken();
  };
  if (std::ranges::any_of(readings.kept, has_readings)) point.visits.push_back(std::move(readings));
}

/// Sorts the visits of the stretch as they were when the point was finished.
void ObservationLog::keep_in_state(Stretch& stretch, const PointRecord& point, const Result& result) const {
  const CoreState& state = result.state;
  if (state == CoreState{} || stretch.empty()) return;
  const CoreLevels levels = nodes_.levels_of(point);
  // Only members that are bound have a distance; where there was one for all, no state names it.
  const auto has_distance = [](const Result& result) { return result.state.distance_ns > 0; };
  const bool is_bound =
      std::ranges::any_of(point.results, has_distance) || std::ranges::any_of(point.others, has_distance);
  StateSorter sorter;
  std::map<int, std::size_t> first_of;  // batch of each visit
  for (const Readings& visit : points_.at(about(point.series, point.point)).visits) {
    if (visit.session < stretch.front().session || visit.reps != point.reps) continue;
    first_of[visit.visit] = sorter.size();
    sorter.add({visit.session,
                visit.incarnation,
                visit.visit,
                is_bound ? visit.reference : std::nullopt,
                visit.apart,
                visit.kept,
                visit.nodes,
                0,
                {},
                visit.before});
  }
  sorter.settle(levels);
  const bool is_converted = result.converted > 0 || result.law;
  const Conversion conversion{state, is_converted ? sorter.step_in(state) : Nanoseconds{}, result.law};
  std::erase_if(stretch, [&](LoggedObservation& one) {
    const auto first = first_of.find(one.visit);
    const auto scale =
        first == first_of.end() ? std::nullopt : sorter.scale_to(first->second + one.in_visit, conversion);
    if (scale) one.value *= *scale;
    return !scale;
  });
}

std::vector<LoggedObservation> ObservationLog::clean(const PointRecord& point, const Result& result) const {
  const auto visits = points_.find(about(point.series, point.point));
  const auto series = series_.find(point.series);
  if (visits == points_.end() || series == series_.end()) return {};
  const auto& values = visits->second.values;
  const auto found = values.find({result.quantity, result.regime});
  const auto quantity = std::ranges::find(series->second, result.quantity, &Quantity::name);
  if (found == values.end() || quantity == series->second.end()) return {};
  Stretch all = found->second;
  // Visits before the point was calibrated anew do not count.
  std::erase_if(all, [&](const LoggedObservation& one) { return one.reps.count != point.reps.count; });
  for (LoggedObservation& one : all) {
    const double events = static_cast<double>(one.reps.count) * point.events_per_rep;
    divide(one, events);
    if (quantity->per == Per::event) one.value /= events;
  }
  if (!is_whole(all)) return {};
  return all;
}

std::optional<std::vector<LoggedObservation>> ObservationLog::of(const PointRecord& point, const Result& result) const {
  const Stretch all = clean(point, result);
  // A result is of its last session, or of several stretches of it: of as few sessions as its description fits.
  std::set<int, std::greater<>> sessions;
  for (const LoggedObservation& one : all) sessions.insert(one.session);
  for (const int first : sessions) {
    Stretch stretch;
    std::ranges::copy_if(all, std::back_inserter(stretch), [&](const auto& one) { return one.session >= first; });
    keep_in_state(stretch, point, result);
    std::erase_if(stretch, [&](const auto& one) { return std::cmp_less(one.in_visit + one.discarded, point.settled); });
    if (stretch.empty()) continue;
    trim(stretch);
    if (is_described(stretch, result.summary)) return stretch;
  }
  return std::nullopt;
}

}  // namespace assay
