// SPDX-License-Identifier: Apache-2.0
// Tests of suspects against healthy partners, and the verdict on each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "stats/sample/summary.hpp"
#include "stats/screening/suspects.hpp"

namespace assay {

/// A test that is made for a suspect, or for the level of healthy pairs.
struct ConfirmationTest {
  static constexpr std::size_t control = static_cast<std::size_t>(-1);
  Match pair;
  std::size_t suspect = control;  ///< index among the suspects
  std::size_t repetition = 0;     ///< tests of one number were made at about the same time
};

/// Which tests confirm which suspects.
class ConfirmationPlan {
 public:
  /// Partners are nodes that are no suspects, in no suspect switch or group, and near to what most are.
  ConfirmationPlan(const Fabric& fabric, std::span<const Suspect> suspects, const PairModel& model, std::uint64_t seed);

  /// The tests of one repetition: of each suspect numbered here one, in which a switch or group is represented by a
  /// node of it that is no suspect itself; and controls between healthy nodes, a tenth as many, four at least. Suspects
  /// without a healthy partner have none.
  std::vector<ConfirmationTest> tests(std::span<const std::size_t> suspects, std::size_t repetition) const;

  /// The tests in rounds such that each of them is alone on its two leaf switches. Where switches are not known, at
  /// most one pair of 32 nodes is in a round.
  std::vector<std::vector<ConfirmationTest>> rounds(std::span<const ConfirmationTest> tests) const;

 private:
  void choose_healthy(const PairModel& model);
  void add_ends(const FabricUnit& unit);
  std::size_t partner_for(std::size_t node, const FabricUnit& unit, Rng& rng) const;
  std::optional<Match> pair_for(std::size_t suspect, Rng& rng) const;

  const Fabric& fabric_;
  std::span<const Suspect> suspects_;
  std::uint64_t seed_;
  std::vector<std::size_t> clean_;                ///< no suspects by themselves: may stand for a switch that is one
  std::vector<std::size_t> healthy_;              ///< partners
  std::vector<std::vector<std::size_t>> ends_;    ///< by suspect: nodes that stand for it
  std::vector<std::vector<std::size_t>> others_;  ///< by suspect, of trunks and pairs: nodes of the other end
};

/// What is found of a suspect. Closed list.
enum class ScreenVerdict : std::uint8_t {
  slow,       ///< significantly, among all that were tested again, and by more than the margin
  cleared,    ///< the upper bound of its effect is below the margin, or a first repetitions showed nothing
  explained,  ///< it is within the margin once what it belongs to is taken into account
  unclear     ///< undecided
};
/// "slow", "ok", "explained", "unclear".
std::string_view to_text(ScreenVerdict verdict);

/// A suspect after its confirmations.
struct Confirmed {
  Suspect suspect;
  ScreenVerdict verdict = ScreenVerdict::unclear;
  std::size_t tests = 0;
  double ratio = 1;   ///< times as long as healthy ones
  Interval interval;  ///< of the ratio, 95 %
  double p = 1;       ///< of an effect of half the margin at most, adjusted for all suspects
};

struct ConfirmationOptions {
  double margin = 0.05;       ///< smallest effect that matters, relative
  double alpha = 0.005;       ///< probability that anything healthy is reported
  std::size_t chosen_by = 0;  ///< the first repetitions, by which suspects were given up: they are high in those kept
};

/// The time of a test, NaN where there is none; without the level of its distance.
struct ConfirmationTime {
  ConfirmationTest test;
  double log_time = 0;
};

/// Judges all suspects, by their confirmations only: the tests that made them suspects were chosen by their values, and
/// count no more (screening and cleaning on different data: Wasserman and Roeder, High-dimensional variable selection,
/// Annals of Statistics 37, 2009). So it is enough to adjust for the suspects, whatever the number of units: by Holm's
/// procedure (A Simple Sequentially Rejective Multiple Test Procedure, 1979), which bounds the probability of any false
/// report, and so the share of false ones that Benjamini and Hochberg bound. What was given up early counts as tested.
///
/// A suspect's effect is the 25 % trimmed mean of its tests over those of controls and of the same repetition, less the
/// effects of larger units that are slow; its error that of Tukey and McLaughlin, shrunk towards the usual one of
/// suspects (Smyth 2004), times what autocorrelation between repetitions adds (of first order, of all suspects
/// together, without what they were chosen by), and the error of the controls. Student's t, one-sided, against half of
/// the margin, up to which healthy units may differ.
std::vector<Confirmed> judge_confirmations(std::span<const Suspect> suspects, const Fabric& fabric,
                                           std::span<const ConfirmationTime> times,
                                           std::span<const std::size_t> given_up, const ConfirmationOptions& options);

/// The trimmed means of the suspects' tests over those of controls, in log: for the decision whom to give up.
std::vector<double> effects_so_far(std::size_t suspects, std::span<const ConfirmationTime> times);

}  // namespace assay
