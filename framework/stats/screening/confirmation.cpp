// SPDX-License-Identifier: Apache-2.0
// Effects of suspects over those of controls, larger units first, and Holm's procedure.
#include "stats/screening/confirmation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "stats/sample/distribution.hpp"

namespace assay {
namespace {

using Values = std::vector<double>;

constexpr std::size_t fewest_tests = 4;
constexpr int passes = 5;

/// Tests by suspect, in the order of repetitions, over the level of healthy pairs.
class Levelled {
 public:
  Levelled(std::size_t suspects, std::span<const ConfirmationTime> times) : suspects_(suspects), of_row_(suspects + 1) {
    for (const ConfirmationTime& time : times)
      if (std::isfinite(time.log_time)) used_.push_back(&time);
    // A common drift is found by what all tests of a repetition have in common; controls alone are few.
    polish();
    for (const ConfirmationTime* time : used_)
      of_row_[row_of(*time)].push_back(time->log_time - repetition_[time->test.repetition]);
    const Values& controls = of_row_.back();
    if (controls.empty()) return;
    const TrimmedMean level = trimmed_mean(controls);
    level_error_ = level.standard_error;
    for (std::size_t row = 0; row < suspects_; ++row)
      for (double& value : of_row_[row]) value -= level.value;
  }

  const Values& of(std::size_t suspect) const { return of_row_[suspect]; }
  double level_error() const { return level_error_; }

 private:
  std::size_t row_of(const ConfirmationTime& time) const {
    return time.test.suspect == ConfirmationTest::control ? suspects_ : time.test.suspect;
  }

  /// Median polish of suspects by repetitions.
  void polish() {
    Values row(suspects_ + 1, 0.0);
    for (const ConfirmationTime* time : used_)
      repetition_.resize(std::max(repetition_.size(), time->test.repetition + 1), 0.0);
    for (int pass = 0; pass < passes; ++pass) {
      update(row, [&](const ConfirmationTime& time) {
        return std::pair(row_of(time), time.log_time - repetition_[time.test.repetition]);
      });
      update(repetition_, [&](const ConfirmationTime& time) {
        return std::pair(time.test.repetition, time.log_time - row[row_of(time)]);
      });
    }
  }

  template <class Entry>
  void update(Values& effects, Entry entry) const {
    std::vector<Values> values(effects.size());
    for (const ConfirmationTime* time : used_) {
      const auto [key, value] = entry(*time);
      values[key].push_back(value);
    }
    for (std::size_t i = 0; i < effects.size(); ++i)
      if (!values[i].empty()) effects[i] = median(std::move(values[i]));
  }

