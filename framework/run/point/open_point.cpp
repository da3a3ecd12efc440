// SPDX-License-Identifier: Apache-2.0
// Collecting a point's observations, and what its rule makes of them.
#include "run/point/open_point.hpp"

#include <algorithm>

#include "run/point/calibrator.hpp"
#include "stats/rule/estimate.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/visits.hpp"
#include "team/batch_classifier.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr Nanoseconds longest_deadline = seconds(600);
constexpr double visit_patience = 20;  // times the predicted duration of a visit
constexpr double least_patience = 2;   // the same for visits that are longer than the longest deadline allows for
constexpr std::size_t enough_clean = 10;
constexpr int noisy_visits = 5;
constexpr int visits_of_interval = 8;     // enough for one, whatever it is made of
constexpr double most_budgets = 4;        // of time, for a point that has seen fewer
constexpr int displaced_visits = 3;       // in a row: then the CPUs were taken away for good
constexpr int fruitless_visits = 16;      // in a row: with nothing clean among so many, more of them bring no result
constexpr double clock_anomalies = 0.01;  // share above which a point has no result
constexpr double counted_time = 1;        // ns: no clock of the system says more than that
constexpr int most_calibrations = 4;
constexpr int most_discard = 4;
constexpr int spread_visits = 16;

const CoreLevels nothing_learned;

bool is_met(const Verdict& verdict) {
  return verdict.outcome == Outcome::converged || verdict.outcome == Outcome::no_promise;
}
bool is_budget(Outcome outcome) { return outcome == Outcome::max_time || outcome == Outcome::max_timings; }

}  // namespace

OpenPoint::OpenPoint(const SeriesPlan& series, std::size_t series_index, Point point, const StoppingRule& rule,
                     int incarnations, int first_incarnation)
    : series_(&series),
      series_index_(series_index),
      point_(std::move(point)),
      traits_(&traits_at(series.measurement, point_)),
      rule_(&rule),
      accuracy_(accuracy_of(series.precision.rule)),
      least_visits_(static_cast<double>(
          minimum_effort(series.precision.rule, incarnations, series.precision.batches.value_or(first_visit_length))
              .visits)),
      max_time_(budget_of(series.precision.rule).max_time),
      max_timings_(budget_of(series.precision.rule).max_timings),
      levels_(&nothing_learned),
      samples_(series.measurement, *traits_, series.precision.state),
      visit_length_(series.precision.batches.value_or(first_visit_length)),
      incarnations_(std::max(1, incarnations)),
      first_incarnation_(first_incarnation) {}

bool OpenPoint::is_long() const { return tuning_.per_rep > long_action; }

void OpenPoint::calibrated(const Tuning& tuning) {
  // The same repetitions again: what was seen still counts.
  if (tuning.reps != tuning_.reps) {
    samples_.clear();
    parts_.clear();
    counted_.clear();
  }
  tuning_ = tuning;
  batch_length_ = {};
  ++calibrations_;
}

bool OpenPoint::needs_calibration() const {
  if (!is_calibrated()) return true;
  return calibrations_ < most_calibrations && batch_length_ > Nanoseconds{} && batch_length_ < tuning_.wanted / 2;
}

VisitOrder OpenPoint::next_order() const {
  VisitOrder order;
  order.reps = tuning_.reps;
  order.discard = members_of(*series_, point_) > 1 ? 2 : 1;
  order.most_discard = std::max(order.discard, most_discard);
  order.batches = visit_length_;
  if (is_long()) {
    order.batches = 1;
    if (visited_.contains(next_incarnation())) order.discard = 0;
    order.most_discard = order.discard;
  }
  const Nanoseconds predicted = time_of(order);
  order.deadline = std::max({series_->precision.deadline, std::min(visit_patience * predicted, longest_deadline),
                             least_patience * predicted});
  return order;
}

Nanoseconds OpenPoint::time_of(const VisitOrder& order) const {
  return tuning_.per_rep * static_cast<double>(tuning_.reps.count) * (order.most_discard + order.batches);
}

Nanoseconds OpenPoint::next_cost() const {
  if (opened_.empty()) return {};
  const bool is_open = opened_.contains(next_incarnation());
  return time_of(next_order()) + (is_open ? Nanoseconds{} : latest_.warm_up);
}

