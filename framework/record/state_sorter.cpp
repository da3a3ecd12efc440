// SPDX-License-Identifier: Apache-2.0
// From readings to states.
#include "record/state_sorter.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr std::size_t enough_pairs = 10;          // batches that began alone, to estimate how long a state lasts
constexpr double always = 0.98;                   // of the time: then it does not matter how long it lasts
constexpr double remembered = 0.5;                // of the way from no memory to a state that never changes
constexpr std::ptrdiff_t few_alone = 3;           // times the batches alone are fewer than all of a visit
constexpr Nanoseconds longest = milliseconds(1);  // a neighbour comes and goes within 100 us
constexpr double grown = 1.25;
constexpr std::ptrdiff_t few_steady = 10;  // times the batches that follow one of their own spread
constexpr double one_clock = 0.9;          // of the batches: the others hardly move their median

double in_steps(double value, double of_one) { return std::round(of_one * value) / of_one; }

}  // namespace

Spread spread_before(std::span<const JudgedBatch> batches, std::size_t discarded) {
  return discarded > 0 && discarded <= batches.size() ? batches[discarded - 1].judgement.spread : Spread::unknown;
}

void StateSorter::add(const VisitedBatches& visit) {
  KeptVisit& kept = visits_.emplace_back();
  kept.first = batches_.size();
  kept.session = visit.session;
  kept.incarnation = visit.incarnation;
  Spread before = visit.before;
  if (stay_in_place(visit.kept)) kept.distance = visit.distance.value_or(Nanoseconds{}).count;
  kept.apart = visit.apart;
  kept.nodes.assign(visit.nodes.begin(), visit.nodes.end());
  for (const JudgedBatch& judged : visit.kept) {
    KeptBatch& batch = batches_.emplace_back();
    batch.visit = visits_.size() - 1;
    batch.length = slowest_wall(judged.batch);
    batch.spread = judged.judgement.spread;
    batch.follows_other = before != Spread::unknown && before != batch.spread;
    before = batch.spread;
    for (std::size_t rank = 0; rank < judged.batch.members.size(); ++rank) {
      const MemberReport& report = judged.batch.members[rank];
      if (report.core_before.taken() && report.core_after.taken())
        batch.cores.push_back(
            {static_cast<std::uint32_t>(rank), report.cpu_before, report.core_before, report.core_after});
    }
    if (!batch.cores.empty()) kept.cpu = cpu_of(kept.nodes, batch.cores.front().rank, batch.cores.front().cpu);
  }
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
  if (levels_ != nullptr) settle(*levels_, value_);
}

bool StateSorter::is_outdated(const CoreLevels& levels) const {
  return &levels != levels_ || levels.version() != version_ || visits_.size() >= settle_at_;
}

void StateSorter::settle(const CoreLevels& levels, Nanoseconds value) {
  value_ = value;
  levels_ = &levels;
  version_ = levels.version();
  settle_at_ = static_cast<std::size_t>(std::ceil(grown * static_cast<double>(visits_.size())));
  distances_.clear();
  for (std::size_t visit = 0; visit < visits_.size(); ++visit) judge(visit);
  distances_.learn(value_.count);
  learn_spread();
  learn_clocks();
  tells_clocks_ = 2 * std::ranges::count_if(visits_, [&](const KeptVisit& visit) { return tells_clock(visit); }) >=
                  std::ssize(visits_);
  outlasts_ = !lasts();
}

void StateSorter::learn_spread() {
  const auto batches = [&](Spread spread) {
    return std::ranges::count_if(batches_, [&](const KeptBatch& batch) {
      return batch.spread == spread && !(passes_over_turns_ && batch.follows_other);
    });
  };
  const auto some = [&] { return batches(Spread::one_cpu) + batches(Spread::own_cpus); };
  passes_over_turns_ = false;
  const auto all = some();
  // Where nearly each follows another, there is nothing else.
  passes_over_turns_ = true;
  passes_over_turns_ = few_steady * some() >= all;
  const auto together = batches(Spread::one_cpu);
  const auto apart = batches(Spread::own_cpus);
  usual_spread_ = together >= apart ? Spread::one_cpu : Spread::own_cpus;
  if (std::max(together, apart) <= batches(Spread::varied)) usual_spread_ = Spread::unknown;
}

// What is too rare to be one of the node's clocks is one where some visits agree. A neighbour delays the chain as well,
// so that a clock is estimated for cores alone only.
void StateSorter::learn_clocks() {
  std::vector<double> rare;
  std::size_t last = visits_.size();
  for (const KeptBatch& batch : batches_) {
    if (batch.visit == last || !visits_[batch.visit].clock_is_alone) continue;
    last = batch.visit;
    const Nanoseconds step = visits_[last].step;
    if (levels_->level_of(visits_[last].cpu, step) == step) rare.push_back(step.count);
  }
  rare_steps_.clear();
  for (const ClockLevel& level : clock_levels(std::move(rare))) rare_steps_.push_back(level.middle);
  for (KeptVisit& visit : visits_) visit.level = level_of(visit);
}

