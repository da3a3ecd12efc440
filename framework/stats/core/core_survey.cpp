// SPDX-License-Identifier: Apache-2.0
// Turns compared with the turns before and after.
#include "stats/core/core_survey.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "stats/core/clock_levels.hpp"
#include "stats/core/distance_levels.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

using CpuPair = std::pair<int, int>;

constexpr std::size_t least_in_turn = 4;  // readings
constexpr std::size_t least_trials = 8;
constexpr double clearly_slowed = 1.3;
constexpr double hardly_slowed = 1.1;
constexpr double overwhelming = 9;   // to one
constexpr double by_chance = 1.5;    // two counts of one rate differ by less, but for three
constexpr double negligible = 0.02;  // of the undisturbed trials
constexpr double rare_level = 0.05;
constexpr Nanoseconds batch_time = microseconds(100);
constexpr double least_alone = 0.05;

/// What the reading took of throughput, by which a slower clock is no neighbour.
double cost_of(const CoreReading& reading) { return reading.wide / reading.chain; }

/// The median cost of a turn's readings between two times; nothing where there are few.
std::optional<double> typical_cost(const CoreTurn& turn, Nanoseconds from, Nanoseconds until) {
  std::vector<double> costs;
  for (const auto& [at, core] : turn.readings)
    if (core.taken() && at >= from && at <= until) costs.push_back(cost_of(core));
  return costs.size() < least_in_turn ? std::nullopt : std::optional(median(std::move(costs)));
}

std::optional<double> typical_cost(const CoreTurn& turn) {
  return turn.readings.empty() ? std::nullopt : typical_cost(turn, turn.readings.front().at, turn.readings.back().at);
}

/// Both at once, and each of them alone right before or after it.
struct Trial {
  double alone_a = 0;
  double alone_b = 0;
  double both_a = 0;
  double both_b = 0;
  bool slowed() const { return both_a >= clearly_slowed * alone_a && both_b >= clearly_slowed * alone_b; }
  bool quickened() const { return alone_a >= clearly_slowed * both_a && alone_b >= clearly_slowed * both_b; }
  bool undisturbed() const { return both_a <= hardly_slowed * alone_a && both_b <= hardly_slowed * alone_b; }
};

/// Turns by their number and CPU.
class Turns {
 public:
  explicit Turns(const std::vector<CoreTurn>& turns) {
    for (const CoreTurn& turn : turns) by_number_[{turn.number, turn.cpu}] = &turn;
  }

  std::map<CpuPair, std::vector<Trial>> trials() const {
    std::map<CpuPair, std::vector<Trial>> found;
    for (const auto& [key, turn] : by_number_) {
      if (turn->partner <= turn->cpu) continue;  // once for both
      auto& trials = found[{turn->cpu, turn->partner}];
      if (const auto trial = trial_of(*turn)) trials.push_back(*trial);
    }
    return found;
  }

 private:
  const CoreTurn* at(std::size_t number, int cpu) const {
    const auto found = by_number_.find({number, cpu});
    return found == by_number_.end() ? nullptr : found->second;
  }

  /// Of the neighbouring turn that the CPU had to itself.
  std::optional<double> alone_beside(std::size_t number, int cpu) const {
    for (const std::size_t beside : {number - 1, number + 1})
      if (const CoreTurn* turn = at(beside, cpu); turn != nullptr && turn->partner < 0) return typical_cost(*turn);
    return std::nullopt;
  }

  std::optional<Trial> trial_of(const CoreTurn& a) const {
    const CoreTurn* b = at(a.number, a.partner);
    if (b == nullptr || a.readings.empty() || b->readings.empty()) return std::nullopt;
    // Only while both were really at work.
    const Nanoseconds from = std::max(a.readings.front().at, b->readings.front().at);
    const Nanoseconds until = std::min(a.readings.back().at, b->readings.back().at);
    const auto both_a = typical_cost(a, from, until);
    const auto both_b = typical_cost(*b, from, until);
    const auto alone_a = alone_beside(a.number, a.cpu);
    const auto alone_b = alone_beside(a.number, b->cpu);
    if (!both_a || !both_b || !alone_a || !alone_b) return std::nullopt;
    return Trial{*alone_a, *alone_b, *both_a, *both_b};
  }

  std::map<std::pair<std::size_t, int>, const CoreTurn*> by_number_;
};

bool is_one_core(const PairFinding& pair) {
  return pair.slowed >= least_trials &&
         static_cast<double>(pair.slowed) >= overwhelming * static_cast<double>(pair.undisturbed + pair.quickened);
}

bool are_own_cores(const PairFinding& pair) {
  const double chance =
      3 + by_chance * static_cast<double>(pair.quickened) + negligible * static_cast<double>(pair.undisturbed);
  return pair.undisturbed >= least_trials && static_cast<double>(pair.slowed) <= chance;
}

/// Alone by what is known of the core; false where nothing is.
bool is_known_alone(const CoreLevels& levels, int cpu, double cost) {
  const auto level = levels.level(cpu);
  return level && level->because != AloneBecause::nothing && cost <= hardly_slowed * level->alone;
}