  std::size_t suspects_;
  std::vector<const ConfirmationTime*> used_;
  std::vector<Values> of_row_;
  Values repetition_;
  double level_error_ = 0;
};

/// Variance of a mean over that of independent values, from what neighbouring repetitions of all suspects have in
/// common, in the winsorised values: heavy tails do not count twice.
double inflation_of(const Levelled& levelled, std::size_t suspects, std::size_t chosen_by) {
  double product = 0;
  double square = 0;
  double series = 0;
  double count = 0;
  for (std::size_t i = 0; i < suspects; ++i) {
    Values values = levelled.of(i);
    if (values.size() < chosen_by + 2 * fewest_tests) continue;
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(chosen_by));
    const Values kept = trimmed_mean(values).winsorised;
    const double mean = std::accumulate(kept.begin(), kept.end(), 0.0) / static_cast<double>(kept.size());
    for (std::size_t k = 0; k < kept.size(); ++k) {
      square += (kept[k] - mean) * (kept[k] - mean);
      if (k > 0) product += (kept[k] - mean) * (kept[k - 1] - mean);
    }
    count += static_cast<double>(kept.size());
    ++series;
  }
  if (!(square > 0)) return 1;
  // The mean is of the same values, which makes the autocorrelation of each series too small by about one over n.
  const double usual = series / count;
  const double correlation = std::min(0.9, product / square + usual);
  return correlation > 0 ? (1 + correlation) / (1 - correlation) : 1;
}

/// A suspect's effect with its error, in log.
struct Effect {
  double value = 0;
  double error = 0;
  double freedom = 1;
  bool is_known = false;
};

/// The variance of one test, and how well it is known.
struct Variance {
  double value = 0;
  double freedom = 0;
};

/// What the variances of suspects are shrunk towards, with the degrees of freedom that it counts for: as many as their
/// logarithms spread by no more than those of equal variances would (Smyth, Linear models and empirical Bayes methods,
/// Statistical Applications in Genetics and Molecular Biology 3, 2004; by medians). The trigamma function is taken by
/// two terms of its series.
Variance usual_variance(const std::vector<Variance>& all) {
  constexpr std::size_t fewest = 8;
  constexpr double most_freedom = 100;
  double longest = 0;
  for (const Variance& one : all) longest = std::max(longest, one.freedom);
  Values logs;
  for (const Variance& one : all)
    if (one.freedom == longest && one.value > 0) logs.push_back(std::log(one.value));
  if (logs.size() < fewest) return {};
  const double half = longest / 2;
  const double spread = robust_deviation(logs);
  const double excess = spread * spread - (1 / half + 0.5 / (half * half));
  return {std::exp(median(logs)), excess > 0 ? std::min(most_freedom, 2 / excess + 1) : most_freedom};
}

class Judge {
 public:
  Judge(std::span<const Suspect> suspects, const Fabric& fabric, std::span<const ConfirmationTime> times,
        std::span<const std::size_t> given_up, const ConfirmationOptions& options)
      : suspects_(suspects),
        fabric_(fabric),
        options_(options),
        levelled_(suspects.size(), times),
        given_up_(given_up.begin(), given_up.end()),
        effects_(suspects.size()),
        shifts_(suspects.size(), 0.0) {
    const double inflation = inflation_of(levelled_, suspects.size(), options.chosen_by);
    std::vector<Variance> variances(suspects.size());
    for (std::size_t i = 0; i < suspects.size(); ++i) {
      const Values& values = levelled_.of(i);
      if (values.size() < fewest_tests) continue;
      const TrimmedMean mean = trimmed_mean(values);
      effects_[i] = {mean.value, 0, mean.degrees_of_freedom, true};
      variances[i] = {mean.standard_error * mean.standard_error * static_cast<double>(values.size()),
                      mean.degrees_of_freedom};
    }
    const Variance usual = usual_variance(variances);
    for (std::size_t i = 0; i < suspects.size(); ++i) {
      if (!effects_[i].is_known) continue;
      const double freedom = usual.freedom + variances[i].freedom;
      const double each = (usual.value * usual.freedom + variances[i].value * variances[i].freedom) / freedom;
      effects_[i].freedom = freedom;
      effects_[i].error = std::hypot(std::sqrt(each * inflation / static_cast<double>(levelled_.of(i).size())),
                                     levelled_.level_error());
    }
  }

  /// Larger units first: what they explain is not their parts'. Holm's steps are over all suspects, whose p-values
  /// without anything explained are the smallest that they can have.
  std::vector<Confirmed> judged() {
    std::vector<Confirmed> found(suspects_.size());
    const Values adjusted = holm();
    for (int kind = 0; kind <= static_cast<int>(UnitKind::pair); ++kind)
      for (std::size_t i = 0; i < suspects_.size(); ++i)
        if (static_cast<int>(suspects_[i].unit.kind) == kind) found[i] = judged(i, adjusted[i], found);
    return found;
  }

 private:
  double tail(const Effect& effect, double value) const {
    const double least = std::log1p(options_.margin) / 2;
    if (!effect.is_known || value <= least || given_up_.contains(index_of(effect))) return 1;
    if (!(effect.error > 0)) return 0;
    const double t = (value - least) / effect.error;
    return fisher_above(t * t, 1, effect.freedom) / 2;
  }
  std::size_t index_of(const Effect& effect) const { return static_cast<std::size_t>(&effect - effects_.data()); }

