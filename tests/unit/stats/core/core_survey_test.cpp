// SPDX-License-Identifier: Apache-2.0
// What a survey of planted cores finds; no time passes.
#include "stats/core/core_survey.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr Nanoseconds turn_time = microseconds(530);

/// A machine of two CPUs that others share, too.
struct PlantedCores {
  bool one_core = false;  ///< of both CPUs
  double outsiders = 0;   ///< share of the time that other work is on a core
  Nanoseconds stay = milliseconds(2);
  double additions = 4;  ///< per cycle, alone
  double clock_ghz = 3;
  double slow_clock = 0;  ///< share of the turns at 2 GHz
  double trip = 100;
  double moved = 0;  ///< share of the time that the host has both CPUs on one core
};

/// Plays the timetable of a pair on it.
class Played {
 public:
  explicit Played(const PlantedCores& planted, int visits = 200, std::uint64_t seed = 5)
      : planted_(planted), rng_(seed) {
    for (int visit = 0; visit < visits; ++visit) {
      const bool one_core = planted.one_core || rng_.uniform() < planted.moved;
      for (const auto& workers : {std::vector{0}, {0, 1}, {1}, {0, 1}, {0}, {0, 1}, {1}, {}}) take(workers, one_core);
      trips.push_back({0, 1, {planted.trip * (1 + 0.02 * rng_.normal())}});
    }
  }
  CoreSurvey survey(int cycles = 3, bool one_thread = false) const {
    return survey_of(turns, trips, CoreLevels(cycles, one_thread));
  }
  /// Share of the readings without a partner that an outsider met.
  double met_outsiders() const { return met_ / all_; }
  std::vector<CoreTurn> turns;
  std::vector<FlagTrip> trips;

 private:
  void take(const std::vector<int>& workers, bool one_core) {
    const bool slow_clock = rng_.uniform() < planted_.slow_clock;
    const Nanoseconds begin = static_cast<double>(number_) * turn_time;
    std::map<int, CoreTurn> taken;
    for (const int cpu : workers)
      taken[cpu] = {cpu, workers.size() == 2 ? 1 - cpu : -1, static_cast<std::size_t>(number_), {}};
    for (Nanoseconds at{}; at < turn_time; at += microseconds(25))
      for (const int cpu : {0, 1}) {
        const bool outsider = is_outsider_on(cpu);
        if (!taken.contains(cpu)) continue;
        all_ += workers.size() == 1 ? 1 : 0;
        met_ += workers.size() == 1 && outsider ? 1 : 0;
        const bool shared = outsider || (one_core && workers.size() == 2);
        const double cycle = 1 / (slow_clock ? 2 : planted_.clock_ghz);
        const double wide = cycle / planted_.additions * (shared ? 1.8 : 1);
        taken[cpu].readings.push_back(
            {begin + at, {{wide * (1 + 0.004 * rng_.normal())}, {3 * cycle * (1 + 0.003 * rng_.normal())}}});
      }
    for (auto& [cpu, turn] : taken) turns.push_back(std::move(turn));
    ++number_;
  }
  bool is_outsider_on(int cpu) {
    if (rng_.uniform() < 1 - std::exp(-(microseconds(25) / planted_.stay)))
      outsider_[cpu] = rng_.uniform() < planted_.outsiders;
    return outsider_[cpu];
  }

  PlantedCores planted_;
  Rng rng_;
  int number_ = 0;
  double all_ = 0;
  double met_ = 0;
  std::map<int, bool> outsider_;
};

CoreBond bond_of(const PlantedCores& planted) { return Played(planted).survey().pairs.at(0).bond; }

TEST(CoreSurvey, TwoThreadsOfOneCoreAreToldFromTwoCores) {
  EXPECT_EQ(bond_of({.one_core = true}), CoreBond::one_core);
  EXPECT_EQ(bond_of({.one_core = false}), CoreBond::own_cores);
  const PairFinding pair = Played({.one_core = true}).survey().pairs.at(0);
  EXPECT_NEAR(pair.yield_a, 1 / 1.8, 0.02);
  EXPECT_NEAR(pair.yield_b, 1 / 1.8, 0.02);
  EXPECT_NEAR(Played({}).survey().pairs.at(0).yield_a, 1, 0.02);
}

