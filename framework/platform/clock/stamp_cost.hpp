// SPDX-License-Identifier: Apache-2.0
// What two time stamps around a piece of work add to its time, from the times of work of two lengths.
#pragma once
#include <array>
#include <cstddef>
#include <span>

namespace assay {

/// The mean of the times, in ns, up to a quarter above the shortest: what took longer was interrupted. Of no middle
/// part: times are whole steps of the clock, a fortieth of them each, and the middle of two steps is not their mean. At
/// least one.
double mean_of_uninterrupted(std::span<const double> times) noexcept;

/// What is left of the time of work when the time per piece of it is taken off, which follows from the times of one
/// piece and of `pieces` (more than one). In ns.
double cost_left_over(std::span<const double> of_one, std::span<const double> of_several, int pieces) noexcept;

/// A trial, and what independent additions took beside it, in ns each: more where others use the core.
struct StampTrial {
  double wide = 0;
  double cost = 0;
};

/// Those in which the core yielded most.
class StampTrials {
 public:
  void add(const StampTrial& trial) noexcept;
  /// What time stamps cost beside work, in ns: the median over the trials whose additions took up to a tenth more than
  /// the least, and over the best five where those are fewer. At least one trial.
  double cost() const noexcept;
  /// Whether additions of this time tell of a core that yields far more than in those: others were on it then, which
  /// makes time stamps slower, and what they cost less certain.
  bool are_outdated_by(double wide) const noexcept;

 private:
  /// By time of the additions.
  std::span<const StampTrial> used() const noexcept;
  std::array<StampTrial, 11> best_{};
  std::size_t size_ = 0;
};

}  // namespace assay
