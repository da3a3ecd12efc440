// SPDX-License-Identifier: Apache-2.0
// Visits sorted as their points were.
#include "record/export/core_log.hpp"

#include <algorithm>
#include <span>

#include "record/core_cycles.hpp"
#include "record/journal/journal.hpp"
#include "record/known_cores.hpp"

namespace assay {
namespace {

// What another machine yielded is forgotten.
std::span<const Record> of_this_machine(const std::vector<Record>& records) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (const auto* session = std::get_if<SessionRecord>(&records[i]); session != nullptr && session->new_machine)
      first = i;
  return std::span(records).subspan(first);
}

int sessions_of(const PointRecord& point) {
  int sessions = 1;
  for (const std::vector<Result>* results : {&point.results, &point.others})
    for (const Result& result : *results) sessions = std::max(sessions, result.stretches);
  return sessions;
}

// Only members that are bound have a distance; where there was one for all, no state names it.
bool has_distances(const PointRecord& point) {
  const auto has = [](const Result& result) { return result.state.distance_ns > 0; };
  return std::ranges::any_of(point.results, has) || std::ranges::any_of(point.others, has);
}

void take_least(std::map<NodeCpu, CoreLevel>& least, const CoreLevel& level) {
  if (level.because == AloneBecause::nothing || !(level.alone > 0)) return;
  const auto [known, is_new] = least.try_emplace(level.core(), level);
  if (!is_new && level.alone < known->second.alone) known->second = level;
}

}  // namespace

void CoreLog::know(const std::vector<Record>& records) {
  const std::span here = of_this_machine(records);
  for (const Record& record : here)
    if (const auto* cores = std::get_if<CoresRecord>(&record)) nodes_.add(*cores);
  elsewhere_ = nodes_.no_levels();
  for (const Record& record : here) {
    if (const auto* cores = std::get_if<CoresRecord>(&record)) know(*cores);
    if (const auto* point = std::get_if<PointRecord>(&record)) know(*point);
  }
}

void CoreLog::know(const CoresRecord& cores) {
  CoreLevels& known = in_session_.try_emplace(cores.session, nodes_.no_levels()).first->second;
  for (const CoreLevel& level : cores.levels) {
    known.confirm(level);
    elsewhere_.confirm(level);
    take_least(least_, level);
  }
}

void CoreLog::know(const PointRecord& point) {
  finished_.insert_or_assign(about(point.series, point.point), Finished{nodes_.levels_of(point), sessions_of(point),
                                                                        has_distances(point), point.simulated});
  if (point.simulated) return;
  for (const CoreLevel& level : point.cores) {
    elsewhere_.confirm(level);
    take_least(least_, level);
  }
}

void CoreLog::add(const Record& record) {
  if (const auto* session = std::get_if<SessionRecord>(&record); session != nullptr && session->new_machine) {
    visits_.clear();
    points_.clear();
  }
  if (const auto* visit = std::get_if<VisitRecord>(&record)) add(*visit);
}

const CoreLog::Finished* CoreLog::finished(const std::string& point) const {
  const auto found = finished_.find(point);
  return found == finished_.end() ? nullptr : &found->second;
}

const CoreLevels& CoreLog::levels_in(int session) const {
  const auto found = in_session_.find(session);
  return found == in_session_.end() ? elsewhere_ : found->second;
}

std::vector<JudgedCore> CoreLog::judged(const VisitRecord& visit) const {
  const CoreLevels& levels = levels_in(visit.session);
  std::vector<JudgedCore> cores;
  for (std::size_t i = 0; i < visit.batches.size(); ++i) {
    const Batch& batch = visit.batches[i].batch;
    for (const MemberReadings& member : readings_of(batch, visit.apart, visit.nodes)) {
      if (!member.before.taken() || !member.after.taken()) continue;
      // One reading is not many, though it speaks for many batches.
      const bool is_told = (member.is_rested && i > 0) || member.before.chain == no_clock;
      cores.push_back({member.cpu_before, sharing_of(member, levels), slowest_wall(batch),
                       is_told ? Nanoseconds{} : member.before.chain});
    }
  }
  return cores;
}

void CoreLog::add(const VisitRecord& visit) {
  if (visit.batches.empty() || visit.discarded < 0) return;
  const std::string point = about(visit.series, visit.point);
  const Finished* known = finished(point);
  const bool is_simulated = known != nullptr && known->is_simulated;
  visits_.push_back({visit.session, visit.visit, std::vector<std::string>(visit.batches.size()),
                     is_simulated ? std::vector<JudgedCore>() : judged(visit)});
  ByReps& by_reps = points_[point][visit.session];
  for (auto& [reps, calibrated] : by_reps) calibrated.is_last = false;
  Calibrated& own = by_reps[visit.batches.front().batch.reps.count];
  own.is_last = true;
  const auto kept =
      std::span(visit.batches).subspan(std::min(static_cast<std::size_t>(visit.discarded), visit.batches.size()));
  own.visits.emplace_back(visits_.size() - 1, kept.size());
  const bool is_at_distance = known != nullptr && known->has_distances;
  own.sorter.add({visit.session,
                  visit.incarnation,
                  visit.visit,
                  is_at_distance ? visit.reference : std::nullopt,
                  visit.apart,
                  kept,
                  visit.nodes,
                  0,
                  {},
                  spread_before(visit.batches, static_cast<std::size_t>(visit.discarded))});
}

std::vector<JudgedVisit> CoreLog::visits() const {
  std::vector<JudgedVisit> all = visits_;
  for (const auto& [point, sessions] : points_) sort(point, sessions, all);
  return all;
}

// The last sessions, which a result is of, are sorted together; each of those before by itself.
std::vector<CoreLog::Calibrated> CoreLog::groups_of(const std::map<int, ByReps>& sessions, std::size_t together) {
  const auto last_of = [](const ByReps& by_reps) {
    return std::ranges::find_if(by_reps, [](const auto& entry) { return entry.second.is_last; });
  };
  const std::int64_t last_reps = last_of(sessions.rbegin()->second)->first;
  std::vector<Calibrated> groups;
  Calibrated joint;
  std::size_t left = sessions.size();
  for (const auto& [session, by_reps] : sessions) {
    if (left-- > together) {
      groups.push_back(last_of(by_reps)->second);
    } else if (const auto own = by_reps.find(last_reps); own != by_reps.end()) {
      joint.sorter.append(own->second.sorter);
      joint.visits.insert(joint.visits.end(), own->second.visits.begin(), own->second.visits.end());
    }
  }
  groups.push_back(std::move(joint));
  return groups;
}

void CoreLog::sort(const std::string& point, const std::map<int, ByReps>& sessions,
                   std::vector<JudgedVisit>& to) const {
  const Finished* known = finished(point);
  const CoreLevels levels = known != nullptr ? known->levels : nodes_.no_levels();
  for (Calibrated& group : groups_of(sessions, known != nullptr ? static_cast<std::size_t>(known->sessions) : 1)) {
    group.sorter.settle(levels);
    std::size_t batch = 0;
    for (const auto& [visit, kept] : group.visits) {
      auto& states = to[visit].states;
      for (std::size_t i = states.size() - kept; i < states.size(); ++i, ++batch) {
        const auto state = group.sorter.state_of(batch);
        states[i] = state ? to_text(*state) : to_text(Sharing::mixed);
      }
    }
  }
}

std::vector<CoreLevel> CoreLog::levels() const {
  std::vector<CoreLevel> all;
  for (const auto& [cpu, level] : least_) all.push_back(level);
  return all;
}

}  // namespace assay
