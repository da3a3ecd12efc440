// SPDX-License-Identifier: Apache-2.0
// Accumulations of readings, and what they say about a core.
#include "stats/core/core_levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
namespace {

constexpr double rare = 0.01;  // share of the time alone that is enough to be learned
constexpr double alone_within = 1.04;
constexpr double interrupted_below = 1.1;
constexpr double agrees_within = 1.05;  // levels of two sessions
constexpr double moved = 0.01;
// A second level at least so far from the first, and with such a share of the readings, is a neighbour.
constexpr double apart = 1.2;
constexpr double common = 0.05;
// Independent additions in a cycle: the widest cores with two hardware threads have six units, of which each then gets
// three.
constexpr double more_than_half_a_core = 3.3;
// No core executes more: a reading beyond it is one whose chain was interrupted.
constexpr double most_per_cycle = 8.5;
// Longer by so much than most chains of the CPU is none at a lower clock, but one that was interrupted.
constexpr double interrupted_chain = 1.35;
// What so few of so many readings are about was no level, though the first of them made one.
constexpr double forgotten = 0.002;
constexpr std::int64_t many_readings = 2000;
constexpr double like_usual = 0.03;
constexpr double learn_again = 1.25;  // times the readings of the last time

constexpr std::array sharing_names{"unknown", "alone", "shared", "mixed"};
constexpr std::array because_names{"nothing", "two-levels", "throughput", "earlier", "one-thread"};

template <class Enum, std::size_t N>
std::optional<Enum> named(const std::array<const char*, N>& names, std::string_view text) {
  const auto found = std::ranges::find(names, text, [](const char* name) { return std::string_view(name); });
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

// A reading far below the level is one whose chain was interrupted: that was no time alone either.
bool is_alone(const CoreLevel& level, const CoreReading& reading) {
  const Nanoseconds usual = level.alone * reading.chain;
  return level.alone > 0 && reading.wide <= alone_within * usual && interrupted_below * reading.wide >= usual;
}

// Independent additions; 0 where it is not known how many cycles a step of the chain takes.
double per_cycle(double wide_over_chain, int cycles_per_step) {
  return cycles_per_step > 0 ? 1 / (wide_over_chain * cycles_per_step) : 0;
}

// Whether a level is another one than what is known. What proves itself is no neighbour where it is nearly that, or
// where hardly any reading is about what is known.
bool is_above(double level, double known, int cycles_per_step, const LevelCounts& costs) {
  const bool is_proof = per_cycle(level, cycles_per_step) >= more_than_half_a_core;
  if (!is_proof) return level > agrees_within * known;
  const bool is_forgotten = costs.size() >= many_readings &&
                            static_cast<double>(costs.about(known)) < forgotten * static_cast<double>(costs.size());
  return level > apart * known && !is_forgotten;
}

bool agree(double a, double b) { return std::max(a, b) <= agrees_within * std::min(a, b); }

}  // namespace

std::string to_text(Sharing sharing) { return sharing_names.at(static_cast<std::size_t>(sharing)); }
std::optional<Sharing> parse_sharing(std::string_view text) { return named<Sharing>(sharing_names, text); }
std::string to_text(AloneBecause reason) { return because_names.at(static_cast<std::size_t>(reason)); }
std::optional<AloneBecause> parse_alone_because(std::string_view text) {
  return named<AloneBecause>(because_names, text);
}

NodeCpu cpu_of(std::span<const std::string> nodes, std::size_t rank, int cpu) {
  return {rank < nodes.size() ? nodes[rank] : std::string(), cpu};
}

std::vector<bool> single_on_node(std::span<const std::string> nodes, std::size_t members) {
  std::map<std::string_view, int> on_node;
  const auto name_of = [&](std::size_t rank) {
    return rank < nodes.size() ? std::string_view(nodes[rank]) : std::string_view();
  };
  for (std::size_t rank = 0; rank < members; ++rank) ++on_node[name_of(rank)];
  std::vector<bool> single;
  for (std::size_t rank = 0; rank < members; ++rank) single.push_back(on_node[name_of(rank)] == 1);
  return single;
}

void CoreLevels::know(const NodeCores& node) {
  NodeCores& known = nodes_[node.node];
  const int cycles = node.cycles_per_step > 0 ? node.cycles_per_step : known.cycles_per_step;
  known = node;
  known.cycles_per_step = cycles;
}

void CoreLevels::add(const NodeCpu& cpu, const CoreReading& reading) {
  if (!reading.taken() || cpu.cpu < 0) return;
  if (per_cycle(reading.wide / reading.chain, node(cpu.node).cycles_per_step) > most_per_cycle) return;
  Core& core = cores_[cpu];
  core.steps.add(reading.chain.count);
  if (core.steps.size() >= core.next_steps) {
    core.next_steps = static_cast<std::int64_t>(std::ceil(learn_again * static_cast<double>(core.steps.size())));
    core.usual_chain = core.steps.fullest().value_or(0);
  }
  if (core.usual_chain > 0 && reading.chain.count > interrupted_chain * core.usual_chain) return;
  core.costs.add(reading.wide / reading.chain);
  if (is_alone(core.used, reading)) {
    core.chains.add(reading.chain.count);
    ++core.used.readings_alone;
    if (reading.call > Nanoseconds{} && core.calls.add(reading.call / reading.chain)) ++version_;
  }
  if (core.costs.size() < core.next_look) return;
  core.next_look = static_cast<std::int64_t>(std::ceil(learn_again * static_cast<double>(core.costs.size())));
  learn(cpu, core);
}

void CoreLevels::confirm(const CoreLevel& earlier) {
  if (earlier.because == AloneBecause::nothing || !(earlier.alone > 0)) return;
  Core& core = cores_[earlier.core()];
  if (core.earlier && core.earlier->alone <= earlier.alone) return;
  core.earlier = earlier;
  core.calls.confirm(earlier.call);
  learn(earlier.core(), core);
}

NodeCores CoreLevels::node(const std::string& name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? NodeCores{name, 0, false} : found->second;
}

std::vector<NodeCores> CoreLevels::named_nodes() const {
  std::vector<NodeCores> named;
  for (const CoreLevel& level : levels())
    if (!level.node.empty() && (named.empty() || named.back().node != level.node)) named.push_back(node(level.node));
  return named;
}

AloneBecause CoreLevels::why(const std::string& name, const Core& core, double alone) const {
  const NodeCores known = node(name);
  if (known.one_thread) return AloneBecause::one_thread;
  if (per_cycle(alone, known.cycles_per_step) >= more_than_half_a_core) return AloneBecause::throughput;
  if (core.earlier && agree(core.earlier->alone, alone)) return AloneBecause::earlier;
  const auto above = static_cast<double>(core.costs.from(apart * alone));
  return above >= common * static_cast<double>(core.costs.size()) ? AloneBecause::two_levels : AloneBecause::nothing;
}

void CoreLevels::learn(const NodeCpu& cpu, Core& core) {
  CoreLevel fresh = core.used;
  fresh.cpu = cpu.cpu;
  fresh.node = cpu.node;
  fresh.readings = core.costs.size();
  const auto found = core.costs.lowest(rare);
  const int cycles = node(cpu.node).cycles_per_step;
  // Higher than another session knew: it was not alone in this one.
  if (core.earlier && (!found || is_above(*found, core.earlier->alone, cycles, core.costs))) {
    fresh.alone = core.earlier->alone;
    fresh.because = AloneBecause::earlier;
    if (!(fresh.chain > Nanoseconds{})) fresh.chain = core.earlier->chain;
  } else if (found && !(core.used.because == AloneBecause::throughput &&
                        is_above(*found, core.used.alone, cycles, core.costs))) {
    // What was proved stays so, however rarely the core is alone afterwards.
    fresh.alone = *found;
    fresh.because = why(cpu.node, core, *found);
  }
  if (const auto chain = core.chains.fullest()) fresh.chain = {*chain};
  const bool is_news = fresh.because != core.used.because ||
                       std::fabs(fresh.alone - core.used.alone) > moved * fresh.alone ||
                       std::fabs((fresh.chain - core.used.chain).count) > moved * fresh.chain.count;
  core.used = fresh;
  version_ += is_news ? 1 : 0;
}

std::optional<CoreLevel> CoreLevels::level(const NodeCpu& cpu) const {
  const auto found = cores_.find(cpu);
  if (found == cores_.end() || !(found->second.used.alone > 0)) return std::nullopt;
  CoreLevel level = found->second.used;
  level.readings = found->second.costs.size();
  level.call = found->second.calls.usual();
  return level;
}

std::vector<CoreLevel> CoreLevels::levels() const {
  std::vector<CoreLevel> all;
  for (const auto& [cpu, core] : cores_)
    if (const auto known = level(cpu)) all.push_back(*known);
  return all;
}

Sharing CoreLevels::judge(const NodeCpu& cpu, const CoreReading& reading) const {
  const auto found = cores_.find(cpu);
  if (!reading.taken() || found == cores_.end() || found->second.used.because == AloneBecause::nothing)
    return Sharing::unknown;
  if (!is_alone(found->second.used, reading)) return Sharing::shared;
  return has_usual_call(cpu, reading) ? Sharing::alone : Sharing::mixed;
}

bool CoreLevels::has_usual_call(const NodeCpu& cpu, const CoreReading& reading) const {
  const auto found = cores_.find(cpu);
  if (!reading.taken() || !(reading.call > Nanoseconds{}) || found == cores_.end()) return true;
  return !is_alone(found->second.used, reading) || found->second.calls.usual().holds(reading.call / reading.chain);
}

void CoreLevels::keep_usual_clocks() {
  for (auto& [node, clocks] : clocks_) clocks.keep_usual();
}

std::vector<NodeClocks> CoreLevels::clocks() const {
  std::vector<NodeClocks> all;
  for (const auto& [node, clocks] : clocks_)
    if (clocks.usual() > Nanoseconds{}) all.push_back({node, clocks.usual(), clocks.levels()});
  return all;
}

bool CoreLevels::knows_clocks(const NodeCpu& cpu) const {
  const auto clocks = clocks_.find(cpu.node);
  return clocks != clocks_.end() && clocks->second.usual() > Nanoseconds{};
}

bool CoreLevels::has_several_clocks(const NodeCpu& cpu) const {
  const auto clocks = clocks_.find(cpu.node);
  return clocks != clocks_.end() && clocks->second.levels().size() > 1;
}

// Journals of before have no clocks of nodes, and short visits do not show them.
Nanoseconds CoreLevels::usual_step(const NodeCpu& cpu) const {
  if (knows_clocks(cpu)) return clocks_.at(cpu.node).usual();
  const auto known = level(cpu);
  return known ? known->chain : Nanoseconds{};
}

Nanoseconds CoreLevels::level_of(const NodeCpu& cpu, Nanoseconds step) const {
  if (knows_clocks(cpu)) return clocks_.at(cpu.node).level_of(step);
  const Nanoseconds usual = usual_step(cpu);
  const bool is_usual = usual > Nanoseconds{} && std::fabs(usual / step - 1) <= like_usual;
  return is_usual ? usual : step;
}

double CoreLevels::clock_ratio(const NodeCpu& cpu, Nanoseconds level) const {
  const Nanoseconds usual = usual_step(cpu);
  return usual > Nanoseconds{} && level > Nanoseconds{} ? usual / level : 1;
}

std::int64_t CoreLevels::version() const {
  std::int64_t sum = version_;
  for (const auto& [node, clocks] : clocks_) sum += clocks.version();
  for (const auto& [pair, distances] : distances_) sum += distances.version();
  return sum;
}

std::vector<PairDistances> CoreLevels::distances() const {
  std::vector<PairDistances> all;
  for (const auto& [pair, known] : distances_)
    if (known.levels().size() > 1) all.push_back({pair, known.levels()});
  return all;
}

std::span<const double> CoreLevels::distances(const CorePair& pair) const {
  const auto found = distances_.find(pair);
  return found == distances_.end() ? std::span<const double>() : std::span(found->second.levels());
}

double CoreLevels::clock_ghz(const std::string& name, Nanoseconds chain) const {
  const int cycles = node(name).cycles_per_step;
  return cycles > 0 && chain > Nanoseconds{} ? cycles / chain.count : 0;
}

}  // namespace assay
