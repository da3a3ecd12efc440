// SPDX-License-Identifier: Apache-2.0
// The default rule: the headline interval of the median is narrow enough, and the sample is of one steady thing.
#include <algorithm>
#include <cmath>
#include <utility>

#include "stats/rule/estimate.hpp"
#include "stats/rule/periods.hpp"
#include "stats/rule/rules.hpp"
#include "stats/sample/visits.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

/// Independent observations that suffice where the parts of the time have their say.
constexpr double enough_over_time = 30;
/// A smaller share of independent observations is worth a remark.
constexpr double dependent_share = 0.25;
/// With fewer of them, where they are such a small share, a narrow interval may be luck.
constexpr double sure_effective = 160;
/// Visits that distinguish the start of a process from the rest.
constexpr int visits_of_process = 3;
/// With fewer visits, as with fewer independent observations, the guard reaches into the smaller of two modes wherever
/// the median lies.
constexpr int enough_for_modes = 13;
/// Consecutive interim analyses after which a finding counts.
constexpr int lasting_looks = 4;

/// An interim analysis, and what it says about the criterion.
struct Reading {
  Look look;
  std::string text;
  bool guarded = false;   ///< the median lies in no gap
  bool narrow = false;    ///< so is the interval as narrow as asked for
  bool suffices = false;  ///< and it rests on enough
  double effort = 1;      ///< Verdict::effort

  bool drifts() const { return !look.steadiness.drift.empty(); }
  bool is_bimodal() const {
    const bool tells = look.kept.visits() >= enough_for_modes && look.steadiness.effective >= enough_effective;
    return tells && !look.steadiness.modes.empty() && !guarded;
  }
  bool is_dependent() const {
    return look.headline.basis == "visits" &&
           look.steadiness.effective < dependent_share * static_cast<double>(look.kept.size());
  }
  bool may_be_luck() const { return is_dependent() && look.steadiness.effective < sure_effective; }
};

std::string in_words(const std::vector<Mode>& modes) {
  std::string text;
  for (const Mode& mode : modes)
    text += (text.empty() ? "modes at " : " and ") + rounded(mode.median) + " (" + percent(mode.weight) + ")";
  return text;
}

/// What else the reader of the verdict should know, in clauses that end with a comma.
std::string remarks(const Reading& reading) {
  std::string text;
  if (reading.drifts()) text += reading.look.steadiness.drift + ", ";
  if (!reading.look.steadiness.modes.empty()) text += in_words(reading.look.steadiness.modes) + ", ";
  if (reading.is_dependent())
    text += "only " + rounded(std::floor(reading.look.steadiness.effective)) + " of " +
            counted(reading.look.kept.size(), "timing") + " independent, ";
  return text;
}

class MedianCi final : public IntervalRule {
 public:
  using IntervalRule::IntervalRule;
  bool is_look(int visits) const override;

 private:
  MinimumEffort minimum_of_criterion(int incarnations, int batches) const override;
  Verdict assess(const Sample& sample, const Spent& spent) const override;
  std::size_t least_visits(bool of_one_batch) const override;
  Reading read(const Sample& sample, const Spent& spent) const;
  struct Lack {
    std::string text;   ///< empty when it has enough
    double effort = 1;  ///< Verdict::effort
  };
  /// What the sample without its warm-up still lacks.
  Lack lack_of(const Look& look) const;
  Outcome outcome_of(const Reading& now, const Sample& sample, const Spent& spent) const;
  bool is_spent(const Sample& sample, const Spent& spent) const;
  /// The number of visits at the previous interim analysis; 0 when there was none.
  int look_before(const Sample& sample, int visits) const;
  /// True when the previous interim analyses had it too.
  template <class Finding>
  bool has_lasted(Finding finding, int looks, const Sample& sample, const Spent& spent) const;
  /// Visits that suffice when each is one long batch.
  int least_long_visits() const { return spec().budget.min_visits.value_or(fewest_visits); }
};

bool MedianCi::is_look(int visits) const {
  // Below the floor of ordinary visits only long actions are decided.
  if (visits < budget().min_visits) return visits >= least_long_visits();
  return IntervalRule::is_look(visits);
}

MinimumEffort MedianCi::minimum_of_criterion(int incarnations, int batches) const {
  if (batches == 1) return {};  // as long actions have: what processes differ by shows in their values
  return {std::max<std::int64_t>(std::int64_t{visits_of_process} * incarnations, fewest_visits), {}};
}

std::size_t MedianCi::least_visits(bool of_one_batch) const {
  return static_cast<std::size_t>(of_one_batch ? least_long_visits() : budget().min_visits);
}

int MedianCi::look_before(const Sample& sample, int visits) const {
  const auto least = static_cast<int>(least_visits(has_single_visits(sample)));
  for (--visits; visits >= least; --visits)
    if (is_look(visits)) return visits;
  return 0;
}

MedianCi::Lack MedianCi::lack_of(const Look& look) const {
  const std::size_t least = least_visits(has_single_visits(look.kept));
  const auto visits = static_cast<std::size_t>(look.kept.visits());
  if (visits < least) return {std::to_string(visits) + " of at least " + counted(least, "visit") + " after warm-up"};
  if (has_single_visits(look.kept)) return {};
  const int processes = look.kept.incarnations();
  if (look.kept.visits() < visits_of_process * processes)
    return {std::to_string(visits) + " visits are fewer than " + std::to_string(visits_of_process) + " for each of " +
            std::to_string(processes) + " processes"};
  const double effective = look.steadiness.effective;
  if (look.headline.basis != "visits" || !is_too_dependent(look.kept, effective)) return {};
  // The interval is that over the parts of time as well, where there are enough.
  const bool has_parts = std::ssize(periods_in(look.kept).medians) >= fewest_parts;
  const double needed = has_parts ? enough_over_time : least_effective(look.kept.size());
  if (effective >= needed) return {};
  return {rounded(std::floor(effective)) + " of at least " + rounded(std::ceil(needed)) + " independent timings",
          needed / std::max(1.0, effective)};
}

