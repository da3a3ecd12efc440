// SPDX-License-Identifier: Apache-2.0
// From round trips to levels.
#include "record/visit_distances.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "stats/core/near_distances.hpp"

namespace assay {
namespace {

// Polled flags, whose round trip takes 0.6 of the distance, had 76, 79 and 84 ns at 118, 128 and 138; what took 250 and
// more, as a futex does, differed by hardly more than its intervals.
constexpr double least_step = 0.05;  // of the value

bool are_near(double a, double b) { return factor_between(a, b) <= same_distance; }

/// 0 where it was not told.
double near_of(const VisitDistance& visit) {
  return visit.alone && visit.trip > 0 ? near_level(visit.known, visit.trip) : 0;
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
  const auto is_split = [&](const Placed& one) { return splits(one.visit); };
  separates_near_ = std::ranges::any_of(visits_, is_split) && moves_within_processes();
  at_far_.clear();
  at_near_.clear();
  for (Placed& one : visits_) place(one);
}

/// Whether the level that it is at has several within it, that matter.
bool VisitDistances::splits(const VisitDistance& visit) const {
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
  if (levels_.size() > 1) one.far = named(level_at(levels_, visit.trip));
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
