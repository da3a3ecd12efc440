// SPDX-License-Identifier: Apache-2.0
// Units set apart one by one, each tested by ranks, while those that are left agree ever better.
#include "stats/comparison/outliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "stats/comparison/rank_tests.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

using Units = std::span<const std::vector<double>>;
using Indexes = std::vector<std::size_t>;

bool is_usable(const std::vector<double>& unit) {
  return !unit.empty() && std::ranges::all_of(unit, [](double value) { return std::isfinite(value); });
}

/// One search: the units, and what is known of them so far.
class Search {
 public:
  Search(Units units, const OutlierOptions& options) : units_(units), options_(options), findings_(units.size()) {
    by_ratio_ = !options.is_signed;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (!is_usable(units[i])) continue;
      agreeing_.push_back(i);
      by_ratio_ = by_ratio_ && std::ranges::all_of(units[i], [](double value) { return value > 0; });
    }
    usable_ = agreeing_.size();
  }

  std::vector<UnitFinding> findings() {
    while (const auto odd = most_certain()) {
      apart_.push_back(*odd);
      std::erase(agreeing_, *odd);
    }
    for (std::size_t i = 0; i < units_.size(); ++i)
      if (!is_usable(units_[i])) findings_[i].reason = "no estimates, or one that is not a finite number";
    for (const std::size_t unit : apart_) judge_apart(unit);
    for (const std::size_t unit : agreeing_) judge_agreeing(unit);
    return std::move(findings_);
  }

 private:
  /// The estimates of the units that agree, without those of one; of all for the number of units.
  std::vector<double> others_of(std::size_t unit) const {
    std::vector<double> pooled;
    for (const std::size_t i : agreeing_)
      if (i != unit) pooled.insert(pooled.end(), units_[i].begin(), units_[i].end());
    return pooled;
  }
  Shift shift_against_others(std::size_t unit) const { return shift_of({others_of(unit), units_[unit], !by_ratio_}); }

  bool is_beyond_margin(const Shift& shift, const std::vector<double>& others) const {
    return !holds(shift.value, others);
  }
  /// Symmetric: as many times more as less.
  bool holds(double shift, const std::vector<double>& others) const {
    if (by_ratio_) return shift <= 1 + options_.margin && shift >= 1 / (1 + options_.margin);
    return std::abs(shift) <= options_.margin * std::abs(median(others));
  }

  /// What is undecidable of two units: that one of them is far from where both are.
  bool is_far_from_the_middle(std::size_t unit) const {
    if (agreeing_.size() == 2) return true;
    std::vector<double> medians;
    for (const std::size_t i : agreeing_) medians.push_back(median(units_[i]));
    const double middle = median(medians);
    const double own = median(units_[unit]);
    return !holds(by_ratio_ ? own / middle : own - middle, medians);
  }

  /// Both of two units have the same p: that is one test.
  double tests() const {
    const std::size_t picked = agreeing_.size() == 2 ? 1 : agreeing_.size();
    return static_cast<double>(picked * std::max<std::size_t>(1, options_.family));
  }

  /// The unit to be set apart next: of those that differ, the one of which it is surest.
  std::optional<std::size_t> most_certain() {
    std::optional<std::size_t> found;
    if (agreeing_.size() < 2) return found;
    Ranking ranking(others_of(units_.size()));
    for (const std::size_t unit : agreeing_) {
      UnitFinding& finding = findings_[unit];
      finding.p = std::min(1.0, ranking.p_of(units_[unit]) * tests());
      if (finding.p > options_.alpha || !is_far_from_the_middle(unit)) continue;
      if (!is_beyond_margin(shift_against_others(unit), others_of(unit))) continue;
      if (!found || finding.p < findings_[*found].p || (finding.p == findings_[*found].p && is_farther(unit, *found)))
        found = unit;
    }
    return found;
  }
  bool is_farther(std::size_t unit, std::size_t other) const {
    const auto distance = [&](std::size_t i) {
      const double shift = shift_against_others(i).value;
      return by_ratio_ ? std::abs(std::log(shift)) : std::abs(shift);
    };
    return distance(unit) > distance(other);
  }

  bool has_majority() const { return 2 * agreeing_.size() > usable_; }

  double place_of(std::size_t unit) const { return by_ratio_ ? std::log(median(units_[unit])) : median(units_[unit]); }
  /// More than half of all agree, and lie nearer to each other than to it: one that resembles it, and of which it only
  /// was not sure enough, is no witness.
  bool is_outvoted(std::size_t unit) const {
    std::vector<double> places;
    for (const std::size_t i : agreeing_) places.push_back(place_of(i));
    const double middle = median(places);
    const double odd = place_of(unit);
    const auto witnesses =
        std::ranges::count_if(places, [&](double at) { return std::abs(at - middle) < std::abs(at - odd); });
    return 2 * static_cast<std::size_t>(witnesses) > usable_;
  }

  void judge_apart(std::size_t unit) {
    UnitFinding& finding = findings_[unit];
    finding.shift = shift_against_others(unit);
    if (!is_outvoted(unit)) {
      finding.reason = usable_ == 2 ? "the two differ, and which of them deviates is undecidable"
                                    : "the units disagree: no majority of " + counted(usable_, "unit") + " agrees";
      return;
    }
    const bool is_more = finding.shift.value > (by_ratio_ ? 1 : 0);
    finding.oddity = is_more == options_.larger_is_better ? Oddity::fast : Oddity::slow;
    finding.reason = "differs from the " + counted(agreeing_.size(), "unit") + " that agree";
    finding.is_about_p = true;
  }

  void judge_agreeing(std::size_t unit) {
    UnitFinding& finding = findings_[unit];
    if (agreeing_.size() < 2) {
      finding.reason = usable_ == 2   ? "the two differ, and which of them deviates is undecidable"
                       : usable_ == 1 ? "there is nothing to compare it with"
                                      : "the units disagree: no two of " + std::to_string(usable_) + " agree";
      return;
    }
    finding.shift = shift_against_others(unit);
    const std::vector<double> others = others_of(unit);
    const Interval& interval = finding.shift.interval;
    if (!has_majority()) {
      finding.reason = "the units disagree: no majority of " + counted(usable_, "unit") + " agrees";
    } else if (interval.available() && holds(interval.low, others) && holds(interval.high, others)) {
      finding.oddity = Oddity::ok;
    } else {
      explain(finding, others, units_[unit].size());
    }
  }

  void explain(UnitFinding& finding, const std::vector<double>& others, std::size_t incarnations) const {
    const double best = smallest_p(incarnations, others.size()) * tests();
    finding.is_about_p = best <= options_.alpha && is_beyond_margin(finding.shift, others);
    if (best > options_.alpha)
      finding.reason = "too few incarnations: " + counted(incarnations, "estimate") + " against " +
                       std::to_string(others.size()) + " cannot be significant among " +
                       counted(agreeing_.size(), "unit");
    else if (finding.is_about_p)
      finding.reason = "beyond the margin, but not significantly";
    else
      finding.reason =
          "the interval reaches beyond " + percent(options_.margin) + ": more incarnations would narrow it";
  }

  Units units_;
  OutlierOptions options_;
  bool by_ratio_ = true;
  std::size_t usable_ = 0;
  Indexes agreeing_;
  Indexes apart_;
  std::vector<UnitFinding> findings_;
};

