// SPDX-License-Identifier: Apache-2.0
// Readings of visits, summed up.
#include "run/point/core_watch.hpp"

#include <algorithm>

#include "base/simulated_core.hpp"
#include "base/value.hpp"
#include "stats/core/core_state.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr double memory = 0.02;            // weight of the latest reading
constexpr double rare_distance = 0.05;     // of the visits
constexpr double noticeable_share = 0.02;  // of the time: less is no news

/// Where the member was when it was looked at.
NodeCpu looked_at(const VisitYield& yield, const std::vector<int>& bound, std::size_t rank) {
  const std::vector<int>& cpus = bound.empty() ? yield.apart_cpus : bound;
  return cpu_of(yield.nodes, rank, rank < cpus.size() ? cpus[rank] : -1);
}

}  // namespace

CoreWatch::CoreWatch(const NodeCores& own, const std::vector<NodeCores>& named,
                     const std::optional<CoresRecord>& earlier)
    : machine_{CoreLevels(own.cycles_per_step, own.one_thread)}, simulated_{CoreLevels(simulated_cycles_per_step)} {
  for (const NodeCores& node : named) machine_.levels.know(node);
  if (!earlier) return;
  for (const CoreLevel& level : earlier->levels) machine_.levels.confirm(level);
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
}

void CoreWatch::note(Cores& cores, bool alone) {
  cores.alone_lately += memory * ((alone ? 1.0 : 0.0) - cores.alone_lately);
}

// Members at work on one core appear shared to each other, which says nothing about the machine: then what was read
// while the others rested represents the visit.
CoreWatch::Told CoreWatch::told_by(const Batch& batch, const VisitYield& yield, const CoreLevels& levels) {
  const std::vector<CoreReading>& apart = yield.apart;
  Told told;
  const auto count = [&](std::size_t rank, int cpu, const CoreReading& reading) {
    const Sharing sharing = levels.judge(cpu_of(yield.nodes, rank, cpu), reading);
    if (sharing == Sharing::unknown) return;
    ++told.readings;
    told.alone += sharing == Sharing::alone ? 1 : 0;
    told.shared += sharing == Sharing::shared ? 1 : 0;
  };
  const auto is_single = single_on_node(yield.nodes, batch.members.size());
  for (std::size_t rank = 0; rank < batch.members.size(); ++rank) {
    const MemberReport& report = batch.members[rank];
    const bool by_apart = batch.members.size() == apart.size() && !is_single[rank];
    count(rank, report.cpu_before, by_apart ? apart[rank] : report.core_before);
    if (!by_apart) count(rank, report.cpu_after, report.core_after);
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
    is_wanted = is_wanted && (sharing == Sharing::shared) == (wanted == WantedState::shared);
  }
  return is_wanted;
}

std::vector<double> CoreWatch::common_distances(const Cores& cores) {
  std::vector<double> levels = distance_levels(cores.distances);
  // One visit that was interrupted is no distance of the machine.
  std::erase_if(levels, [&](double level) {
    const auto visits =
        std::ranges::count_if(cores.distances, [&](double d) { return nearest_level(levels, d) == level; });
    return static_cast<double>(visits) < rare_distance * static_cast<double>(cores.distances.size());
  });
  return levels;
}

CoresRecord CoreWatch::record(int session, Nanoseconds elapsed) const {
  CoresRecord record{
      session, machine_.levels.cycles_per_step(), machine_.levels.levels(), 0, 0, common_distances(machine_), 0};
  record.nodes = machine_.levels.named_nodes();
  if (machine_.told > 0) {
    record.alone = machine_.alone / machine_.told;
    record.shared = machine_.shared / machine_.told;
  }
  if (elapsed > Nanoseconds{}) record.waited = std::min(1.0, waited_ / elapsed);
  return record;
}

/// What others did on the cores, in words; empty where there is nothing to report.
std::string CoreWatch::remark_on(const Cores& cores, const std::string& kind) {
  if (!(cores.told > 0) || cores.alone >= (1 - noticeable_share) * cores.told) return {};
  std::string text = "the " + kind + "cores were shared with other work " + percent(1 - cores.alone / cores.told) +
                     " of the time; values are for a core alone unless stated otherwise";
  const auto distances = common_distances(cores);
  if (distances.size() > 1) {
    std::vector<std::string> words;
    for (const double distance : distances) words.push_back(to_text(distance));
    text += "; " + std::to_string(distances.size()) + " distances, " + joined(words, ", ") + " ns";
  }
  return text + " (G-CORE)";
}

std::vector<std::string> CoreWatch::remarks() const {
  std::vector<std::string> texts;
  for (const Cores* cores : {&machine_, &simulated_}) {
    const std::string kind = cores == &machine_ ? "" : "simulated ";
    const auto levels = cores->levels.levels();
    const auto is_proved = [](const CoreLevel& level) { return level.because != AloneBecause::nothing; };
    if (!levels.empty() && std::ranges::none_of(levels, is_proved))
      texts.push_back("no " + kind +
                      "core was proved to be alone: values are as found, with whatever else ran on the cores (G-CORE)");
    if (std::string remark = remark_on(*cores, kind); !remark.empty()) texts.push_back(std::move(remark));
  }
  return texts;
}

}  // namespace assay
