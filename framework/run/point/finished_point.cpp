// SPDX-License-Identifier: Apache-2.0
// What is known of a point when it is finished: a result for each quantity, regime and state.
#include <algorithm>
#include <set>

#include "run/point/calibrator.hpp"
#include "run/point/open_point.hpp"
#include "stats/rule/estimate.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr int state_visits = 3;  // to another state, so that it is a row of its own

int sessions_of(const Sample& sample) {
  std::set<int> sessions;
  for (const IncarnationMedian& one : sample.by_incarnation()) sessions.insert(one.session);
  return std::max(1, static_cast<int>(sessions.size()));
}

}  // namespace

PointRecord OpenPoint::finish(const Verdict& verdict) {
  samples_.settle();
  PointRecord record = finish_without(*series_, point_, verdict.outcome, verdict.reason);
  record.reps = tuning_.reps;
  record.disturbed = causes_;
  record.settled = static_cast<int>(settling_.steady_from());
  record.reference = summarize_reference(reference_);
  record.clock_bound = clock_bound_;
  if (point_.find("variant") != nullptr && point_.text("variant") != plain_variant) record.library = latest_.library;
  const CoreState state = answered();
  // Members that nothing binds may move as they like; and results of one distance are not of CPUs that moved.
  if (!placement_of(*series_, point_).bound() || state.distance_ns > 0) record.reference.moved = false;
  if (verdict.outcome != Outcome::too_noisy) add_results(record, state, verdict);
  // Readers of the observations of a state need what classified it, and those of a value as found how it was found.
  if (state != CoreState{} || samples_.wanted_state() != CoreState{} || !record.others.empty() ||
      samples_.outlasts_states())
    record.cores = samples_.levels();
  if (!record.cores.empty()) {
    record.clocks = samples_.clocks();
    record.pairs = samples_.pairs();
  }
  return record;
}

PointRecord OpenPoint::finish(Outcome outcome, const std::string& why) {
  samples_.settle();
  return finish(stopped(outcome, why));
}

Verdict OpenPoint::stopped(Outcome outcome, const std::string& why) const {
  Verdict verdict = rule_->check(answered_sample(), spent_in(answered()));
  const bool is_wanted = verdict.outcome == Outcome::converged && answered() == samples_.wanted_state();
  const bool is_momentary = is_wanted && is_of_few_moments(primary());
  if (is_wanted && !is_momentary && !is_much_disturbed()) return verdict;
  verdict.outcome = outcome;
  if (is_momentary) verdict.reason += few_moments();
  verdict.reason = why + " after " + counted(static_cast<std::size_t>(visits_), "visit") + "; " + verdict.reason;
  return verdict;
}

void OpenPoint::add_results(PointRecord& record, const CoreState& state, const Verdict& verdict) const {
  const Key main{0, samples_.dominant(state), state};
  if (!samples_.sample(main).empty()) record.results.push_back(result(main, samples_.sample(main), verdict));
  for (const auto& [key, sample] : samples_.samples()) {
    if (key == main || sample.size() < least_observations) continue;
    if (key.state == state)
      record.results.push_back(result(key, samples_.sample(key), verdict_on(key, samples_.sample(key))));
    else if (is_another(key, sample, state))
      record.others.push_back(result(key, sample, verdict_on(key, sample)));
  }
}

/// Whether a state beside the one that is answered for says something of its own.
bool OpenPoint::is_another(const Key& key, const Sample& sample, const CoreState& state) const {
  // As found in one spread is of interest beside others as found only.
  const bool is_part = key.state.sharing == Sharing::unknown && key.state.spread != Spread::unknown;
  if (is_part && state.sharing != Sharing::unknown) return false;
  const bool is_all = samples_.converted({key.quantity, key.regime, state}) == 0 &&
                      clean(key.quantity, state) == clean(key.quantity, key.state);
  return sample.visits() >= state_visits && !is_all;
}

/// Of the clean batches that were in it, whatever was converted to it.
double OpenPoint::state_share(std::size_t quantity, const CoreState& state) const {
  std::size_t in_state = 0;
  for (const auto& [key, sample] : samples_.samples())
    in_state += key.quantity == quantity && key.state == state ? sample.size() : 0;
  return static_cast<double>(in_state) / static_cast<double>(clean(quantity));
}

