// SPDX-License-Identifier: Apache-2.0
// What a measurement says about itself: plain data, so that it can be listed, checked and sent to another process.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/factor.hpp"
#include "base/point.hpp"
#include "base/quantity.hpp"

namespace assay {

/// How many members a measurement can have.
struct MemberRange {
  int least = 1;
  int most = 1;
};
constexpr MemberRange exactly(int n) { return {n, n}; }
constexpr MemberRange at_least(int n) { return {n, std::numeric_limits<int>::max()}; }

/// How members wait for each other; decides which guards and placements apply.
enum class Waiting : std::uint8_t {
  none,     ///< never waits: any context switch is a disturbance
  spins,    ///< polls in user space: a switch is a disturbance, and members sharing a CPU make no progress (code N1)
  blocks,   ///< sleeps in the kernel: switches are what is measured
  either,   ///< spins, then sleeps: switches are what is measured, the regime says which it was
  yields,   ///< never sleeps, but gives its CPU up or has it taken: switches of any kind are what is measured
  watches,  ///< never waits; what takes its CPU is what is measured: switches, stolen or throttled time, changes of
            ///< speed
  polls     ///< as spins where each member has a CPU to itself, as yields where they share: a library that can do both
};

/// Whether the times of a measurement are made of core cycles, so that they follow the clock of the members' cores and
/// can be reported in cycles of it. What waits for memory, devices, timers or other machines keeps its own pace.
enum class CoreCycles : std::uint8_t {
  never,       ///< the default: no cycles are better than wrong ones
  on_one_cpu,  ///< while all members, and what they make, are bound to one CPU: what lies between two has its own pace
  always
};

/// How the members of a batch start together where they are ranks of MPI (vehicle "mpi").
enum class Start : std::uint8_t {
  barrier,        ///< behind the library's barrier
  dissemination,  ///< behind the framework's own, of messages in ceil(log2 ranks) steps
  window          ///< at an agreed time of the ranks' common clock; one who comes late disturbs the batch
};

/// Bounds on `reps`, for protocols whose meaning changes with the length of a batch (a burst below a capacity).
struct RepsBounds {
  Reps least{1};
  Reps most{std::int64_t{1} << 40};
};

/// What can differ between the levels of one categorical factor (the channel, say).
struct Traits {
  std::vector<std::string> vehicles{"thread"};  ///< "thread", "process", "mpi"
  Waiting waiting = Waiting::none;
  double events_per_rep = 1;  ///< per-event quantities are divided by reps times this
  RepsBounds reps{};
  bool simulated = false;  ///< time is computed, not taken: clock, switches and CPU time say nothing about it
  /// Why the number has no meaning at this level, whatever the machine: one of N1..N11 (doc/logp.md) with its reason.
  /// Empty where it has one.
  std::string code{};
  std::string why_not{};
  /// As ranks: how batches start where the series does not say, and whether stamps of different ranks are compared
  /// (then they have a common clock whatever the start; with windows they have one anyway).
  Start start = Start::barrier;
  bool compares_stamps = false;
  /// What is taken from the members (stolen or throttled time, changes of speed) is part of the value, as in a window
  /// of fixed length: it leaves no visit out. Always so under Waiting::watches.
  bool includes_losses = false;
  /// The kernel gives memory in each event and takes it back: stacks, pages, inodes. What that costs on a virtual
  /// machine changes within minutes.
  bool takes_memory = false;
};

/// Everything known about a measurement without constructing it.
struct Description {
  std::string name{};                            ///< "group/what", unique in a registry
  std::string summary{};                         ///< one sentence: what one event is
  std::vector<Quantity> quantities{Quantity{}};  ///< the first is the primary one
  std::vector<Factor> factors{};
  MemberRange members{};
  Traits traits{};
  std::string selector{};  ///< the factor whose level selects among `selected`; empty: traits hold everywhere. A whole
                           ///< number is selected by its digits
  std::vector<std::pair<std::string, Traits>> selected{};
  int version = 1;  ///< to be raised when what is measured changes its meaning: older results then do not stand
  std::string placement = "representative";    ///< of the members, where the series does not say
  CoreCycles core_cycles = CoreCycles::never;  ///< of the quantities that are times of an event
};

/// The level of a factor at a point: the point's own, else the factor's standard; nullptr where neither exists.
inline const Value* level_at(const Description& description, const Point& point, std::string_view name) {
  for (const auto& [factor, level] : point.levels())
    if (factor == name) return &level;
  for (const Factor& factor : description.factors)
    if (factor.name == name) return &factor.standard;
  return nullptr;
}

/// Whether a level is the one that a word of `selected` means.
inline bool is_level(const Value& level, const std::string& word) {
  if (const auto* text = std::get_if<std::string>(&level)) return *text == word;
  const auto* number = std::get_if<std::int64_t>(&level);
  return number && std::to_string(*number) == word;
}

/// The traits that hold at a point: those of its selector's level (a missing level takes its standard), else the
/// general ones.
inline const Traits& traits_at(const Description& description, const Point& point) {
  const Value* level = level_at(description, point, description.selector);
  for (const auto& [word, traits] : description.selected)
    if (level && is_level(*level, word)) return traits;
  return description.traits;
}

}  // namespace assay