TEST(CoreSurvey, OthersAreNotMistakenForThePartner) {
  for (const double outsiders : {0.1, 0.3, 0.5, 0.8, 0.95})
    for (const Nanoseconds stay : {microseconds(200), milliseconds(0.6), milliseconds(2), milliseconds(20)}) {
      const auto where = ::testing::Message() << outsiders << " " << stay.count;
      EXPECT_NE(bond_of({.one_core = false, .outsiders = outsiders, .stay = stay}), CoreBond::one_core) << where;
      EXPECT_NE(bond_of({.one_core = true, .outsiders = outsiders, .stay = stay}), CoreBond::own_cores) << where;
    }
  EXPECT_EQ(bond_of({.one_core = true, .outsiders = 0.3}), CoreBond::one_core);
  EXPECT_EQ(bond_of({.one_core = false, .outsiders = 0.3}), CoreBond::own_cores);
}

/// Readings of these costs, 25 us apart from the `first` on.
CoreTurn turn_of(int cpu, int partner, std::size_t number, const std::vector<double>& costs, int first = 0) {
  CoreTurn turn{cpu, partner, number, {}};
  for (std::size_t i = 0; i < costs.size(); ++i)
    turn.readings.push_back(
        {static_cast<double>(number) * turn_time + (first + static_cast<double>(i)) * microseconds(25),
         {{costs[i]}, {1}}});
  return turn;
}

constexpr double fast_turn = 0.08;
constexpr double slow_turn = 0.144;

/// Each CPU at one cost before and after, both at another together.
void add_trials(std::vector<CoreTurn>& turns, int count, double apart, double together) {
  for (int i = 0; i < count; ++i) {
    const std::size_t number = turns.empty() ? 1 : turns.back().number + 2;
    turns.push_back(turn_of(0, -1, number, std::vector(20, apart)));
    turns.push_back(turn_of(0, 1, number + 1, std::vector(20, together)));
    turns.push_back(turn_of(1, 0, number + 1, std::vector(20, together)));
    turns.push_back(turn_of(1, -1, number + 2, std::vector(20, apart)));
  }
}

TEST(CoreSurvey, WhoComesWithBothAsOftenAsHeLeavesIsNoPartner) {
  const auto bond_after = [](int slowed, int quickened) {
    std::vector<CoreTurn> turns;
    add_trials(turns, slowed, fast_turn, slow_turn);
    add_trials(turns, quickened, slow_turn, fast_turn);
    const PairFinding pair = survey_of(turns, {}, CoreLevels(3)).pairs.at(0);
    EXPECT_EQ(pair.slowed, static_cast<std::size_t>(slowed));
    EXPECT_EQ(pair.quickened, static_cast<std::size_t>(quickened));
    return pair.bond;
  };
  EXPECT_EQ(bond_after(20, 0), CoreBond::one_core);
  EXPECT_EQ(bond_after(20, 2), CoreBond::one_core);
  EXPECT_EQ(bond_after(20, 20), CoreBond::not_clear);
  EXPECT_EQ(bond_after(7, 0), CoreBond::not_clear);
}

TEST(CoreSurvey, OnlyWhileBothAreAtWorkAreTheyTogether) {
  std::vector<CoreTurn> turns;
  add_trials(turns, 20, fast_turn, slow_turn);
  for (CoreTurn& turn : turns) {
    if (turn.partner < 0) continue;
    std::vector<double> costs(20, slow_turn);
    if (turn.cpu == 0) std::fill_n(costs.begin(), 14, fast_turn);
    // The other one wakes up late.
    turn =
        turn.cpu == 0 ? turn_of(0, 1, turn.number, costs) : turn_of(1, 0, turn.number, std::vector(6, slow_turn), 14);
  }
  EXPECT_EQ(survey_of(turns, {}, CoreLevels(3)).pairs.at(0).slowed, 20U);
}

TEST(CoreSurvey, WhatChangesIsNotClear) {
  const PairFinding pair = Played({.moved = 0.4}).survey().pairs.at(0);
  EXPECT_EQ(pair.bond, CoreBond::not_clear);
  EXPECT_GT(pair.slowed, 100U);
  EXPECT_GT(pair.undisturbed, 100U);
}

TEST(CoreSurvey, AFewStretchesSayNothing) {
  EXPECT_EQ(Played({.one_core = true}, 2).survey().pairs.at(0).bond, CoreBond::not_clear);
  EXPECT_EQ(Played({.one_core = true}, 3).survey().pairs.at(0).bond, CoreBond::one_core);
}