Reading MedianCi::read(const Sample& sample, const Spent& spent) const {
  Reading reading;
  reading.look = look_at(sample, {spec().alpha, eps(), spec().floor.value_or(0), spent.half_step, spent.between});
  const Look& look = reading.look;
  const Interval* const guard = is_few_long(look.kept) ? nullptr : &look.visits.guard;
  const double allowed = tolerance(look.headline.value);
  Verdict width{Outcome::open, {}, look.headline};
  judge_width(width, allowed, eps(), guard);
  reading.guarded = guard == nullptr || reach(look.headline.value, *guard) <= guard_allowance * allowed;
  reading.narrow = width.outcome == Outcome::converged;
  const auto [lack, effort] = lack_of(look);
  reading.effort = effort;
  reading.suffices = reading.narrow && lack.empty();
  reading.text = remarks(reading) + width.reason + remark_on_campaigns(spent.between, eps()) +
                 (lack.empty() || !reading.narrow ? "" : ", but " + lack);
  return reading;
}

template <class Finding>
bool MedianCi::has_lasted(Finding finding, int looks, const Sample& sample, const Spent& spent) const {
  int visits = sample.visits();
  for (int look = 1; look < looks; ++look) {
    visits = look_before(sample, visits);
    if (visits == 0 || !finding(read(first_visits(sample, visits), spent))) return false;
  }
  return true;
}

bool MedianCi::is_spent(const Sample& sample, const Spent& spent) const {
  return sample.size() >= budget().max_timings || spent.time >= budget().max_time;
}

Outcome MedianCi::outcome_of(const Reading& now, const Sample& sample, const Spent& spent) const {
  const auto drifts = [](const Reading& reading) { return reading.narrow && reading.drifts(); };
  const auto bimodal = [](const Reading& reading) { return reading.is_bimodal(); };
  const auto suffices = [](const Reading& reading) { return reading.suffices; };
  if (now.drifts()) {
    const bool ends = is_spent(sample, spent) || (drifts(now) && has_lasted(drifts, lasting_looks, sample, spent));
    return ends ? Outcome::drift : Outcome::open;
  }
  if (bimodal(now)) return has_lasted(bimodal, lasting_looks, sample, spent) ? Outcome::bimodal : Outcome::open;
  if (!now.suffices) return Outcome::open;
  // An interval that is narrow by luck is not likely to be so twice.
  return now.may_be_luck() && !has_lasted(suffices, 2, sample, spent) ? Outcome::open : Outcome::converged;
}

Verdict MedianCi::assess(const Sample& sample, const Spent& spent) const {
  const Reading now = read(sample, spent);
  Verdict verdict = resolution_verdict(now.look.headline, tolerance(now.look.headline.value), spent.half_step);
  if (verdict.stop()) return verdict;
  verdict.reason = now.text;
  verdict.effort = now.effort;
  verdict.outcome = outcome_of(now, sample, spent);
  const bool steady = !now.drifts() && !now.is_bimodal();
  if (verdict.outcome == Outcome::open && steady && now.suffices)
    verdict.reason += ", to be confirmed by another interim analysis,";
  return verdict;
}

}  // namespace

constinit const RuleEntry median_ci_rule{
    .name = "median-ci",
    .eps = standard_accuracy,
    .budget = usual_budget,
    .parameters = all_parameters,
    .make = &made<MedianCi>,
    .summary = "the median is known to within eps; the default",
    .stops =
        "The half-width of the 1 - alpha interval of the median is at most eps of it. The interval lies between the "
        "ranks n*(1/2+-h); h is the largest of z*sqrt(1/(4*n)) and t*s_k/sqrt(L_k), where s_k is the standard "
        "deviation of the shares of values below the median in L_k groups of k = 1, 2, 4 batches of visits. From 3 "
        "incarnations on the t interval over the logs of their medians must satisfy eps too, and, where they differ, "
        "so must that of the medians of eight equal periods of the time that the visits span. In addition a guard: "
        "with 1.68*h the half-width is at most 3*eps, so that a median in the gap between two modes is not accepted. "
        "Slower visits at the start, of the sample or of each process, are removed first; 8 visits, 3 of each process "
        "and 60 independent timings (or 3/4 of fewer) are required; with fewer than 60 the periods' interval must "
        "satisfy eps wherever there are five, and 30 suffice then. A sample does not converge while the medians of "
        "visits drift by more than eps. Interim analyses after 8, 10, 13, 17, 22, ... visits; 5 visits suffice where "
        "each is one long batch.",
    .reports = "The median with the headline interval.",
    .expect =
        "100 to 700 timings where values scatter by 10 to 20 %, 2700 by 30 %. Coverage is 97 % of campaigns or more on "
        "independent values, with interruptions too, and 94 % with an autocorrelation of 0.9. Two modes of equal "
        "weight end as bimodal, a drift as drift. Consecutive visits do not sample slower changes: spread them over "
        "the period for which the number is to be valid.",
};

}  // namespace assay
