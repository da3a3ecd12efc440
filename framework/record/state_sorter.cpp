// SPDX-License-Identifier: Apache-2.0
// From readings to states.
#include "record/state_sorter.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace assay {
namespace {

constexpr double like_usual = 0.03;
constexpr std::size_t level_visits = 3;           // fewer are no distance of their own
constexpr std::size_t enough_pairs = 10;          // batches that began alone, to estimate how long a state lasts
constexpr double always = 0.98;                   // of the time: then it does not matter how long it lasts
constexpr double remembered = 0.5;                // of the way from no memory to a state that never changes
constexpr Nanoseconds longest = milliseconds(1);  // a neighbour comes and goes within 100 us
constexpr double grown = 1.25;

Nanoseconds middle_of(std::vector<double> values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return {*middle};
}

std::vector<double> middles_of(std::vector<double> clocks) {
  std::vector<double> middles;
  for (const ClockLevel& level : clock_levels(std::move(clocks))) middles.push_back(level.middle);
  return middles;
}

// In so many steps of one; 0 of 0.
double on_level(const std::vector<double>& levels, double clock, double steps) {
  return std::round(steps * (levels.empty() ? clock : nearest_level(levels, clock))) / steps;
}

std::vector<double> levels_with_visits(const std::vector<double>& distances) {
  std::vector<double> levels = distance_levels(distances);
  std::erase_if(levels, [&](double level) {
    const auto is_there = [&](double distance) { return distance > 0 && nearest_level(levels, distance) == level; };
    return std::cmp_less(std::ranges::count_if(distances, is_there), level_visits);
  });
  return levels;
}

}  // namespace

void StateSorter::add(const VisitedBatches& visit) {
  KeptVisit& kept = visits_.emplace_back();
  kept.first = batches_.size();
  kept.distance = visit.distance.value_or(Nanoseconds{}).count;
  if (visit.apart.size() > 1) kept.apart = visit.apart;
  kept.nodes.assign(visit.nodes.begin(), visit.nodes.end());
  std::vector<double> chains;
  for (const JudgedBatch& judged : visit.kept) {
    KeptBatch& batch = batches_.emplace_back();
    batch.visit = visits_.size() - 1;
    batch.length = slowest_wall(judged.batch);
    batch.spread = judged.judgement.spread;
    for (std::size_t rank = 0; rank < judged.batch.members.size(); ++rank) {
      const MemberReport& report = judged.batch.members[rank];
      if (report.core_before.taken() && report.core_after.taken())
        batch.cores.push_back({rank, report.cpu_before, report.core_before, report.core_after});
    }
    if (batch.cores.empty()) continue;
    kept.cpu = cpu_of(kept.nodes, batch.cores.front().rank, batch.cores.front().cpu);
    chains.push_back(batch.cores.front().before.chain.count);
    chains.push_back(batch.cores.front().after.chain.count);
  }
  kept.chain = middle_of(std::move(chains));
  if (levels_ != nullptr) judge(visits_.size() - 1);
}

void StateSorter::append(const StateSorter& later) {
  const std::size_t visits = visits_.size();
  const std::size_t batches = batches_.size();
  for (KeptVisit visit : later.visits_) {
    visit.first += batches;
    visits_.push_back(std::move(visit));
  }
  for (KeptBatch batch : later.batches_) {
    batch.visit += visits;
    batches_.push_back(std::move(batch));
  }
  if (levels_ != nullptr) settle(*levels_);
}

bool StateSorter::is_outdated(const CoreLevels& levels) const {
  return &levels != levels_ || levels.version() != version_ || visits_.size() >= settle_at_;
}

void StateSorter::settle(const CoreLevels& levels) {
  levels_ = &levels;
  version_ = levels.version();
  settle_at_ = static_cast<std::size_t>(std::ceil(grown * static_cast<double>(visits_.size())));
  std::vector<double> distances;
  for (const KeptVisit& visit : visits_) distances.push_back(visit.distance);
  distances_ = levels_with_visits(distances);
  at_distance_.clear();
  for (std::size_t visit = 0; visit < visits_.size(); ++visit) judge(visit);
  learn_spread();
  learn_clocks();
  outlasts_ = !lasts();
}