Verdict OpenPoint::verdict_on(const Key& key, const Sample& sample) const {
  const auto& [quantity, regime, state] = key;
  const Spent spent = spent_on(quantity, regime);
  Verdict verdict = rule_->check(sample, spent);
  // However narrow: of one second, it is not what the next campaign finds.
  const bool is_momentary = is_of_few_moments(sample);
  if (verdict.outcome == Outcome::converged && !is_momentary) return verdict;
  const Estimate found = headline(sample, series_->precision.rule.alpha, spent.half_step, spent.between);
  const std::string moments = is_momentary ? ", in " + parts_seen(sample) + " of a span only" : "";
  // The point ended with the state that is answered for, whatever this one had reached by then.
  if (state != answered())
    return {Outcome::open,
            std::string(other_state) + ": " + percent(state_share(quantity, state)) + " of the clean batches" + moments,
            found};
  if (regime == samples_.dominant(state)) {
    if (verdict.outcome == Outcome::converged) verdict.outcome = Outcome::open;
    verdict.reason += moments;
    return verdict;
  }
  // The point ended with its dominant regime, whatever this one had reached by then.
  const double share = static_cast<double>(sample.size()) / static_cast<double>(clean(quantity, state));
  return {Outcome::open, "minor regime: " + percent(share) + " of the clean batches" + moments, found};
}

CoreClock OpenPoint::clock_of(std::size_t quantity, const CoreState& state) const {
  const Quantity& timed = series_->measurement.quantities[quantity];
  if (timed.unit != Unit::nanoseconds) return {};
  const CoreCycles cycles = timed.per == Per::event ? core_cycles_at(*series_, point_) : CoreCycles::never;
  if (cycles == CoreCycles::never) return {0, 0, NoClock::not_of_core};
  if (vehicle_of(*series_, point_) == "mpi") return {0, 0, NoClock::ranks};
  const bool one_cpu = cycles == CoreCycles::on_one_cpu;
  if (one_cpu && !placement_of(*series_, point_).bound()) return {0, 0, NoClock::unbound};
  return samples_.clock_in(state, one_cpu);
}

/// One core alone is judged by its yardsticks. A median bears less than a quarter.
bool OpenPoint::was_much_taken() const {
  return 4 * taken_ > visits_here() && core_cycles_at(*series_, point_) != CoreCycles::always;
}

/// What is as found of cores that others shared for so long is of their work as well: another minute has other work.
bool OpenPoint::is_much_shared(const CoreState& state) const {
  constexpr double much_shared = 0.3;
  return state.sharing == Sharing::unknown && !traits_->simulated && samples_.shared_time() > much_shared;
}

Result OpenPoint::result(const Key& key, const Sample& sample, Verdict verdict) const {
  const auto& [quantity, regime, state] = key;
  Result r;
  r.quantity = series_->measurement.quantities[quantity].name;
  r.unit = series_->measurement.quantities[quantity].unit;
  r.regime = regime;
  const auto in_state = static_cast<double>(clean(quantity, state));
  r.regime_share = static_cast<double>(sample.size()) / in_state;
  r.state = state;
  r.state.step = samples_.step_in(state);
  r.state_share = state_share(quantity, state);
  r.verdict = std::move(verdict);
  Accuracy accuracy = accuracy_;
  const Spent spent = spent_on(quantity, regime);
  accuracy.half_step = spent.half_step;
  accuracy.between = spent.between;
  const Look look = look_at(sample, accuracy);
  r.headline = look.headline;
  r.steadiness = look.steadiness;
  r.summary = summarize(look.kept.values());
  r.visits = sample.visits();
  r.incarnations = sample.incarnations();
  r.disturbed_share = disturbed_share();
  r.noisy = r.disturbed_share > series_->precision.noisy;
  r.within_spread = within_spread(look.kept);
  r.between_spread = between_spread(look.kept);
  r.span = last_ - first_;
  const bool is_short =
      r.span < series_->precision.min_span || samples_.mixes_clocks(state) || was_much_taken() || is_much_shared(state);
  r.term = is_short ? Term::short_term : Term::session;
  r.processes = look.kept.by_incarnation();
  r.stretches = sessions_of(sample);
  r.clock = clock_of(quantity, state);
  r.converted = samples_.converted(key);
  r.law = samples_.law(key);
  return r;
}

PointRecord finish_without(const SeriesPlan& series, const Point& point, Outcome outcome, const std::string& reason,
                           const std::string& code) {
  PointRecord record;
  record.series = series.name;
  record.measurement = series.measurement.name;
  record.point = point;
  record.outcome = outcome;
  record.reason = reason;
  record.code = code;
  const Traits& traits = traits_at(series.measurement, point);
  record.simulated = traits.simulated;
  record.events_per_rep = traits.events_per_rep;
  return record;
}

}  // namespace assay