  Values holm() const {
    std::vector<std::size_t> order(suspects_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Values p;
    for (const Effect& effect : effects_) p.push_back(tail(effect, effect.value));
    std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
    Values adjusted(p.size(), 1.0);
    double largest = 0;
    for (std::size_t step = 0; step < order.size(); ++step) {
      largest = std::max(largest, std::min(1.0, p[order[step]] * static_cast<double>(order.size() - step)));
      adjusted[order[step]] = largest;
    }
    return adjusted;
  }

  bool is_in(const FabricUnit& larger, std::size_t node) const {
    if (larger.kind == UnitKind::group) return fabric_.group_of(node) == larger.first;
    if (larger.kind == UnitKind::leaf) return fabric_.leaf_of(node) == larger.first;
    return larger.kind == UnitKind::node && node == larger.first;
  }

  /// Whether a unit is part of every test of the other one, which is smaller.
  bool explains(const FabricUnit& larger, const FabricUnit& unit) const {
    const bool is_of_group = larger.kind == UnitKind::group;
    switch (unit.kind) {
      case UnitKind::group:
        return false;
      case UnitKind::leaf:
        return is_of_group && fabric_.group_of_leaf(unit.first) == larger.first;
      case UnitKind::trunk:
        return is_of_group && (larger.first == unit.first || larger.first == unit.second);
      case UnitKind::node:
        return larger.kind != UnitKind::node && is_in(larger, unit.first);
      case UnitKind::pair:
        break;
    }
    return larger.kind == UnitKind::trunk ? spans(larger, unit)
                                          : is_in(larger, unit.first) || is_in(larger, unit.second);
  }

  bool spans(const FabricUnit& trunk, const FabricUnit& pair) const {
    const std::size_t one = fabric_.group_of(pair.first);
    const std::size_t other = fabric_.group_of(pair.second);
    return std::min(one, other) == trunk.first && std::max(one, other) == trunk.second;
  }

  Confirmed judged(std::size_t i, double adjusted, const std::vector<Confirmed>& before) {
    Confirmed one{suspects_[i], ScreenVerdict::unclear, levelled_.of(i).size(), 1, {}, 1};
    Effect effect = effects_[i];
    if (!effect.is_known) return one;
    const bool is_explained = take_away(effect, suspects_[i].unit, before);
    const double half = student_quantile(0.975, effect.freedom) * effect.error;
    one.ratio = std::exp(effect.value);
    one.interval = {std::exp(effect.value - half), std::exp(effect.value + half), 0.95};
    one.p = is_explained ? std::min(1.0, std::max(adjusted, left_over(effect))) : adjusted;
    const double margin = std::log1p(options_.margin);
    if (one.p <= options_.alpha && effect.value >= margin) {
      one.verdict = ScreenVerdict::slow;
      shifts_[i] = effect.value;
    } else if (is_explained && effect.value < margin) {
      one.verdict = ScreenVerdict::explained;
    } else if (given_up_.contains(i) || effect.value + half < margin) {
      one.verdict = ScreenVerdict::cleared;
    }
    return one;
  }

  /// True where larger units explain some of it.
  bool take_away(Effect& effect, const FabricUnit& unit, const std::vector<Confirmed>& before) const {
    bool any = false;
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (!explains(suspects_[k].unit, unit)) continue;
      const double part = part_of(k, unit, before[k].verdict);
      if (!(part > 0)) continue;
      effect.value -= part;
      effect.error = std::hypot(effect.error, effects_[k].error);
      any = true;
    }
    return any;
  }

  /// What a larger unit takes away: its effect where it is slow. What nodes make of their pair counts without any
  /// verdict on them.
  double part_of(std::size_t larger, const FabricUnit& unit, ScreenVerdict verdict) const {
    if (verdict == ScreenVerdict::slow) return shifts_[larger];
    return unit.kind == UnitKind::pair && suspects_[larger].unit.kind == UnitKind::node ? effects_[larger].value : 0;
  }

  /// p of what larger units leave over, for all suspects together (Bonferroni).
  double left_over(const Effect& effect) const {
    const double least = std::log1p(options_.margin) / 2;
    if (effect.value <= least) return 1;
    const double t = (effect.value - least) / effect.error;
    return fisher_above(t * t, 1, effect.freedom) / 2 * static_cast<double>(suspects_.size());
  }

  std::span<const Suspect> suspects_;
  const Fabric& fabric_;
  ConfirmationOptions options_;
  Levelled levelled_;
  std::set<std::size_t> given_up_;
  std::vector<Effect> effects_;
  Values shifts_;  ///< of those that are slow
};

}  // namespace

std::string_view to_text(ScreenVerdict verdict) {
  constexpr std::array<std::string_view, 4> names{"slow", "ok", "explained", "unclear"};
  return names.at(static_cast<std::size_t>(verdict));
}

std::vector<Confirmed> judge_confirmations(std::span<const Suspect> suspects, const Fabric& fabric,
                                           std::span<const ConfirmationTime> times,
                                           std::span<const std::size_t> given_up, const ConfirmationOptions& options) {
  return Judge(suspects, fabric, times, given_up, options).judged();
}

std::vector<double> effects_so_far(std::size_t suspects, std::span<const ConfirmationTime> times) {
  const Levelled levelled(suspects, times);
  Values effects;
  for (std::size_t i = 0; i < suspects; ++i)
    effects.push_back(levelled.of(i).empty() ? 0 : trimmed_mean(levelled.of(i)).value);
  return effects;
}

}  // namespace assay