void StateSorter::learn_spread() {
  const auto batches = [&](Spread spread) { return std::ranges::count(batches_, spread, &KeptBatch::spread); };
  const auto together = batches(Spread::one_cpu);
  const auto apart = batches(Spread::own_cpus);
  usual_spread_ = together >= apart ? Spread::one_cpu : Spread::own_cpus;
  if (std::max(together, apart) <= batches(Spread::varied)) usual_spread_ = Spread::unknown;
}

// A neighbour delays the chain as well, so that a clock is estimated for cores alone only.
void StateSorter::learn_clocks() {
  std::vector<double> clocks;
  std::vector<double> ratios;
  std::size_t last = visits_.size();
  for (const KeptBatch& batch : batches_) {
    if (batch.visit == last || batch.sharing != Sharing::alone) continue;
    last = batch.visit;
    const UnusualClock clock = unusual_clock(visits_[last]);
    if (clock.ghz > 0) clocks.push_back(clock.ghz);
    if (clock.ratio > 0) ratios.push_back(clock.ratio);
  }
  clocks_ = middles_of(std::move(clocks));
  ratios_ = middles_of(std::move(ratios));
}

StateSorter::UnusualClock StateSorter::unusual_clock(const KeptVisit& visit) const {
  const double ratio = levels_->clock_ratio(visit.cpu, visit.chain);
  if (std::fabs(ratio - 1) <= like_usual) return {};
  const double ghz = levels_->clock_ghz(visit.cpu.node, visit.chain);
  return ghz > 0 ? UnusualClock{ghz, 0} : UnusualClock{0, ratio};
}

void StateSorter::judge(std::size_t visit) {
  KeptVisit& kept = visits_[visit];
  const std::size_t end = visit + 1 < visits_.size() ? visits_[visit + 1].first : batches_.size();
  kept.by_partner = shared_by_partner(kept, end);
  for (std::size_t i = kept.first; i < end; ++i) batches_[i].sharing = judged(kept, batches_[i]);
  ++at_distance_[distances_.size() > 1 ? nearest_level(distances_, kept.distance) : 0];
}

// Each alone while the others rested, and shared in every batch: the members sit on one core. Who is the only one on
// its node has no partner there.
bool StateSorter::shared_by_partner(const KeptVisit& visit, std::size_t end) const {
  if (visit.apart.empty() || visit.first == end) return false;
  const auto& cores = batches_[visit.first].cores;
  if (cores.size() != visit.apart.size()) return false;
  if (std::ranges::count(single_on_node(visit.nodes, cores.size()), true) > 0) return false;
  for (std::size_t rank = 0; rank < cores.size(); ++rank)
    if (told(visit, cores[rank], visit.apart[rank]) != Sharing::alone) return false;
  const auto is_shared = [&](const MemberCore& core) { return told(visit, core, core.before) == Sharing::shared; };
  for (std::size_t i = visit.first; i < end; ++i)
    if (!std::ranges::all_of(batches_[i].cores, is_shared)) return false;
  return true;
}

Sharing StateSorter::told(const KeptVisit& visit, const MemberCore& core, const CoreReading& reading) const {
  return levels_->judge(cpu_of(visit.nodes, core.rank, core.cpu), reading);
}

Sharing StateSorter::judged(const KeptVisit& visit, const KeptBatch& batch) const {
  if (batch.cores.empty()) return Sharing::unknown;
  if (visit.by_partner) return Sharing::alone;
  std::size_t alone = 0;
  for (const MemberCore& core : batch.cores) {
    const Sharing before = told(visit, core, core.before);
    const Sharing after = told(visit, core, core.after);
    if (before == Sharing::unknown || after == Sharing::unknown) return Sharing::unknown;
    if (before != after) return Sharing::mixed;
    alone += before == Sharing::alone ? 1 : 0;
  }
  return alone == batch.cores.size() ? Sharing::alone : Sharing::shared;
}

