// SPDX-License-Identifier: Apache-2.0
// What a point makes of its rule's wish to stop: what was disturbed, where it ran, and what its budget still allows.
#include <algorithm>
#include <cmath>

#include "run/point/open_point.hpp"
#include "stats/rule/periods.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr std::size_t enough_clean = 10;
constexpr int noisy_visits = 5;
constexpr int visits_of_interval = 8;     // enough for one, whatever it is made of
constexpr double most_budgets = 4;        // of time, for a point that has seen fewer
constexpr int displaced_visits = 3;       // in a row: then the CPUs were taken away for good
constexpr int fruitless_visits = 16;      // in a row: with nothing clean among so many, more of them bring no result
constexpr double clock_anomalies = 0.01;  // share above which a point has no result

bool is_met(const Verdict& verdict) {
  return verdict.outcome == Outcome::converged || verdict.outcome == Outcome::no_promise;
}
bool is_budget(Outcome outcome) { return outcome == Outcome::max_time || outcome == Outcome::max_timings; }

}  // namespace

Verdict OpenPoint::check(int most_incarnations) {
  out_of_time_ = false;
  if (auto displaced = displacement()) return std::move(*displaced);
  if (auto fruitless = fruitlessness()) return std::move(*fruitless);
  if (!rule_->is_look(visits_) && time_left() > Nanoseconds{}) return {};
  Verdict verdict = ask_rule();
  if (verdict.stop()) verdict = ask_rule_finally();
  if (verdict.stop()) return conclusion(std::move(verdict));
  grow(verdict, most_incarnations);
  choose_visit_length();
  satisfied_ = false;
  return verdict;
}

/// What changed for some seconds may have been a fluctuation: with time to spare, the minute tells.
bool OpenPoint::may_fluctuate(const Verdict& verdict) const {
  return verdict.outcome == Outcome::drift && series_->precision.spare_time;
}

bool OpenPoint::is_for_lack_of_time(const Verdict& verdict) const {
  return verdict.outcome == Outcome::max_time || (may_fluctuate(verdict) && time_left() <= Nanoseconds{});
}

/// What the point makes of its rule's wish to stop.
Verdict OpenPoint::conclusion(Verdict verdict) {
  if (auto failure = clock_failure()) return std::move(*failure);
  if (is_met(verdict)) return when_met(std::move(verdict));
  if (is_budget(verdict.outcome) && verdict.estimate.relative_half_width() <= series_->precision.enough) {
    verdict.outcome = Outcome::converged;
    return when_met(std::move(verdict));
  }
  satisfied_ = false;
  const bool is_over = time_left() <= Nanoseconds{} || primary().size() >= max_timings_;
  if (may_fluctuate(verdict) && !is_over) return {};
  out_of_time_ = is_for_lack_of_time(verdict);
  if (out_of_time_ && is_extended()) verdict.reason += ", and " + rounded(extra_) + " of the campaign's spare time";
  return is_budget(verdict.outcome) ? at_budget(std::move(verdict)) : verdict;
}

/// The rule does not see all that its interval has to be valid for.
Verdict OpenPoint::when_met(Verdict verdict) {
  satisfied_ = false;
  const bool is_momentary = is_of_few_moments(primary());
  if (verdict.outcome == Outcome::converged && (is_much_disturbed() || is_momentary)) {
    const bool is_out_of_time = time_left() <= Nanoseconds{};
    if (!is_out_of_time && primary().size() < max_timings_) return {};
    verdict.outcome = is_out_of_time ? Outcome::max_time : Outcome::max_timings;
    out_of_time_ = is_out_of_time && is_momentary;
    if (is_momentary) verdict.reason += few_moments();
    return at_budget(std::move(verdict));
  }
  satisfied_ = last_ - first_ >= series_->precision.span;
  return satisfied_ ? verdict : Verdict{};
}

int OpenPoint::parts_of_span(const Sample& sample) const {
  return parts_visited(sample, series_->precision.span.count / parts_of_time);
}

/// Where the cores were in the wanted state occasionally only, what was counted can be of a second, whatever
/// the visits span. As many parts of time as make an interval over periods, or as all visits together were in.
bool OpenPoint::is_of_few_moments(const Sample& sample) const {
  if (!(series_->precision.span > Nanoseconds{}) || last_ - first_ < series_->precision.span) return false;
  const CoreState all;
  const int visited = parts_of_span(samples_.sample({0, samples_.dominant(all), all}));
  return parts_of_span(sample) < std::min(fewest_parts, visited);
}

std::string OpenPoint::parts_seen(const Sample& sample) const {
  return counted(static_cast<std::size_t>(parts_of_span(sample)), "eighth");
}

std::string OpenPoint::few_moments() const {
  return ", but the cores were " + to_text(samples_.wanted_state()) + " in " + parts_seen(primary()) +
         " of a span only";
}

std::optional<Verdict> OpenPoint::confirm() {
  Verdict verdict = ask_rule_finally();
  satisfied_ = is_met(verdict) && !clock_failure() && !is_much_disturbed();
  return satisfied_ ? std::optional(std::move(verdict)) : std::nullopt;
}