void count(PairFinding& pair, const std::vector<Trial>& trials, const CoreLevels& levels) {
  std::vector<double> a;
  std::vector<double> b;
  for (const Trial& one : trials) {
    const bool undisturbed =
        one.undisturbed() && is_known_alone(levels, pair.a, one.alone_a) && is_known_alone(levels, pair.b, one.alone_b);
    pair.slowed += one.slowed() ? 1 : 0;
    pair.quickened += one.quickened() ? 1 : 0;
    pair.undisturbed += undisturbed ? 1 : 0;
    if (!one.slowed() && !undisturbed) continue;
    a.push_back(one.alone_a / one.both_a);
    b.push_back(one.alone_b / one.both_b);
  }
  if (is_one_core(pair)) pair.bond = CoreBond::one_core;
  if (are_own_cores(pair)) pair.bond = CoreBond::own_cores;
  if (a.empty()) return;
  pair.yield_a = median(std::move(a));
  pair.yield_b = median(std::move(b));
}

void sort_by_share(std::vector<SeenLevel>& levels) {
  std::erase_if(levels, [](const SeenLevel& level) { return level.share < rare_level; });
  std::ranges::stable_sort(levels, std::ranges::greater(), &SeenLevel::share);
}

std::vector<SeenLevel> distances_of(const CpuPair& pair, const std::vector<FlagTrip>& trips) {
  std::vector<double> all;
  for (const FlagTrip& trip : trips)
    if (CpuPair(std::minmax(trip.a, trip.b)) == pair) all.push_back(trip.trip.count);
  std::vector<SeenLevel> levels;
  for (const DistanceLevel& level : distance_levels(all))
    levels.push_back({level.middle, static_cast<double>(level.visits) / static_cast<double>(all.size())});
  sort_by_share(levels);
  return levels;
}

std::vector<SeenLevel> chain_levels(std::vector<double> chains) {
  const auto all = static_cast<double>(chains.size());
  std::vector<SeenLevel> levels;
  for (const ClockLevel& level : clock_levels(std::move(chains)))
    levels.push_back({level.middle, static_cast<double>(level.readings) / all});
  sort_by_share(levels);
  return levels;
}

/// Counts over the turns that a CPU had to itself.
class CpuTally {
 public:
  void add(const CoreTurn& turn, const CoreLevels& levels) {
    std::vector<double> chains;
    std::size_t end = 0;
    for (std::size_t i = 0; i < turn.readings.size(); ++i) {
      const auto& [at, core] = turn.readings[i];
      const Sharing sharing = levels.judge(turn.cpu, core);
      ++readings_;
      shared_ += sharing == Sharing::shared ? 1 : 0;
      // A neighbour slows the chain a little, which is no other clock.
      if (core.taken() && sharing != Sharing::shared) chains.push_back(core.chain.count);
      while (end < turn.readings.size() && turn.readings[end].at < at + batch_time) ++end;
      if (end == turn.readings.size() || sharing == Sharing::unknown) continue;
      ++windows_;
      lone_ += sharing == Sharing::alone && levels.judge(turn.cpu, turn.readings[end].core) == Sharing::alone ? 1 : 0;
    }
    if (chains.size() >= least_in_turn) chains_.push_back(median(std::move(chains)));
  }

  CoreFinding finding(int cpu, const CoreLevels& levels) && {
    CoreFinding found{cpu, readings_, AloneBecause::nothing, 0, {}, chain_levels(std::move(chains_))};
    if (const auto level = levels.level(cpu)) found.because = level->because;
    if (found.because == AloneBecause::nothing) return found;
    found.shared = static_cast<double>(shared_) / static_cast<double>(readings_);
    if (windows_ > 0) found.stays_alone = static_cast<double>(lone_) / static_cast<double>(windows_);
    return found;
  }

 private:
  std::size_t readings_ = 0;
  std::size_t shared_ = 0;
  std::size_t windows_ = 0;
  std::size_t lone_ = 0;
  std::vector<double> chains_;
};

void learn(CoreLevels& levels, const std::vector<CoreTurn>& turns, const auto& wanted) {
  for (const CoreTurn& turn : turns)
    if (wanted(turn))
      for (const auto& reading : turn.readings) levels.add(turn.cpu, reading.core);
}

}  // namespace

CoreSurvey survey_of(const std::vector<CoreTurn>& turns, const std::vector<FlagTrip>& trips, CoreLevels levels) {
  CoreSurvey survey;
  survey.cycles_per_step = levels.cycles_per_step();
  learn(levels, turns, [](const CoreTurn& turn) { return turn.partner < 0; });
  for (const auto& [cpus, trials] : Turns(turns).trials()) {
    PairFinding pair;
    pair.a = cpus.first;
    pair.b = cpus.second;
    count(pair, trials, levels);
    pair.distances = distances_of(cpus, trips);
    survey.pairs.push_back(std::move(pair));
  }
  // What two hardware threads leave each other is the second level that shows what one of them has alone.
  learn(levels, turns, [&](const CoreTurn& turn) {
    return std::ranges::any_of(survey.pairs, [&](const PairFinding& pair) {
      return pair.bond == CoreBond::one_core && std::minmax(turn.cpu, turn.partner) == std::minmax(pair.a, pair.b);
    });
  });
  std::map<int, CpuTally> tallies;
  for (const CoreTurn& turn : turns)
    if (turn.partner < 0 && !turn.readings.empty()) tallies[turn.cpu].add(turn, levels);
  for (auto& [cpu, tally] : tallies) survey.cores.push_back(std::move(tally).finding(cpu, levels));
  return survey;
}

std::optional<double> times_as_long(double stays_alone) {
  if (!(stays_alone >= least_alone)) return std::nullopt;
  return 1 / stays_alone;
}

}  // namespace assay
