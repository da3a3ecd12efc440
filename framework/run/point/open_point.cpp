// SPDX-License-Identifier: Apache-2.0
// Collecting a point's observations, visit by visit.
#include "run/point/open_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "record/distances.hpp"
#include "run/point/calibrator.hpp"
#include "stats/rule/estimate.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/visit_interval.hpp"
#include "stats/sample/visits.hpp"
#include "team/batch_classifier.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr Nanoseconds longest_deadline = seconds(600);
constexpr double visit_patience = 20;  // times the predicted duration of a visit
constexpr double least_patience = 2;   // the same for visits that are longer than the longest deadline allows for
constexpr int enough_visits = 16;      // of all states, for an interval that is worth more than one state without
constexpr double counted_time = 1;     // ns: no clock of the system says more than that
constexpr int most_refusals = 20;      // consecutive probes that found the cores in another state than the one wanted
constexpr int most_calibrations = 4;
constexpr int most_discard = 4;
// Of what is left of a start, the part of the accuracy that it may take from it.
constexpr double settled_within = 0.125;
constexpr double least_settled = 0.001;
constexpr double most_settled = 0.01;
constexpr double most_settling = 16;  // batches
constexpr Nanoseconds longest_settling = milliseconds(10);
constexpr Nanoseconds short_visit = milliseconds(1);
constexpr Nanoseconds own_start = milliseconds(1);  // a batch so long is hardly slower because of what came before it
constexpr std::size_t segments_after_start = 2;
constexpr std::size_t segments_seen = 4;

const CoreLevels nothing_learned;

double settled_tolerance(const Accuracy& accuracy) {
  return std::clamp(settled_within * accuracy.eps, least_settled, most_settled);
}

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
      samples_(series.measurement, *traits_, series.precision.state, follows_clock(series, point_)),
      settling_(settled_tolerance(accuracy_), 0),
      visit_length_(series.precision.batches.value_or(first_visit_length)),
      incarnations_(std::max(1, incarnations)),
      first_incarnation_(first_incarnation) {}

bool OpenPoint::is_long() const { return tuning_.per_rep > long_action; }

void OpenPoint::calibrated(const Tuning& tuning) {
  // The same repetitions again: what was seen still counts.
  if (tuning.reps != tuning_.reps) {
    samples_.clear();
    const double batch = tuning.per_rep.count * static_cast<double>(tuning.reps.count);
    settling_ = Settling(settled_tolerance(accuracy_),
                         static_cast<std::size_t>(std::min(most_settling, longest_settling.count / batch)));
    parts_.clear();
    counted_.clear();
  }
  tuning_ = tuning;
  batch_length_ = {};
  ++calibrations_;
}

bool OpenPoint::needs_calibration() const {
  if (!is_calibrated()) return true;
  if (calibrations_ >= most_calibrations || !(batch_length_ > Nanoseconds{})) return false;
  // Of a fifth of what is wanted the clock does not resolve what is asked for.
  return batch_length_ < tuning_.wanted / 2 || usual_duration_ < tuning_.wanted / 4;
}

Nanoseconds OpenPoint::duration_of(const Batch& batch) const {
  const Quantity& primary = series_->measurement.quantities.front();
  if (primary.unit == Unit::nanoseconds && primary.per == Per::event && !primary.is_signed)
    if (const auto each = observe(batch, series_->measurement, 0, *traits_))
      return {*each * static_cast<double>(batch.reps.count) * traits_->events_per_rep};
  return slowest_wall(batch);
}

VisitOrder OpenPoint::next_order() const {
  VisitOrder order;
  order.reps = tuning_.reps;
  order.discard = std::max(least_discard(), static_cast<int>(settling_.steady_from()));
  order.most_discard = std::max(order.discard, most_discard);
  order.batches = visit_length_;
  if (!series_->precision.batches) order.batches = std::max(order.batches, batches_to_settle() - order.discard);
  if (is_long()) {
    order.batches = 1;
    order.most_discard = order.discard;
  }
  const Nanoseconds predicted = time_of(order);
  order.deadline = std::max({series_->precision.deadline, std::min(visit_patience * predicted, longest_deadline),
                             least_patience * predicted});
  return order;
}

/// As long as nothing is known of how its visits start. A batch of milliseconds is as long as several, and its process
/// was warmed up by one at the least. Of laws the same seed is to yield the same values, so as many are drawn as ever.
int OpenPoint::least_discard() const {
  const int usual = members_of(*series_, point_) > 1 ? 2 : 1;
  if (is_long() && visited_.contains(next_incarnation())) return 0;
  if (traits_->simulated) return usual;
  if (is_long()) return 1;
  return tuning_.per_rep * static_cast<double>(tuning_.reps.count) >= own_start ? 0 : usual;
}

/// Of a visit that shows where its start ends. Where batches are short, a longer one costs little beside what surrounds
/// it.
int OpenPoint::batches_to_settle() const {
  const std::size_t far = settling_.length_to_see(segments_seen);
  const Nanoseconds length = tuning_.per_rep * static_cast<double>(tuning_.reps.count) * static_cast<double>(far);
  const bool is_fading = settling_.steady_from() > 1 && length < short_visit;
  return static_cast<int>(is_fading ? far : settling_.length_to_see(segments_after_start));
}

