// SPDX-License-Identifier: Apache-2.0
// Room: values that all layers use: units, points, batches, errors; installed for plugins.
// A batch as the members report it: claims and guards, before anyone judges them.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core_reading.hpp"
#include "base/quantity.hpp"
#include "base/units.hpp"

namespace assay {

/// What the members provably did during a batch. `solo` where there is only one; `preempted` where they shared a CPU
/// and nearly always the same one was preempted, by a member that it had woken.
enum class Regime : std::uint8_t { solo, spin, blocked, mixed, preempted };
std::string to_text(Regime regime);
std::optional<Regime> parse_regime(std::string_view text);
/// Whether members neither all polled nor all slept.
inline bool is_between(Regime regime) { return regime == Regime::mixed || regime == Regime::preempted; }

/// Over how many CPUs the scheduler spread what was free to move: unbound members, or what the action started.
/// `unknown` where it was bound, or nothing says.
enum class Spread : std::uint8_t { unknown, one_cpu, own_cpus, varied };
/// "unknown", "one-cpu" (all on the same), "own-cpus" (each on one of its own), "varied" (it changed meanwhile, or some
/// were together), and back.
std::string to_text(Spread spread);
std::optional<Spread> parse_spread(std::string_view text);

/// Why a batch is left out of the estimate. A set: several causes can meet.
enum class Disturbance : std::uint8_t {
  switched,
  migrated,
  stolen,
  clock,
  partner,
  fault,
  throttled,
  asleep,
  speed,
  late
};
inline constexpr std::size_t disturbance_count = 10;
using Disturbances = std::bitset<disturbance_count>;
/// "switched", "migrated", "stolen" (wall time without CPU time), "clock" (anomaly), "partner" (not running), "fault";
/// "late" (a rank came late to an agreed start); of a whole visit: "throttled" (by a quota or by heat), "asleep" (the
/// machine). "speed" (of the core changed) stands in journals of before only: that is a state now.
std::string to_text(Disturbance cause);
std::optional<Disturbance> parse_disturbance(std::string_view text);

/// How many batches each cause disturbed; a batch may count for several.
using DisturbanceCounts = std::array<std::size_t, disturbance_count>;
/// "switched 12, stolen 3", the causes that occurred; empty for none.
std::string to_text(const DisturbanceCounts& counts);

/// A reference round trip beside a visit that takes longer is no distance of cores: the partner was not running.
inline constexpr Nanoseconds longest_distance = microseconds(3);

/// One member's part of a batch. Counters are differences over the member's run, taken outside the timed region.
struct MemberReport {
  Claims claims;
  std::int64_t voluntary = 0;    ///< voluntary context switches
  std::int64_t involuntary = 0;  ///< involuntary context switches
  std::int64_t major_faults = 0;
  int cpu_before = -1;
  int cpu_after = -1;
  Nanoseconds cpu{};          ///< thread CPU time
  Nanoseconds wall{};         ///< wall time over the same window
  std::int64_t beats = 0;     ///< heartbeat increments, 0 where the measurement has none
  Nanoseconds late{};         ///< by how much it came late to an agreed start; 0 where there was none
  CoreReading core_before{};  ///< of its core, right before the batch and right after it
  CoreReading core_after{};
};

/// One batch: `reps` repetitions, timed once by every member. `members` is indexed by rank.
struct Batch {
  Reps reps;
  std::vector<MemberReport> members;
  bool shares_cpus = false;  ///< members were ranks that give their CPUs up while they wait
};

/// Of the members' wall times.
Nanoseconds slowest_wall(const Batch& batch);

/// Whether a member's claim of a quantity enters the observation.
bool counts(const Quantity& quantity, std::size_t rank);
/// The claims of a batch for its quantity `index`, combined over the members that count, before anything is divided.
/// Nothing when one of them claimed nothing, or no number (which would hide in a maximum).
std::optional<double> combined_claims(const Batch& batch, const Quantity& quantity, std::size_t index);

/// What `judge` (team/batch_classifier.hpp) makes of a batch.
struct Judgement {
  Regime regime = Regime::solo;
  Disturbances disturbed;
  Spread spread = Spread::unknown;
};

/// A batch with its judgement: the unit that the journal keeps.
struct JudgedBatch {
  Batch batch;
  Judgement judgement;
};

}  // namespace assay