Nanoseconds StateSorter::level_of(const KeptVisit& visit) const {
  const Nanoseconds step = visit.step;
  const Nanoseconds level = levels_->level_of(visit.cpu, step);
  return level == step && !rare_steps_.empty() ? Nanoseconds{nearest_level(rare_steps_, step.count)} : level;
}

// Threads of the action itself, hundreds of them in a chat, can still be at work around each of its batches: then the
// core is read before the first one only.
bool StateSorter::is_alone_at_rest(const KeptVisit& visit, std::size_t end) const {
  if (visit.first == end || visit.apart.empty() || batches_[visit.first].cores.empty()) return false;
  return told(visit, batches_[visit.first].cores.front(), visit.apart.front()) == Sharing::alone;
}

void StateSorter::read_clock(KeptVisit& kept, std::size_t end) const {
  std::vector<double> all;
  std::vector<double> alone;
  for (std::size_t i = kept.first; i < end; ++i) {
    if (batches_[i].cores.empty()) continue;
    const MemberCore& core = batches_[i].cores.front();
    for (const CoreReading& reading : {core.before, core.after}) {
      all.push_back(reading.chain.count);
      if (told(kept, core, reading) == Sharing::alone) alone.push_back(reading.chain.count);
    }
  }
  if (alone.empty() && is_alone_at_rest(kept, end)) alone.push_back(kept.apart.front().chain.count);
  kept.clock_is_alone = kept.by_partner || !alone.empty();
  if (kept.by_partner) all = alone = {kept.apart.front().chain.count};
  const SeenClock clock = clock_of(alone.empty() ? all : alone);
  kept.step = clock.step;
  kept.clock_changed = clock.changed;
  kept.level = level_of(kept);
}

void StateSorter::name_clock(const NodeCpu& cpu, Nanoseconds level, CoreState& state) const {
  // Journals of before name clocks in steps of 0.1 GHz.
  const double of_one = levels_->knows_clocks(cpu) ? 100 : 10;
  state.clock_ghz = in_steps(levels_->clock_ghz(cpu.node, level), of_one);
  if (!(state.clock_ghz > 0)) state.clock_ratio = in_steps(levels_->clock_ratio(cpu, level), 100);
}

bool StateSorter::tells_clock(const KeptVisit& visit) const {
  return visit.clock_is_alone && !visit.clock_changed && visit.level > Nanoseconds{};
}

// "As found" alone is what all clocks say together, so that the usual one has to be named as well.
std::optional<CoreState> StateSorter::found_in(const KeptVisit& visit, Spread spread) const {
  CoreState state{.spread = spread};
  if (!tells_clocks_ || !levels_->has_several_clocks(visit.cpu)) return state;
  if (!tells_clock(visit)) return std::nullopt;
  name_clock(visit.cpu, visit.level, state);
  return state;
}

CoreState StateSorter::usual_found() const {
  CoreState state{.spread = usual_spread_};
  const auto read = std::ranges::find_if(visits_, [](const KeptVisit& visit) { return visit.cpu.cpu >= 0; });
  if (read != visits_.end() && tells_clocks_ && levels_->has_several_clocks(read->cpu))
    name_clock(read->cpu, levels_->usual_step(read->cpu), state);
  return state;
}

bool StateSorter::mixes_clocks(const CoreState& state) const {
  if (levels_ == nullptr || state.sharing == Sharing::alone || !clock_text(state).empty()) return false;
  std::map<Nanoseconds, std::size_t> at;
  std::size_t all = 0;
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    const KeptVisit& visit = visits_[batches_[i].visit];
    if (visit.cpu.cpu < 0 || !levels_->has_several_clocks(visit.cpu) || !is_in(i, state)) continue;
    ++all;
    if (tells_clock(visit)) ++at[visit.level];
  }
  std::size_t known = 0;
  std::size_t most = 0;
  for (const auto& [level, batches] : at) {
    known += batches;
    most = std::max(most, batches);
  }
  return 2 * known < all || static_cast<double>(most) < one_clock * static_cast<double>(known);
}

void StateSorter::judge(std::size_t visit) {
  KeptVisit& kept = visits_[visit];
  const std::size_t end = visit + 1 < visits_.size() ? visits_[visit + 1].first : batches_.size();
  kept.by_partner = shared_by_partner(kept, end);
  const auto visited = std::span(batches_).subspan(kept.first, end - kept.first);
  for (KeptBatch& batch : visited) batch.sharing = judged(kept, batch);
  const auto alone = std::ranges::count(visited, Sharing::alone, &KeptBatch::sharing);
  for (KeptBatch& batch : visited)
    if (batch.sharing == Sharing::alone && few_alone * alone < std::ssize(visited)) batch.sharing = Sharing::mixed;
  read_clock(kept, end);
  distances_.add(seen_distance(kept, visited));
}