TEST(CoreSurvey, APartnerWhoCameLateIsNoPartner) {
  Played played({.one_core = true});
  for (CoreTurn& turn : played.turns)
    if (turn.cpu == 1) turn.readings.clear();
  const CoreSurvey survey = played.survey();
  EXPECT_EQ(survey.pairs.at(0).bond, CoreBond::not_clear);
  EXPECT_EQ(survey.pairs.at(0).yield_a, 0);
  ASSERT_EQ(survey.cores.size(), 1U);
  EXPECT_EQ(survey.cores[0].cpu, 0);
}

TEST(CoreSurvey, SharesOfTheTimeAreThePlantedOnes) {
  for (const double outsiders : {0.0, 0.2, 0.6}) {
    const Played played({.outsiders = outsiders});
    const auto cores = played.survey().cores;
    ASSERT_EQ(cores.size(), 2U);
    for (const CoreFinding& core : cores) {
      ASSERT_NE(core.because, AloneBecause::nothing);
      ASSERT_TRUE(core.stays_alone);
      EXPECT_LE(*core.stays_alone, 1 - core.shared + 0.01);
      EXPECT_GE(*core.stays_alone, 1 - core.shared - 0.08);
    }
    EXPECT_NEAR((cores[0].shared + cores[1].shared) / 2, played.met_outsiders(), 0.01) << outsiders;
  }
}

TEST(CoreSurvey, ShortStaysLeaveFewBatchesAlone) {
  const CoreFinding core = Played({.outsiders = 0.5, .stay = microseconds(60)}).survey().cores.at(0);
  EXPECT_NEAR(core.shared, 0.5, 0.08);
  EXPECT_LT(*core.stays_alone, 0.4);
}

TEST(CoreSurvey, ACoreNobodyKnowsAloneHasNoShares) {
  // Two additions per cycle are what half a core yields as well, and it never yielded less or more.
  const CoreSurvey survey = Played({.additions = 2}).survey();
  for (const CoreFinding& core : survey.cores) {
    EXPECT_EQ(core.because, AloneBecause::nothing);
    EXPECT_FALSE(core.stays_alone);
  }
  EXPECT_EQ(survey.pairs.at(0).bond, CoreBond::not_clear);
  EXPECT_EQ(Played({.additions = 2}).survey(3, true).pairs.at(0).bond, CoreBond::own_cores);
}

TEST(CoreSurvey, APartnerOnTheCoreTellsWhatItYieldsAlone) {
  const CoreSurvey survey = Played({.one_core = true, .additions = 2}).survey();
  EXPECT_EQ(survey.pairs.at(0).bond, CoreBond::one_core);
  for (const CoreFinding& core : survey.cores) {
    EXPECT_EQ(core.because, AloneBecause::two_levels);
    EXPECT_LT(core.shared, 0.01);
  }
}

TEST(CoreSurvey, ClocksAndDistancesHaveLevels) {
  Played played({.slow_clock = 0.3});
  for (int i = 0; i < 100; ++i) played.trips.push_back({1, 0, {400}});
  played.trips.push_back({0, 1, {9000}});
  const CoreSurvey survey = played.survey();
  const auto& chains = survey.cores.at(0).chains;
  ASSERT_EQ(chains.size(), 2U);
  EXPECT_NEAR(chains[0].value, 1, 0.01);
  EXPECT_NEAR(chains[0].share, 0.7, 0.06);
  EXPECT_NEAR(chains[1].value, 1.5, 0.015);
  const auto& distances = survey.pairs.at(0).distances;
  ASSERT_EQ(distances.size(), 2U);
  EXPECT_NEAR(distances[0].value, 100, 5);
  EXPECT_NEAR(distances[1].value, 400, 1);
  EXPECT_NEAR(distances[1].share, 100 / 301.0, 1e-9);
}

TEST(CoreSurvey, NothingReadIsNothingFound) {
  const CoreSurvey survey = survey_of({}, {}, CoreLevels(3));
  EXPECT_TRUE(survey.cores.empty());
  EXPECT_TRUE(survey.pairs.empty());
}

TEST(CoreSurvey, OnlyTimeAloneYieldsResults) {
  EXPECT_NEAR(times_as_long(0.5).value_or(0), 2, 1e-12);
  EXPECT_NEAR(times_as_long(1).value_or(0), 1, 1e-12);
  EXPECT_FALSE(times_as_long(0.049));
  EXPECT_FALSE(times_as_long(0));
}

}  // namespace
}  // namespace assay
