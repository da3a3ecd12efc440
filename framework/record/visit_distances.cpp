// SPDX-License-Identifier: Apache-2.0
// From round trips to levels.
#include "record/visit_distances.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "stats/core/near_distances.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

// Polled flags, whose round trip takes 0.6 of the distance, had 76, 79 and 84 ns at 118, 128 and 138; what took 250 and
// more, as a futex does, differed by hardly more than its intervals.
constexpr double least_step = 0.05;  // of the value
constexpr double of_known = 1.05;    // a ratio: medians of a campaign's visits were 125 to 131 ns where CPUs had 127
// Readings of one distance differ by 1 to 1.5 %.
constexpr double off_it = 1.02;
constexpr std::size_t enough_visits = 12;
constexpr double far_longer = 20;  // times a distance: a few per cent of it are no matter

bool are_near(double a, double b) { return factor_between(a, b) <= same_distance; }

/// 0 where it was not told.
double near_of(const VisitDistance& visit) {
  return visit.bound && visit.alone && visit.trip > 0 ? near_level(visit.known, visit.trip) : 0;
}

double nearest_of(const std::vector<double>& levels, double distance) {
  return *std::ranges::min_element(levels, {}, [=](double level) { return factor_between(level, distance); });
}

double fullest(const std::map<double, std::size_t>& visits) {
  const auto most = std::ranges::max_element(visits, {}, [](const auto& entry) { return entry.second; });
  return most == visits.end() ? 0 : most->first;
}

}  // namespace

bool stay_in_place(std::span<const JudgedBatch> batches) {
  std::set<std::set<int>> places;
  for (const JudgedBatch& judged : batches) {
    if (judged.judgement.spread != Spread::own_cpus) continue;
    std::set<int> cpus;
    for (const MemberReport& member : judged.batch.members) cpus.insert(member.cpu_before);
    places.insert(std::move(cpus));
  }
  return places.size() < 2;
}

void VisitDistances::add(VisitDistance visit) { place(visits_.emplace_back(Placed{std::move(visit)})); }

void VisitDistances::learn(double value) {
  value_ = value;
  std::vector<double> trips;
  for (const Placed& one : visits_) trips.push_back(one.visit.trip);
  levels_ = distance_levels(trips);
  names_only_ = levels_.size() == 1 && wanders(levels_.front());
  named_by_known_ = false;
  for (DistanceLevel& level : levels_) named_by_known_ |= name_by_known(level);
  const auto is_split = [&](const Placed& one) { return splits(one.visit); };
  separates_near_ = std::ranges::any_of(visits_, is_split) && moves_within_processes();
  at_far_.clear();
  at_near_.clear();
  for (Placed& one : visits_) place(one);
}

/// Whether the level that it is at has several within it, that matter.
bool VisitDistances::splits(const VisitDistance& visit) const {
  if (!visit.bound) return false;
  const double level = level_at(levels_, visit.trip);
  double last = 0;
  double step = 0;  // the least
  for (const double one : visit.known) {
    if (!are_near(one, level)) continue;
    if (last > 0 && (step == 0 || one - last < step)) step = one - last;
    last = one;
  }
  return level > 0 && step > least_step * value_;
}

/// Round trips read of cores alone.
std::vector<double> VisitDistances::trips_alone_at(double level) const {
  std::vector<double> trips;
  for (const auto& [visit, far, near] : visits_)
    if (visit.counts && visit.alone && level_at(levels_, visit.trip) == level) trips.push_back(visit.trip);
  return trips;
}

bool VisitDistances::wanders(const DistanceLevel& level) const {
  const std::vector<double> trips = trips_alone_at(level.middle);
  const auto is_off = [&](double trip) { return factor_between(trip, level.middle) > off_it; };
  const auto off = static_cast<std::size_t>(std::ranges::count_if(trips, is_off));
  return trips.size() >= enough_visits && 4 * off >= trips.size() && value_ <= far_longer * level.middle;
}

/// By what is known of the CPUs of the first unbound visit of which anything is.
bool VisitDistances::name_by_known(DistanceLevel& level) const {
  const auto tells = [](const Placed& one) { return !one.visit.bound && !one.visit.known.empty(); };
  const auto found = std::ranges::find_if(visits_, tells);
  if (found == visits_.end()) return false;
  const std::vector<double> trips = trips_alone_at(level.middle);
  const double middle = trips.empty() ? level.middle : median(trips);
  const double nearest = nearest_of(found->visit.known, middle);
  if (factor_between(nearest, middle) > of_known || factor_between(nearest, level.middle) > same_distance) return false;
  level.middle = nearest;
  return true;
}

double VisitDistances::central() const {
  const double usual_one = usual(true);
  const auto found = std::ranges::find_if(visits_, [&](const Placed& one) { return splits(one.visit); });
  const std::vector<double> trips = trips_alone_at(level_at(levels_, usual_one));
  if (!separates_near_ || found == visits_.end() || trips.empty()) return usual_one;
  const double nearest = nearest_of(found->visit.known, median(trips));
  return are_near(nearest, usual_one) ? nearest : usual_one;
}

double VisitDistances::trip_near(std::size_t visit, double distance) const {
  const VisitDistance& seen = visits_.at(visit).visit;
  if (!seen.alone || !(seen.trip > 0)) return 0;
  const double level = level_at(levels_, distance);
  return level > 0 && level_at(levels_, seen.trip) == level ? seen.trip : 0;
}

bool VisitDistances::moves_within_processes() const {
  std::map<std::pair<int, int>, std::multiset<double>> by_process;
  for (const Placed& one : visits_)
    if (const double near = near_of(one.visit); near > 0)
      by_process[{one.visit.session, one.visit.incarnation}].insert(near);
  std::size_t processes = 0;
  std::size_t moved = 0;
  for (const auto& [process, levels] : by_process) {
    const auto are_two = [](double a, double b) { return a != b && are_near(a, b); };
    processes += levels.size() > 1 ? 1 : 0;
    moved += std::ranges::adjacent_find(levels, are_two) != levels.end() ? 1 : 0;
  }
  return moved > 0 && 2 * moved >= processes;
}

void VisitDistances::place(Placed& one) {
  const VisitDistance& visit = one.visit;
  one.far = one.near = 0;
  if (!(visit.trip > 0)) return;
  const auto named = [](double level) { return level > 0 ? std::optional(level) : std::nullopt; };
  if (levels_.size() > 1 || names_only_) one.far = named(level_at(levels_, visit.trip));
  one.near = separates_near_ && splits(visit) ? named(near_of(visit)) : one.far;
  if (!visit.counts) return;
  if (one.far.value_or(0) > 0) ++at_far_[*one.far];
  if (one.near.value_or(0) > 0) ++at_near_[one.far.value_or(0)][*one.near];
}

std::optional<double> VisitDistances::level(std::size_t visit, bool nearly) const {
  const Placed& one = visits_.at(visit);
  return nearly ? one.near : one.far;
}

double VisitDistances::usual(bool nearly) const {
  const double far = fullest(at_far_);
  const auto found = at_near_.find(far);
  return !nearly || found == at_near_.end() ? far : fullest(found->second);
}

}  // namespace assay