VisitDistance StateSorter::seen_distance(const KeptVisit& visit, std::span<const KeptBatch> visited) const {
  const auto apart = std::ranges::find_if(visited, [](const auto& batch) { return batch.spread != Spread::one_cpu; });
  VisitDistance seen{visit.session, visit.incarnation, visit.distance, apart != visited.end()};
  if (!seen.counts) return seen;
  seen.bound = apart->spread == Spread::unknown;
  // A round trip is of two.
  if (visit.apart.size() != 2 || apart->cores.size() != 2) return seen;
  const auto is_alone = [&](const MemberCore& core) {
    return told(visit, core, visit.apart[core.rank]) == Sharing::alone;
  };
  const auto at = [&](const MemberCore& core) { return cpu_of(visit.nodes, core.rank, core.cpu); };
  seen.alone = std::ranges::all_of(apart->cores, is_alone);
  const auto known = levels_->distances({at(apart->cores.front()), at(apart->cores.back())});
  seen.known.assign(known.begin(), known.end());
  return seen;
}

/// 0 where it is not known, is the only one, or the members were on one CPU; nothing where it is none of the levels.
std::optional<double> StateSorter::distance_of(const KeptBatch& batch, Sharing sharing) const {
  return batch.spread == Spread::one_cpu ? 0 : distances_.level(batch.visit, sharing == Sharing::alone);
}

// Each alone while the others rested, and shared in every batch: the members sit on one core. Who is the only one on
// its node has no partner there.
bool StateSorter::shared_by_partner(const KeptVisit& visit, std::size_t end) const {
  if (visit.apart.size() < 2 || visit.first == end) return false;
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
  if (alone < batch.cores.size()) return Sharing::shared;
  return has_usual_calls(visit, batch) ? Sharing::alone : Sharing::mixed;
}

bool StateSorter::has_usual_calls(const KeptVisit& visit, const KeptBatch& batch) const {
  return visit.apart.size() < batch.cores.size() || std::ranges::all_of(batch.cores, [&](const MemberCore& core) {
           return levels_->has_usual_call(cpu_of(visit.nodes, core.rank, core.cpu), visit.apart[core.rank]);
         });
}

// By levels, which many readings have made: what a visit of two readings shows is coarse, and often a delay. Only a
// state that is named by a rare clock is of one.
Nanoseconds StateSorter::step_in(const CoreState& state) const {
  if (levels_ == nullptr) return {};
  Nanoseconds sum{};
  std::size_t batches = 0;
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    const KeptVisit& visit = visits_[batches_[i].visit];
    if (!visit.clock_is_alone || !(visit.level > Nanoseconds{})) continue;
    if (!levels_->knows_clocks(visit.cpu) || !is_in(i, state)) continue;
    const bool is_named = state.sharing == Sharing::alone || !clock_text(state).empty();
    if (!is_named && levels_->level_of(visit.cpu, visit.step) == visit.step) continue;
    sum += visit.level;
    ++batches;
  }
  return batches > 0 ? sum / static_cast<double>(batches) : Nanoseconds{};
}

std::optional<CoreState> StateSorter::state_of(std::size_t batch) const { return state_at(batch, std::nullopt); }

/// `distance`: in the place of its own.
std::optional<CoreState> StateSorter::state_at(std::size_t batch, std::optional<double> distance) const {
  const KeptBatch& kept = batches_.at(batch);
  const Spread spread = spread_of(batch);
  if (spread == Spread::varied) return std::nullopt;
  if (kept.sharing == Sharing::unknown) return CoreState{.spread = spread};
  if (outlasts_) return found_in(visits_[kept.visit], spread);
  // Two readings of microseconds do not decide on a batch far longer than they: what held nearly always held in it.
  const Sharing sharing = nearly_alone_ && kept.length > longest ? Sharing::alone : kept.sharing;
  if (sharing == Sharing::mixed) return std::nullopt;
  if (!distance) distance = distance_of(kept, sharing);
  if (!distance) return std::nullopt;
  const KeptVisit& visit = visits_[kept.visit];
  CoreState state{sharing, 0, *distance};
  state.spread = spread;
  if (sharing != Sharing::alone) return state;
  if (visit.clock_changed) return std::nullopt;
  if (levels_->clock_ratio(visit.cpu, visit.level) != 1) name_clock(visit.cpu, visit.level, state);
  return state;
}

Spread StateSorter::spread_of(std::size_t batch) const {
  const KeptBatch& kept = batches_.at(batch);
  if (usual_spread_ == Spread::unknown) return Spread::unknown;
  return passes_over_turns_ && kept.follows_other ? Spread::varied : kept.spread;
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
  if (median(std::move(lengths)) > longest.count) return false;
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

double StateSorter::usual_distance(Sharing sharing) const {
  return usual_spread_ == Spread::one_cpu ? 0 : distances_.usual(sharing == Sharing::alone);
}

double StateSorter::central_distance() const { return usual_spread_ == Spread::one_cpu ? 0 : distances_.central(); }

}  // namespace assay