std::vector<JudgedBatch> OpenPoint::add(const VisitYield& yield, const VisitPlace& place) {
  std::vector<JudgedBatch> judged;
  const Placement& placement = placement_of(*series_, point_);
  for (const Batch& batch : yield.batches)
    judged.push_back({batch, judge(batch, *traits_, series_->measurement, placement)});
  // CPUs of several nodes are numbered alike.
  const bool is_one_node = std::ranges::adjacent_find(yield.nodes, std::ranges::not_equal_to()) == yield.nodes.end();
  for (JudgedBatch& one : judged) {
    one.judgement.disturbed |= place.disturbed & spoiling_visits(*traits_);
    if (!is_one_node) one.judgement.spread = Spread::unknown;
  }
  const auto is_elsewhere = [](const JudgedBatch& one) {
    return one.judgement.disturbed.test(static_cast<std::size_t>(Disturbance::migrated));
  };
  displaced_ = placement.bound() && std::ranges::all_of(judged, is_elsewhere) ? displaced_ + 1 : 0;
  const auto is_disturbed = [](const JudgedBatch& one) { return one.judgement.disturbed.any(); };
  fruitless_ = std::ranges::all_of(judged, is_disturbed) ? fruitless_ + 1 : 0;
  if (yield.reference) reference_.push_back(yield.reference->count);
  if (yield.clock) take_clock(yield.clock->bound);
  const auto kept = std::span(judged).subspan(std::min(judged.size(), static_cast<std::size_t>(yield.discarded)));
  parts_.add(place.incarnation, kept.size(), named_parts(yield));
  take_visit(
      {place.session, place.incarnation, place.visit, distance_in(yield.reference), yield.apart, kept, yield.nodes},
      place);
  return judged;
}

void OpenPoint::restore(const VisitRecord& visit, Nanoseconds clock_step) {
  if (visit.batches.empty()) return;
  Tuning tuning{visit.batches.front().batch.reps, {}, clock_step, {}};
  CalibrationLimits limits;
  limits.clock_step = clock_step;
  limits.eps = accuracy_.eps;
  // The target may be tighter than it was, and ask for longer batches.
  if (tuning.reps < traits_->reps.most) tuning.wanted = batch_length(limits);
  for (const JudgedBatch& judged : visit.batches)
    tuning.per_rep =
        std::max(tuning.per_rep, slowest_wall(judged.batch) / static_cast<double>(judged.batch.reps.count));
  calibrated(tuning);
  calibrations_ = 1;
  if (visit.reference) reference_.push_back(visit.reference->count);
  take_clock(visit.clock_bound);
  const auto kept =
      std::span(visit.batches).subspan(std::min(visit.batches.size(), static_cast<std::size_t>(visit.discarded)));
  parts_.add(visit.incarnation, kept.size(), visit.parts);
  take_visit(
      {visit.session, visit.incarnation, visit.visit, distance_in(visit.reference), visit.apart, kept, visit.nodes},
      {visit.session, visit.incarnation, visit.visit, visit.at, visit.took});
  restored_ = visits_;
  spent_before_ = spent_;
}

/// Members that nothing binds to CPUs of their own have no distance; simulated cores stay where they are, and of ranks
/// there is one only where their launcher bound them (RankTeam::reference).
std::optional<Nanoseconds> OpenPoint::distance_in(std::optional<Nanoseconds> reference) const {
  if (traits_->simulated || vehicle_of(*series_, point_) == "mpi") return reference;
  const Placement& placement = placement_of(*series_, point_);
  return placement.bound() && !placement.shares_cpu() ? reference : std::nullopt;
}

void OpenPoint::take_clock(std::optional<Nanoseconds> bound) {
  if (bound) clock_bound_ = std::max(*bound, clock_bound_.value_or(*bound));
}

void OpenPoint::take_visit(const VisitedBatches& visit, const VisitPlace& place) {
  batch_length_ = {};
  for (const JudgedBatch& judged : visit.kept) {
    const Nanoseconds length = slowest_wall(judged.batch);
    batch_length_ = batch_length_ > Nanoseconds{} ? std::min(batch_length_, length) : length;
    in_batches_ += length;
    ++batches_;
    for (std::size_t cause = 0; cause < causes_.size(); ++cause)
      causes_.at(cause) += judged.judgement.disturbed.test(cause);
  }
  samples_.add(visit, *levels_);
  if (visits_ == 0) first_ = place.at;
  last_ = place.at + place.took;
  spent_ += place.took;
  visited_.insert(place.incarnation);
  counted_.insert(place.incarnation);
  ++visits_;
  refused_ = 0;
}

CoreState OpenPoint::answered() const {
  const CoreState wanted = samples_.wanted_state();
  const CoreState found{.spread = wanted.spread};
  for (const CoreState& state : {wanted, found})
    if (clean(0, state) >= least_observations) return state;
  return {};
}

const Sample& OpenPoint::answered_sample() const {
  const CoreState state = answered();
  return samples_.sample({0, samples_.dominant(state), state});
}

std::size_t OpenPoint::clean(std::size_t quantity, const CoreState& state) const {
  std::size_t sum = 0;
  for (const auto& [key, sample] : samples_.samples())
    sum += key.quantity == quantity && key.state == state ? sample.size() : 0;
  return sum;
}

std::size_t OpenPoint::disturbed(std::size_t quantity, const CoreState& state) const {
  std::size_t sum = 0;
  for (const auto& [key, sample] : samples_.samples())
    sum += key.quantity == quantity && key.state == state ? sample.disturbed() : 0;
  return sum;
}