void require_sense(const OutlierOptions& options) {
  if (!(options.alpha > 0 && options.alpha < 1)) throw std::invalid_argument("alpha must lie between 0 and 1");
  if (!(options.margin > 0)) throw std::invalid_argument("the smallest effect that matters must be above 0");
}

}  // namespace

std::string_view to_text(Oddity oddity) {
  constexpr std::array<std::string_view, 4> names{"ok", "slow", "fast", "unclear"};
  return names.at(static_cast<std::size_t>(oddity));
}

std::string full_reason(const UnitFinding& finding) {
  return finding.is_about_p ? finding.reason + ", p = " + rounded(finding.p) : finding.reason;
}

std::vector<UnitFinding> outliers(std::span<const std::vector<double>> units, const OutlierOptions& options) {
  require_sense(options);
  return Search(units, options).findings();
}

int least_incarnations_of_units(std::size_t units, const OutlierOptions& options) {
  require_sense(options);
  if (units < 2) throw std::invalid_argument("one unit cannot be compared");
  const std::size_t picked = units == 2 ? 1 : units;
  const auto tests = static_cast<double>(picked * std::max<std::size_t>(1, options.family));
  std::size_t least = 2;
  while (smallest_p(least, least * (units - 1)) * tests > options.alpha) ++least;
  return static_cast<int>(least);
}

}  // namespace assay
