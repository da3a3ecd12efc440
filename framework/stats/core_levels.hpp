// SPDX-License-Identifier: Apache-2.0
// What a core yields while it is alone and at its usual clock, learned from readings of it.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core_reading.hpp"

namespace assay {

/// Whether somebody else worked on the core.
enum class Sharing : std::uint8_t {
  unknown,  ///< not read, or not known what this core yields when it is alone
  alone,
  shared,
  mixed  ///< it changed meanwhile
};
/// "unknown", "alone", "shared", "mixed", and back.
std::string to_text(Sharing sharing);
std::optional<Sharing> parse_sharing(std::string_view text);

/// Why the best that was seen of a core is taken for what it yields alone.
enum class AloneBecause : std::uint8_t {
  nothing,     ///< it may have been shared all the time
  two_levels,  ///< it was seen to yield much less as well
  throughput,  ///< it yields more than a part of any known core can
  earlier,     ///< another session found the same
  one_thread   ///< the machine's cores have one hardware thread each
};
/// "nothing", "two-levels", "throughput", "earlier", "one-thread", and back.
std::string to_text(AloneBecause reason);
std::optional<AloneBecause> parse_alone_because(std::string_view text);

/// What is known of one CPU.
struct CoreLevel {
  int cpu = 0;
  double alone = 0;     ///< time of an independent addition over that of a step of the chain, while the core is alone
  Nanoseconds chain{};  ///< of a step, at the usual clock
  AloneBecause because = AloneBecause::nothing;
  std::int64_t readings = 0;        ///< that it rests on
  std::int64_t readings_alone = 0;  ///< of them
};

/// How many readings fell where, by the logarithm of a value: bins of half a per cent.
class LevelCounts {
 public:
  void add(double value);
  std::int64_t size() const { return size_; }
  /// The middle of the lowest accumulation: of the first four per cent that hold `share` of all, and 6, moved up as
  /// long as that holds more.
  std::optional<double> lowest(double share) const;
  /// The middle of the four per cent that hold most.
  std::optional<double> fullest() const;
  /// Readings from `least` on.
  std::int64_t from(double least) const;

 private:
  std::int64_t within(int bin) const;
  int climb(int bin) const;

  std::map<int, std::int64_t> bins_;
  std::int64_t size_ = 0;
};

/// Learns by CPU, since kinds of cores differ, over everything that a session measures, since its points share one
/// machine. A reading is compared with what the same core yields alone at the same clock: throughput over latency, so
/// that a change of the clock is no neighbour.
class CoreLevels {
 public:
  /// `cycles_per_step` of the chain; 0 where it is not known. `one_thread`: no core of this machine can be shared.
  explicit CoreLevels(int cycles_per_step = 0, bool one_thread = false)
      : cycles_per_step_(cycles_per_step), one_thread_(one_thread) {}

  /// A reading while no other member of the same measurement was at work. Readings that were not taken are passed over.
  void add(int cpu, const CoreReading& reading);
  /// What an earlier session found on this machine. What it did not see alone either confirms nothing.
  void confirm(const CoreLevel& earlier);
  /// Of a CPU with 20 readings at least, or one that an earlier session knew.
  std::optional<CoreLevel> level(int cpu) const;
  /// Of all CPUs that have one, ascending.
  std::vector<CoreLevel> levels() const;
  /// `alone` up to 1.04 times the level; unknown where nothing says that the level is that of a core alone.
  Sharing judge(int cpu, const CoreReading& reading) const;
  /// The clock over the usual one of this CPU; 1 where either is not known.
  double clock_ratio(int cpu, Nanoseconds chain) const;
  /// In GHz; 0 where it is not known how many cycles a step takes.
  double clock_ghz(Nanoseconds chain) const;
  int cycles_per_step() const { return cycles_per_step_; }
  /// Changes whenever a level that is used changes by more than 1 %: what was judged before may be judged otherwise.
  std::int64_t version() const { return version_; }

 private:
  struct Core {
    LevelCounts costs;   ///< wide over chain
    LevelCounts chains;  ///< while it was alone by the level then
    std::optional<CoreLevel> earlier;
    CoreLevel used;
    std::int64_t next_look = 20;  ///< readings
  };
  void learn(int cpu, Core& core);
  AloneBecause why(const Core& core, double alone) const;

  int cycles_per_step_;
  bool one_thread_;
  std::map<int, Core> cores_;
  std::int64_t version_ = 0;
};

}  // namespace assay