double OpenPoint::disturbed_share() const {
  const CoreState state = answered();
  const auto bad = static_cast<double>(disturbed(0, state));
  return bad > 0 ? bad / (bad + static_cast<double>(clean(0, state))) : 0;
}

Spent OpenPoint::spent_on(std::size_t quantity) const {
  const Quantity& q = series_->measurement.quantities[quantity];
  if (q.unit != Unit::nanoseconds || !is_calibrated()) return {budgeted(), 0};
  // A time of the batch as a whole is not the one between the batch's two stamps: it is claimed as it is, and at best a
  // difference of readings that count whole nanoseconds.
  if (q.per == Per::batch) return {budgeted(), counted_time / 2};
  const double events = static_cast<double>(tuning_.reps.count) * traits_->events_per_rep;
  return {budgeted(), tuning_.clock_step.count / (2 * events)};
}

Nanoseconds OpenPoint::due() const {
  if (visits_ == 0) return {};
  return first_ + series_->precision.span * (std::min(visits_, spread_visits - 1) / (spread_visits - 1.0));
}

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

/// What the point makes of its rule's wish to stop.
Verdict OpenPoint::conclusion(Verdict verdict) {
  if (auto failure = clock_failure()) return std::move(*failure);
  if (is_met(verdict)) return when_met(std::move(verdict));
  satisfied_ = false;
  out_of_time_ = verdict.outcome == Outcome::max_time;
  if (out_of_time_ && is_extended()) verdict.reason += ", and " + rounded(extra_) + " of the campaign's spare time";
  return is_budget(verdict.outcome) ? at_budget(std::move(verdict)) : verdict;
}

/// The rule does not see all that its interval has to be valid for.
Verdict OpenPoint::when_met(Verdict verdict) {
  satisfied_ = false;
  if (verdict.outcome == Outcome::converged && is_much_disturbed()) {
    const bool is_out_of_time = time_left() <= Nanoseconds{};
    if (!is_out_of_time && clean(0) < max_timings_) return {};
    verdict.outcome = is_out_of_time ? Outcome::max_time : Outcome::max_timings;
    return at_budget(std::move(verdict));
  }
  satisfied_ = last_ - first_ >= series_->precision.span;
  return satisfied_ ? verdict : Verdict{};
}

std::optional<Verdict> OpenPoint::confirm() {
  Verdict verdict = ask_rule_finally();
  satisfied_ = is_met(verdict) && !clock_failure() && !is_much_disturbed();
  return satisfied_ ? std::optional(std::move(verdict)) : std::nullopt;
}

Verdict OpenPoint::ask_rule() {
  Verdict verdict = rule_->check(primary(), spent_on(0));
  if (!verdict.estimate.interval.available()) return verdict;
  latest_estimate_ = verdict.estimate;
  predicted_ = prediction(verdict.estimate.relative_half_width() / accuracy_.eps);
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

/// The timings that were allowed for are spent, and none or hardly any was in the state that is wanted.
bool OpenPoint::is_hopeless() const {
  return visits_ >= fruitless_visits && clean(0) >= max_timings_ &&
         clean(0, samples_.wanted_state()) < least_observations;
}

/// Of the state that is wanted: then the value as found replaces it, and the reason states so.
std::optional<Verdict> OpenPoint::absence() const {
  const CoreState wanted = samples_.wanted_state();
  if (answered() == wanted || clean(0) < least_observations) return std::nullopt;
  Verdict verdict = rule_->check(answered_sample(), spent_on(0));
  verdict.outcome = Outcome::as_found;
  verdict.reason = "the cores were " + to_text(wanted) + " in " + std::to_string(clean(0, wanted)) + " of " +
                   counted(clean(0), "batch") + ": the value is as found; " + verdict.reason;
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

/// Visits cost more than their batches: the longer they are, the less of the time goes to what surrounds them; the more
/// they differ from each other, the less a longer one contributes.
void OpenPoint::choose_visit_length() {
  if (series_->precision.batches || is_long() || batches_ == 0 || !(in_batches_ > Nanoseconds{})) return;
  // What a visit to simulated members costs says nothing of them: the same seed is to yield the same values.
  if (traits_->simulated) return;
  const Nanoseconds each = in_batches_ / static_cast<double>(batches_);
  const Nanoseconds around = (spent_ - in_batches_) / visits_;
  visit_length_ = visit_length(primary(), std::max(0.0, around / each));
}

void OpenPoint::grow(const Verdict& verdict, int most_incarnations) {
  const bool decides = verdict.estimate.basis == "incarnations";
  const bool missed = verdict.estimate.relative_half_width() > accuracy_.eps;
  if (decides && missed && incarnations_ < most_incarnations && primary().incarnations() >= incarnations_)
    ++incarnations_;
}

}  // namespace assay