std::optional<CoreState> StateSorter::state_of(std::size_t batch) const {
  const KeptBatch& kept = batches_.at(batch);
  const Spread spread = spread_of(batch);
  if (spread == Spread::varied) return std::nullopt;
  if (outlasts_ || kept.sharing == Sharing::unknown) return CoreState{.spread = spread};
  // Two readings of some microseconds do not decide on a batch far longer than they: what held nearly always held in
  // it.
  const Sharing sharing = nearly_alone_ && kept.length > longest ? Sharing::alone : kept.sharing;
  if (sharing == Sharing::mixed) return std::nullopt;
  const KeptVisit& visit = visits_[kept.visit];
  CoreState state{sharing, 0, distances_.size() > 1 ? nearest_level(distances_, visit.distance) : 0};
  state.spread = spread;
  if (sharing != Sharing::alone) return state;
  const UnusualClock clock = unusual_clock(visit);
  state.clock_ghz = on_level(clocks_, clock.ghz, 10);
  state.clock_ratio = on_level(ratios_, clock.ratio, 100);
  return state;
}

bool StateSorter::is_in(std::size_t batch, const CoreState& state) const {
  if (state == CoreState{}) return true;
  return state == CoreState{.spread = state.spread} ? spread_of(batch) == state.spread : state_of(batch) == state;
}

void StateSorter::tally(const KeptBatch& batch, ClockTally& to) const {
  const KeptVisit& visit = visits_[batch.visit];
  for (const MemberCore& core : batch.cores) {
    // At work the members delay each other's yardstick.
    if (visit.by_partner) {
      to.add(core.cpu, visit.apart[core.rank].chain, Sharing::alone);
      continue;
    }
    for (const CoreReading& reading : {core.before, core.after})
      to.add(core.cpu, reading.chain, told(visit, core, reading));
  }
}

CoreClock StateSorter::clock_in(const CoreState& state, bool one_cpu) const {
  ClockTally found;
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    const KeptBatch& batch = batches_[i];
    if (batch.cores.empty() || !is_in(i, state)) continue;
    const auto is_first = [&](const MemberCore& core) { return core.cpu == batch.cores.front().cpu; };
    if (one_cpu && !std::ranges::all_of(batch.cores, is_first)) return {0, 0, NoClock::several_cpus};
    tally(batch, found);
  }
  return found.clock(levels_ != nullptr ? levels_->cycles_per_step() : 0);
}

bool StateSorter::lasts() {
  std::size_t readings = 0;
  std::size_t alone = 0;
  std::size_t began = 0;
  std::size_t stayed = 0;
  std::vector<double> lengths;
  for (const KeptBatch& batch : batches_) {
    const KeptVisit& visit = visits_[batch.visit];
    if (batch.sharing != Sharing::unknown) lengths.push_back(batch.length.count);
    for (const MemberCore& core : batch.cores) {
      const bool before = told(visit, core, core.before) == Sharing::alone;
      const bool after = told(visit, core, core.after) == Sharing::alone;
      readings += 2;
      alone += static_cast<std::size_t>(before) + static_cast<std::size_t>(after);
      began += before ? 1 : 0;
      stayed += before && after ? 1 : 0;
    }
  }
  nearly_alone_ = false;
  if (lengths.empty()) return true;
  const double share = static_cast<double>(alone) / static_cast<double>(readings);
  nearly_alone_ = share >= always;
  if (nearly_alone_) return true;
  if (middle_of(std::move(lengths)) > longest) return false;
  if (began < enough_pairs) return true;
  const double kept = static_cast<double>(stayed) / static_cast<double>(began);
  return kept >= share + remembered * (1 - share);
}

std::vector<NodeCpu> StateSorter::cpus() const {
  std::set<NodeCpu> all;
  for (const KeptBatch& batch : batches_)
    for (const MemberCore& core : batch.cores) all.insert(cpu_of(visits_[batch.visit].nodes, core.rank, core.cpu));
  return {all.begin(), all.end()};
}

double StateSorter::usual_distance() const {
  const auto most = std::ranges::max_element(at_distance_, {}, [](const auto& entry) { return entry.second; });
  return most == at_distance_.end() ? 0 : most->first;
}

}  // namespace assay
