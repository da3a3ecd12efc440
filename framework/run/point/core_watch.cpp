// SPDX-License-Identifier: Apache-2.0
// Readings of visits, summed up.
#include "run/point/core_watch.hpp"

#include <algorithm>

#include "base/simulated_core.hpp"
#include "record/known_cores.hpp"
#include "stats/core/core_state.hpp"
#include "stats/core/distance_levels.hpp"

namespace assay {
namespace {

constexpr double memory = 0.02;  // weight of the latest reading

/// Where the member was when it was looked at.
NodeCpu looked_at(const VisitYield& yield, const std::vector<int>& bound, std::size_t rank) {
  const std::vector<int>& cpus = bound.empty() ? yield.apart_cpus : bound;
  return cpu_of(yield.nodes, rank, rank < cpus.size() ? cpus[rank] : -1);
}

/// Whether all members remained where they were looked at: what nothing binds may go elsewhere.
bool stayed(const VisitYield& yield, const std::vector<int>& bound) {
  if (!bound.empty()) return true;
  const auto is_there = [&](const Batch& batch) {
    for (std::size_t rank = 0; rank < batch.members.size() && rank < yield.apart_cpus.size(); ++rank)
      if (batch.members[rank].cpu_before != yield.apart_cpus[rank] ||
          batch.members[rank].cpu_after != yield.apart_cpus[rank])
        return false;
    return true;
  };
  return std::ranges::all_of(yield.batches, is_there);
}

}  // namespace

CoreWatch::CoreWatch(const NodeCores& own, const std::vector<NodeCores>& named,
                     const std::optional<CoresRecord>& earlier)
    : machine_{CoreLevels(own.cycles_per_step, own.one_thread)}, simulated_{CoreLevels(simulated_cycles_per_step)} {
  for (const NodeCores& node : named) machine_.levels.know(node);
  if (!earlier) return;
  for (const CoreLevel& level : earlier->levels) machine_.levels.confirm(level);
  for (const NodeClocks& clocks : earlier->clocks) machine_.levels.confirm(clocks);
  for (const PairDistances& pair : earlier->pairs) machine_.levels.confirm(pair);
}

void CoreWatch::learn(const VisitYield& yield, const std::vector<int>& cpus, bool simulated) {
  Cores& found = cores(simulated);
  for (std::size_t rank = 0; rank < yield.apart.size(); ++rank)
    found.levels.add(looked_at(yield, cpus, rank), yield.apart[rank]);
  const auto members = yield.batches.empty() ? 0 : yield.batches.front().members.size();
  const auto is_single = single_on_node(yield.nodes, members);
  for (const Batch& batch : yield.batches) {
    // A partner on the same core would look like a neighbour. Who has its node to itself has none.
    for (std::size_t rank = 0; rank < batch.members.size(); ++rank) {
      if (!yield.apart.empty() && !is_single[rank]) continue;
      const MemberReport& report = batch.members[rank];
      found.levels.add(cpu_of(yield.nodes, rank, report.cpu_before), report.core_before);
      found.levels.add(cpu_of(yield.nodes, rank, report.cpu_after), report.core_after);
    }
    tally(found, batch, yield);
  }
  learn_clock(found.levels, yield);
}

void CoreWatch::learn_clock(CoreLevels& levels, const VisitYield& yield) {
  std::vector<double> steps;
  const auto take = [&](const NodeCpu& cpu, const CoreReading& reading) {
    if (levels.judge(cpu, reading) == Sharing::alone) steps.push_back(reading.chain.count);
  };
  for (const Batch& batch : yield.batches) {
    if (batch.members.empty()) continue;
    const MemberReport& first = batch.members.front();
    take(cpu_of(yield.nodes, 0, first.cpu_before), first.core_before);
    take(cpu_of(yield.nodes, 0, first.cpu_after), first.core_after);
  }
  levels.add_clock(yield.nodes.empty() ? std::string() : yield.nodes.front(), clock_of(steps));
}

void CoreWatch::add_distance(Nanoseconds trip, const VisitYield& yield, const std::vector<int>& cpus, bool simulated) {
  Cores& found = cores(simulated);
  found.distances.push_back(trip.count);
  if (yield.apart.size() != 2 || !stayed(yield, cpus)) return;
  const NodeCpu one = looked_at(yield, cpus, 0);
  const NodeCpu other = looked_at(yield, cpus, 1);
  if (found.levels.judge(one, yield.apart[0]) == Sharing::alone &&
      found.levels.judge(other, yield.apart[1]) == Sharing::alone)
    found.levels.add_distance({one, other}, trip);
}

void CoreWatch::note(Cores& cores, bool alone) {
  cores.alone_lately += memory * ((alone ? 1.0 : 0.0) - cores.alone_lately);
}

CoreWatch::Told CoreWatch::told_by(const Batch& batch, const VisitYield& yield, const CoreLevels& levels) {
  Told told;
  const auto count = [&](const NodeCpu& cpu, const CoreReading& reading, bool is_usual) {
    const Sharing sharing = levels.judge(cpu, reading);
    if (sharing == Sharing::unknown) return;
    ++told.readings;
    told.alone += sharing == Sharing::alone && is_usual ? 1 : 0;
    told.shared += sharing == Sharing::shared ? 1 : 0;
  };
  for (const MemberReadings& member : readings_of(batch, yield.apart, yield.nodes)) {
    const bool is_usual = levels.has_usual_call(member.cpu_before, member.at_rest);
    count(member.cpu_before, member.before, is_usual);
    count(member.cpu_after, member.after, is_usual);
  }
  return told;
}

void CoreWatch::tally(Cores& cores, const Batch& batch, const VisitYield& yield) {
  const Told told = told_by(batch, yield, cores.levels);
  if (told.readings == 0) return;
  const double length = slowest_wall(batch).count;
  cores.told += length;
  cores.alone += told.alone == told.readings ? length : 0;
  cores.shared += told.shared == told.readings ? length : 0;
  if (batch.members.size() == 1 || !yield.apart.empty()) note(cores, told.alone == told.readings);
}

bool CoreWatch::is_worth(const VisitYield& look, const std::vector<int>& cpus, WantedState wanted, bool simulated) {
  Cores& found = cores(simulated);
  bool is_wanted = true;
  for (std::size_t rank = 0; rank < look.apart.size(); ++rank) {
    const NodeCpu cpu = looked_at(look, cpus, rank);
    found.levels.add(cpu, look.apart[rank]);
    const Sharing sharing = found.levels.judge(cpu, look.apart[rank]);
    if (sharing == Sharing::unknown) continue;
    note(found, sharing == Sharing::alone);
    is_wanted = is_wanted && sharing == (wanted == WantedState::shared ? Sharing::shared : Sharing::alone);
  }
  return is_wanted;
}

CoresRecord CoreWatch::record_of(const Cores& cores) {
  CoresRecord record;
  record.cycles_per_step = cores.levels.cycles_per_step();
  record.levels = cores.levels.levels();
  for (const DistanceLevel& level : distance_levels(cores.distances)) record.distances.push_back(level.middle);
  record.pairs = cores.levels.distances();
  record.nodes = cores.levels.named_nodes();
  record.clocks = cores.levels.clocks();
  if (cores.told > 0) {
    record.alone = cores.alone / cores.told;
    record.shared = cores.shared / cores.told;
  }
  return record;
}

CoresRecord CoreWatch::record(int session, Nanoseconds elapsed) const {
  CoresRecord record = record_of(machine_);
  record.session = session;
  if (elapsed > Nanoseconds{}) record.waited = std::min(1.0, waited_ / elapsed);
  return record;
}

std::vector<std::string> CoreWatch::remarks() const {
  std::vector<std::string> texts;
  for (const Cores* cores : {&machine_, &simulated_})
    for (const std::string& remark :
         core_remarks(record_of(*cores), cores->told > 0, cores == &machine_ ? "" : "simulated "))
      texts.push_back(remark + " (G-CORE)");
  return texts;
}

}  // namespace assay