Nanoseconds OpenPoint::time_of(const VisitOrder& order) const {
  return tuning_.per_rep * static_cast<double>(tuning_.reps.count) * (order.most_discard + order.batches);
}

Nanoseconds OpenPoint::next_cost() const {
  if (opened_.empty()) return {};
  const bool is_open = opened_.contains(next_incarnation());
  return time_of(next_order()) + (is_open ? Nanoseconds{} : latest_.warm_up);
}

bool OpenPoint::may_wait_after(Nanoseconds probe) {
  refused_for_ += probe;
  return ++refused_ < most_refusals && (visits_ == 0 || refused_for_ < spent_ / visits_);
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
  settle_by(judged);
  take_visit({place.session, place.incarnation, place.visit, distance_in(yield.reference), yield.apart, kept,
              yield.nodes, static_cast<std::size_t>(yield.discarded), time_of_values(place.at),
              spread_before(judged, static_cast<std::size_t>(yield.discarded))},
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
  settle_by(visit.batches);
  take_visit({visit.session, visit.incarnation, visit.visit, distance_in(visit.reference), visit.apart, kept,
              visit.nodes, static_cast<std::size_t>(visit.discarded), time_of_values(visit.at),
              spread_before(visit.batches, static_cast<std::size_t>(visit.discarded))},
             {visit.session, visit.incarnation, visit.visit, visit.at, visit.took});
  restored_ = visits_;
  spent_before_ = spent_;
}

// Visits without a span are of one moment. And laws do not change with the time of the machine that draws from them:
// the same seed is to yield the same intervals.
Nanoseconds OpenPoint::time_of_values(Nanoseconds at) const {
  const bool is_spread = series_->precision.span > Nanoseconds{} && !traits_->simulated;
  return is_spread ? at : Nanoseconds{};
}

/// Members that share a CPU have none, nor have those that waited for one; simulated cores stay where they are, and of
/// ranks there is one only where their launcher bound them (RankTeam::reference).
std::optional<Nanoseconds> OpenPoint::distance_in(std::optional<Nanoseconds> reference) const {
  if (traits_->simulated || vehicle_of(*series_, point_) == "mpi") return reference;
  const bool is_distance = reference && *reference <= longest_distance;
  return is_distance && !placement_of(*series_, point_).shares_cpu() ? reference : std::nullopt;
}

void OpenPoint::take_clock(std::optional<Nanoseconds> bound) {
  if (bound) clock_bound_ = std::max(*bound, clock_bound_.value_or(*bound));
}

/// What earlier visits kept is left out as well, once it is known that it was not steady yet.
void OpenPoint::settle_by(std::span<const JudgedBatch> batches) {
  const Quantity& primary = series_->measurement.quantities[0];
  const bool is_time = primary.unit == Unit::nanoseconds && !primary.is_signed;
  // Without a warm-up, the start is what is asked for.
  if (!is_time || is_long() || series_->precision.warm_up == Nanoseconds{}) return;
  std::vector<double> times;
  for (const auto& [batch, judgement] : batches) {
    const auto value = judgement.disturbed.any() ? std::nullopt : observe(batch, series_->measurement, 0, *traits_);
    times.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  settling_.add(times);
  samples_.leave_out(settling_.steady_from());
}

void OpenPoint::take_visit(const VisitedBatches& visit, const VisitPlace& place) {
  batch_length_ = {};
  std::vector<double> lengths;
  std::vector<double> durations;
  for (const JudgedBatch& judged : visit.kept) {
    const Nanoseconds length = slowest_wall(judged.batch);
    batch_length_ = batch_length_ > Nanoseconds{} ? std::min(batch_length_, length) : length;
    lengths.push_back(length.count);
    durations.push_back(duration_of(judged.batch).count);
    ++batches_;
    for (std::size_t cause = 0; cause < causes_.size(); ++cause)
      causes_.at(cause) += judged.judgement.disturbed.test(cause);
  }
  if (!lengths.empty()) {
    in_usual_batches_ += Nanoseconds{median(lengths) * static_cast<double>(lengths.size())};
    usual_duration_ = {median(durations)};
  }
  samples_.add(visit, *levels_);
  if (visits_ == 0) first_ = place.at;
  began_ = place.at;
  last_ = place.at + place.took;
  spent_ += place.took;
  taken_ += place.is_taken ? 1 : 0;
  visited_.insert(place.incarnation);
  counted_.insert(place.incarnation);
  ++visits_;
  refused_ = 0;
  refused_for_ = {};
}

CoreState OpenPoint::answered() const {
  const CoreState wanted = samples_.wanted_state();
  const CoreState found{.spread = wanted.spread};
  for (const CoreState& state : {wanted, found})
    if (clean(0, state) >= least_observations && (state == found || !lacks_visits(state, found))) return state;
  return {};
}

/// Too few for an interval, where those of all states together make one.
bool OpenPoint::lacks_visits(const CoreState& state, const CoreState& all) const {
  const auto visits_in = [this](const CoreState& some) {
    return samples_.sample({0, samples_.dominant(some), some}).visits();
  };
  return visits_in(state) < fewest_visits && visits_in(all) >= enough_visits;
}

const Sample& OpenPoint::answered_sample() const {
  const CoreState state = answered();
  return samples_.sample({0, samples_.dominant(state), state});
}

std::size_t OpenPoint::clean(std::size_t quantity, const CoreState& state) const {
  std::size_t sum = 0;
  for (const auto& [key, sample] : samples_.samples())
    sum += key.quantity == quantity && key.state == state ? samples_.sample(key).size() : 0;
  return sum;
}

std::size_t OpenPoint::disturbed(std::size_t quantity, const CoreState& state) const {
  std::size_t sum = 0;
  for (const auto& [key, sample] : samples_.samples())
    sum += key.quantity == quantity && key.state == state ? samples_.sample(key).disturbed() : 0;
  return sum;
}

double OpenPoint::disturbed_share() const {
  const CoreState state = answered();
  const auto bad = static_cast<double>(disturbed(0, state));
  return bad > 0 ? bad / (bad + static_cast<double>(clean(0, state))) : 0;
}

Spent OpenPoint::spent_on(std::size_t quantity, Regime regime) const {
  const Quantity& q = series_->measurement.quantities[quantity];
  const double by_law = samples_.law({quantity, regime, samples_.wanted_state()}).unknown;
  return {budgeted(), half_step_of(q), std::hypot(between_campaigns(quantity, regime), by_law)};
}

double OpenPoint::half_step_of(const Quantity& quantity) const {
  if (quantity.unit != Unit::nanoseconds || !is_calibrated()) return 0;
  // A time of the batch as a whole is not the one between the batch's two stamps: it is claimed as it is, and at best a
  // difference of readings that count whole nanoseconds.
  if (quantity.per == Per::batch) return counted_time / 2;
  const double events = static_cast<double>(tuning_.reps.count) * traits_->events_per_rep;
  return tuning_.clock_step.count / (2 * events);
}

// What the kernel's scheduler takes part in is 0.45 per cent longer or shorter from campaign to campaign where others
// use the cores, however well each one knows it, what members poll somewhat more, by what others do with their cache,
// what those that sleep at times find when awake five times as much, since which ones do is luck, and what takes memory
// from the kernel in each event one per cent; a lock or a read of the clock is not (doc/method.md, the headline
// interval; tests/bench/README.md has the campaigns).
double OpenPoint::between_campaigns(std::size_t quantity, Regime regime) const {
  // Relative half-widths: twice the standard deviation.
  constexpr double by_scheduler = 0.009;
  constexpr double by_polling = 0.0125;
  constexpr double by_luck = 0.045;
  constexpr double by_memory = 0.02;
  constexpr double always = 0.99;
  if (traits_->simulated || series_->measurement.quantities[quantity].unit != Unit::nanoseconds) return 0;
  if (samples_.shares().alone >= always) return 0;
  if (traits_->takes_memory) return by_memory;
  if (regime == Regime::spin) return polls_throughout(quantity) ? by_polling : by_luck;
  return regime == Regime::blocked || is_between(regime) ? by_scheduler : 0;
}

bool OpenPoint::polls_throughout(std::size_t quantity) const {
  const CoreState state = samples_.wanted_state();
  const std::size_t polled = samples_.sample({quantity, Regime::spin, state}).size();
  return static_cast<double>(polled) >= hardly_any_other * static_cast<double>(clean(quantity, state));
}

/// Visits cost more than their batches: the longer they are, the less of the time goes to what surrounds them; the more
/// they differ from each other, the less a longer one contributes.
void OpenPoint::choose_visit_length() {
  if (series_->precision.batches || is_long() || batches_ == 0 || !(in_usual_batches_ > Nanoseconds{})) return;
  // What a visit to simulated members costs says nothing of them: the same seed is to yield the same values.
  if (traits_->simulated) return;
  // Of the mean, the few batches decide in which spinning members had to share a CPU until the scheduler parted them.
  const Nanoseconds each = in_usual_batches_ / static_cast<double>(batches_);
  const Nanoseconds around = (spent_ - in_usual_batches_) / visits_;
  const double share = std::clamp(static_cast<double>(primary().size()) / static_cast<double>(batches_), 0.01, 1.0);
  // What the rule allows of timings is for a hundred visits at least, however dear they are: of those that have any in
  // the state wanted, since then most of them are.
  const double counted = std::min(1.0, share * visits_ / std::max(1, primary().visits()));
  const double most = std::max(32.0, static_cast<double>(max_timings_) / 100 / counted);
  visit_length_ =
      std::min(visit_length(primary(), std::max(0.0, around / each), share), static_cast<int>(std::min(most, 1e6)));
}

void OpenPoint::grow(const Verdict& verdict, int most_incarnations) {
  const bool decides = verdict.estimate.basis == "incarnations";
  const bool missed = verdict.estimate.relative_half_width() > accuracy_.eps;
  if (decides && missed && incarnations_ < most_incarnations && primary().incarnations() >= incarnations_)
    ++incarnations_;
}

}  // namespace assay
