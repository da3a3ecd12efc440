// SPDX-License-Identifier: Apache-2.0
// What a survey of the cores found: how often each is shared, its clock, which CPUs share one, how far they are apart.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "base/core_reading.hpp"
#include "stats/core/core_levels.hpp"

namespace assay {

/// A turn of one CPU: it worked for half a millisecond, and at most one other CPU of the survey with it.
struct CoreTurn {
  /// What its core yielded at a moment.
  struct Reading {
    Nanoseconds at{};  ///< since the survey's start
    CoreReading core;
  };
  int cpu = 0;
  int partner = -1;               ///< which was to work at the same time; -1: none
  std::size_t number = 0;         ///< in the timetable; turns that follow on each other are neighbours in time
  std::vector<Reading> readings;  ///< ascending, some 25 us apart; few or none where the thread came late
};

/// The round trip of flags between two CPUs.
struct FlagTrip {
  int a = 0;
  int b = 0;
  Nanoseconds trip{};
};

/// A value that a CPU or a pair was found at, and how often.
struct SeenLevel {
  double value = 0;
  double share = 0;
};

/// What was found of one CPU while the others of the survey slept.
struct CoreFinding {
  int cpu = 0;
  std::size_t readings = 0;
  AloneBecause because = AloneBecause::nothing;  ///< why it is known what it yields alone; nothing: it is not
  double shared = 0;                             ///< share of the readings; no meaning where that is not known
  std::optional<double> stays_alone;             ///< share of 0.1 ms, a batch's time, that it was alone at both ends of
  std::vector<SeenLevel> chains;                 ///< ns of a step of the chain, with the clock; most frequent first
};

/// Whether two CPUs are hardware threads of one core.
enum class CoreBond { one_core, own_cores, not_clear };

/// What was found of two CPUs.
struct PairFinding {
  int a = 0;
  int b = 0;
  CoreBond bond = CoreBond::not_clear;
  std::size_t slowed = 0;       ///< trials in which both were slow together, and fast before and after it
  std::size_t undisturbed = 0;  ///< in which neither was
  std::size_t quickened = 0;    ///< in which both were fast together, and slow before and after: others' doing
  double yield_a = 0;           ///< throughput of both at once over that alone, median; 0 where nothing was clear
  double yield_b = 0;
  std::vector<SeenLevel> distances;  ///< ns of a round trip; most frequent first
};

/// All of it.
struct CoreSurvey {
  std::vector<CoreFinding> cores;  ///< ascending
  std::vector<PairFinding> pairs;  ///< ascending
  int cycles_per_step = 0;         ///< of the chain; 0: not known
};

/// What the turns and trips say. `levels` is fresh; it learns from turns without a partner what a core yields alone.
///
/// Two CPUs share a core where both are slow together (1.3 times) and each of them is fast in the turn before or after
/// by itself, in eight trials at least. Other work has that effect by chance as often as the opposite, to
/// be slow before and after and fast together, which is counted against it. They have cores of their own where eight
/// trials were undisturbed, with cores known to be alone, and no more were slow together than by chance.
CoreSurvey survey_of(const std::vector<CoreTurn>& turns, const std::vector<FlagTrip>& trips, CoreLevels levels);

/// By how much longer a campaign of one member takes on a core that is alone for this share of the time: only that
/// time yields results, so one over it. Nothing where it is less than a twentieth: that is no forecast.
std::optional<double> times_as_long(double stays_alone);

}  // namespace assay