Verdict OpenPoint::ask_rule() {
  Verdict verdict = rule_->check(primary(), spent_in(samples_.wanted_state()));
  if (!verdict.estimate.interval.available()) return verdict;
  latest_estimate_ = verdict.estimate;
  foreseen_ = visits_needed(verdict);
  foreseen_look_ = look_from(static_cast<int>(std::ceil(foreseen_)));
  return verdict;
}

/// What is reported is sorted by all that is known of the cores by then; a verdict on another sample would not be its.
Verdict OpenPoint::ask_rule_finally() {
  samples_.settle();
  return ask_rule();
}

std::optional<Verdict> OpenPoint::clock_failure() const {
  const auto anomalies = causes_.at(static_cast<std::size_t>(Disturbance::clock));
  if (anomalies < 2 || static_cast<double>(anomalies) <= clock_anomalies * static_cast<double>(batches_))
    return std::nullopt;
  return Verdict{
      Outcome::failed, "clock anomalies in " + counted(anomalies, "batch") + " of " + std::to_string(batches_), {}};
}

std::optional<Verdict> OpenPoint::displacement() const {
  if (displaced_ < displaced_visits) return std::nullopt;
  return Verdict{Outcome::failed,
                 "the binding is no longer in effect: in " + counted(static_cast<std::size_t>(displaced_), "visit") +
                     " every batch ran on other CPUs than " + placement_of(*series_, point_).name + " has",
                 {}};
}

/// An end before the budget is spent on a point that cannot have a result.
std::optional<Verdict> OpenPoint::fruitlessness() const {
  if (is_hopeless()) return absence();
  if (fruitless_ < fruitless_visits || clean(0) >= enough_clean) return std::nullopt;
  if (auto failure = clock_failure()) return failure;
  return Verdict{Outcome::too_noisy,
                 "every batch of the last " + counted(static_cast<std::size_t>(fruitless_), "visit") +
                     " was disturbed (" + to_text(causes_) + "), " + std::to_string(clean(0)) +
                     " in all were not; given up before the budget was spent",
                 {}};
}

/// The timings that were allowed for are spent, and too few were in the state that is wanted to answer for it.
bool OpenPoint::is_hopeless() const {
  return visits_ >= fruitless_visits && clean(0) >= max_timings_ && answered() != samples_.wanted_state();
}

/// Of the state that is wanted: then the value as found replaces it, and the reason states so.
std::optional<Verdict> OpenPoint::absence() const {
  const CoreState wanted = samples_.wanted_state();
  if (answered() == wanted || clean(0) < least_observations) return std::nullopt;
  Verdict verdict = rule_->check(answered_sample(), spent_in(answered()));
  verdict.outcome = Outcome::as_found;
  // Of what is as found, whatever ran beside it, the clock alone is asked for.
  const std::string was = wanted.sharing == Sharing::unknown && !clock_text(wanted).empty()
                              ? "the clock was " + clock_text(wanted)
                              : "the cores were " + to_text(wanted);
  verdict.reason = was + " in " + std::to_string(clean(0, wanted)) + " of " + counted(clean(0), "batch") +
                   ": the value is as found; " + verdict.reason;
  return verdict;
}

/// Long actions get their few observations, whatever their budget.
bool OpenPoint::may_wait(std::size_t good) const {
  return is_long() && good < least_observations && static_cast<std::size_t>(visits_) < 2 * least_observations;
}

/// A value without an interval is of no use to what is derived from it: visits that are long for the budget, as those
/// of rings of many processes, are as many as make one, up to a bound.
bool OpenPoint::lacks_interval(const Verdict& verdict) const {
  const bool has_none = verdict.outcome == Outcome::max_time && !verdict.estimate.interval.available();
  return has_none && !is_long() && visits_ < visits_of_interval && spent_ < max_time_ * most_budgets;
}

/// Then what was not disturbed is not trusted to have converged: the rule goes on until the budget is spent.
bool OpenPoint::is_much_disturbed() const {
  return visits_ >= noisy_visits && disturbed_share() > series_->precision.too_noisy;
}

Verdict OpenPoint::at_budget(Verdict verdict) const {
  if (auto absent = absence()) return std::move(*absent);
  const CoreState state = answered();
  const std::size_t good = clean(0, state);
  const std::size_t bad = disturbed(0, state);
  if (may_wait(good)) {
    verdict.outcome = Outcome::open;
    return verdict;
  }
  if (good == 0 && bad == 0) return {Outcome::failed, "no member claimed the primary quantity", {}};
  if (auto failure = clock_failure()) return std::move(*failure);
  const bool too_few = bad > 0 && good < (is_long() ? least_observations : enough_clean);
  if (!too_few && !is_much_disturbed()) {
    if (lacks_interval(verdict)) verdict.outcome = Outcome::open;
    return verdict;
  }
  verdict.reason = percent(disturbed_share()) + " of the batches were disturbed (" + to_text(causes_) + "), " +
                   std::to_string(good) + " were not; " + verdict.reason;
  if (too_few) verdict.outcome = Outcome::too_noisy;
  return verdict;
}

}  // namespace assay
