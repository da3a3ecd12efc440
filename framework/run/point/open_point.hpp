// SPDX-License-Identifier: Apache-2.0
// Room: one point while it is measured: calibration, samples, states, result.
// One point while it is being measured: its samples by quantity, regime and state, its incarnations, its budget.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "run/point/named_parts.hpp"
#include "run/point/state_samples.hpp"
#include "stats/sample/sample.hpp"
#include "stats/steadiness/settling.hpp"

namespace assay {

/// What the calibration of a point fixes.
struct Tuning {
  Reps reps{0};
  Nanoseconds per_rep{};  ///< wall time: decides about long actions and deadlines
  Nanoseconds clock_step{};
  Nanoseconds wanted{};  ///< length of a batch that the clock needs; 0 where more repetitions are not possible
};

/// When a visit happened, and where it belongs.
struct VisitPlace {
  int session = 0;
  int incarnation = 0;
  int visit = 0;                ///< counts through the campaign
  Nanoseconds at{};             ///< since the session's start
  Nanoseconds took{};           ///< wall time
  Disturbances disturbed = {};  ///< what happened to all batches of the visit
  bool is_taken = false;        ///< others had much of the CPUs when it began
};

/// Clean observations that are a result.
inline constexpr std::size_t least_observations = 5;

/// An open point. Knows numbers only: no host, no clock, no file.
class OpenPoint {
 public:
  /// Borrows series and rule. `incarnations` are wanted at first, numbered from `first_incarnation` on.
  OpenPoint(const SeriesPlan& series, std::size_t series_index, Point point, const StoppingRule& rule, int incarnations,
            int first_incarnation = 0);

  /// What the point means (run/series/identity.hpp), for its records; empty until it is named.
  const std::string& id() const { return id_; }
  void name(std::string id) { id_ = std::move(id); }
  /// What is known of the cores, from here on; borrowed. Without it nothing is.
  void judge_by(const CoreLevels& levels) { levels_ = &levels; }
  std::size_t series_index() const { return series_index_; }
  const Point& point() const { return point_; }
  const SeriesPlan& series() const { return *series_; }
  const Traits& traits() const { return *traits_; }
  /// What its rule aims at.
  const Accuracy& accuracy() const { return accuracy_; }

  /// The incarnation that the next visit belongs to: dealt in turn over the incarnations wanted so far.
  int next_incarnation() const { return first_incarnation_ + visits_ % incarnations_; }
  int incarnations() const { return incarnations_; }
  /// Those that were opened.
  const std::set<int>& opened() const { return opened_; }
  void open(int incarnation, const Opened& answer) {
    opened_.insert(incarnation);
    latest_ = answer;
  }
  /// The incarnation's process is gone; the next visit to it opens another one.
  void lose(int incarnation) { opened_.erase(incarnation); }
  /// Takes note of a probe that found its cores in another state than the one wanted, and of what it cost. False when
  /// the visit is due all the same: after 20 of them in a row, and after those that cost as much as a visit does.
  bool may_wait_after(Nanoseconds probe);
  /// True where its batches last longer than states of the cores do.
  bool outlasts_states() const { return samples_.outlasts_states(); }
  /// What the latest of them said when it was opened.
  const Opened& latest() const { return latest_; }

  /// Reps are fixed per point: one number of events for all of its observations. Those of an earlier calibration are
  /// forgotten; the journal has them.
  void calibrated(const Tuning& tuning);
  bool is_calibrated() const { return tuning_.reps.count > 0; }
  /// True when a batch turned out less than half as long as the clock needs, or most batches of a visit less than an
  /// eighth, their members' waits for each other left out, because the action was disturbed or the clock jumped while
  /// they were calibrated; at most three times.
  bool needs_calibration() const;
  /// How long a batch took by the primary claim, or by the wall clock where the primary quantity is not a time.
  Nanoseconds duration_of(const Batch& batch) const;
  Reps reps() const { return tuning_.reps; }
  /// True for actions above 10 ms: visits of one batch, discards in the first visit of an incarnation only.
  bool is_long() const;
  /// What the next visit is to do. Its deadline is 20 times the time predicted, within the series' deadline and 10 min.
  VisitOrder next_order() const;
  /// What the next visit is predicted to take, the warm-up of a process included where it needs a fresh one; 0 while
  /// nothing is known.
  Nanoseconds next_cost() const;

  /// What a reference round trip says of the members' distance: nothing where they shared a CPU, or waited for one.
  std::optional<Nanoseconds> distance_in(std::optional<Nanoseconds> reference) const;
  /// Judges the batches of a visit and adds the kept ones to the samples; returns all of them judged, for the journal.
  std::vector<JudgedBatch> add(const VisitYield& yield, const VisitPlace& place);
  /// Takes back a visit of an earlier session as it was judged then, made with that session's repetitions; visits made
  /// with others before do not count, nor do any whose batches are too short for the accuracy that is wanted now.
  /// `clock_step` is that of its incarnation.
  void restore(const VisitRecord& visit, Nanoseconds clock_step);
  /// The rule's verdict on the primary quantity in the state that is wanted, in its dominant regime; open between
  /// analyses. Adds an incarnation, up to `most_incarnations`, while the between-process part decides the interval and
  /// the target is missed. Does not converge while more than precision.too_noisy of the batches are disturbed. At a
  /// spent budget says `too_noisy` when fewer than 10 batches were not disturbed, which leaves no value, and before it
  /// when that can be foreseen: after 16 visits in a row without a single one; and `as_found` when hardly one was in
  /// the state that is wanted. Long actions get at least 5 observations, whatever their budget.
  Verdict check(int most_incarnations);
  /// The rule's estimate at its last interim analysis; nothing before the first that had an interval.
  const std::optional<Estimate>& latest_estimate() const { return latest_estimate_; }
  /// Of the batches in the state that is answered for.
  double disturbed_share() const;
  /// Of the clean batches so far.
  StateShares state_shares() const { return samples_.shares(); }
  /// True when the rule was satisfied at its last interim analysis.
  bool is_satisfied() const { return satisfied_; }
  /// Evaluates the rule between two analyses: its verdict where it is satisfied; nothing, and no longer satisfied,
  /// where not.
  std::optional<Verdict> confirm();
  /// When the next visit may happen, in the campaign's time: those that the point is predicted to need within its
  /// budget are spread evenly over what is left of precision.span, with no pause above a 32nd of it where the budget
  /// allows.
  Nanoseconds due() const;
  /// Whether a design waits for what is found of it: its visits are due in quicker succession then.
  void set_awaited(bool awaited) { is_awaited_ = awaited; }
  /// Whether visits before they are due are of use: what is known to the accuracy wanted, and whose visits have to span
  /// a time yet, may become known twice as well, for up to half of its budget.
  bool may_sharpen() const;
  /// Whether more visits are of use though its rule is satisfied: until it is known twice as well as was asked for,
  /// with no more time than it may be extended to.
  bool can_be_sharper() const;
  /// It goes on for that, until a look finds that its rule is not satisfied any more.
  void sharpen() { is_sharpened_ = true; }
  bool is_sharpened() const { return is_sharpened_ && satisfied_; }
  /// True when the latest check ended because the time of the rule's budget was spent.
  bool is_out_of_time() const { return out_of_time_; }
  /// What that budget still allows.
  Nanoseconds time_left() const { return std::max(Nanoseconds{}, max_time_ - budgeted()); }
  /// The same without what it was extended by.
  Nanoseconds time_left_own() const { return std::max(Nanoseconds{}, max_time_ - spent_); }
  /// The same with all that it may be extended by.
  Nanoseconds time_left_extended() const {
    return std::max(Nanoseconds{}, (1 + most_extensions()) * max_time_ - spent_);
  }
  /// Time in visits that it is predicted to need in all, a further visit included: before it has an interval, twice the
  /// least that its rule can be satisfied with; 0 before the first visit.
  Nanoseconds wanted() const;
  /// True where twice its budget, with all that it may be extended by, is as much: predictions move from look to look.
  bool is_within_reach() const { return wanted() <= 2 * (spent_ + time_left_extended()); }
  /// The campaign's time before which it does not end.
  Nanoseconds spread() const { return visits_ == 0 ? Nanoseconds{} : first_ + series_->precision.span; }
  /// Extends it: by a quarter of what the rule gives, up to four times that, and eight where its interval is as narrow
  /// as asked for, and what it rests on is not enough.
  Nanoseconds next_extension() const { return max_time_ / 4; }
  bool may_be_extended() const { return extra_ < most_extensions() * max_time_; }
  void extend() { extra_ += next_extension(); }
  bool is_extended() const { return extra_ > Nanoseconds{}; }
  /// Takes back what was not spent of it: the next check is at the end of the budget.
  void end_extension() { extra_ = spent_ - max_time_; }
  /// The verdict when measuring must end now: converged, or `outcome` with what has been reached.
  Verdict stopped(Outcome outcome, const std::string& why) const;
  /// The finished point with a result for each quantity and regime of at least 5 clean observations, the primary one in
  /// its dominant regime first and in any case: in the state that is wanted where that has 5 observations, else as
  /// found. Other states of three visits and more stand beside it.
  PointRecord finish(const Verdict& verdict);
  /// The same where measuring has to end now, for another reason than its rule.
  PointRecord finish(Outcome outcome, const std::string& why);
  /// What is derived of the point by itself, after finish(), where it has results: the parts of its primary quantity
  /// that the measurement found by name; and what the series asks for of tails, which is quantiles of a quantity, its
  /// largest observation and the shape of its tail, from the observations in the dominant regime of the state that is
  /// answered for.
  std::vector<DerivedRecord> derived() const;
  int visits() const { return visits_; }
  Nanoseconds spent() const { return spent_; }
  /// Of these, the ones that were not restored.
  int visits_here() const { return visits_ - restored_; }
  Nanoseconds spent_here() const { return spent_ - spent_before_; }
  /// Incarnations with a visit that counts, those of restored ones included.
  int processes() const { return static_cast<int>(counted_.size()); }

 private:
  /// In budgets beyond the own one.
  double most_extensions() const;
  using Key = StateSamples::Key;
  DerivedRecord derived_like(std::size_t quantity) const;
  void take_clock(std::optional<Nanoseconds> bound);
  void take_visit(const VisitedBatches& visit, const VisitPlace& place);
  /// Of a visit that began then.
  Nanoseconds time_of_values(Nanoseconds at) const;
  void settle_by(std::span<const JudgedBatch> batches);
  int least_discard() const;
  int batches_to_settle() const;
  Nanoseconds time_of(const VisitOrder& order) const;
  void choose_visit_length();
  CoreState answered() const;
  const Sample& primary() const { return samples_.primary(); }
  bool lacks_visits(const CoreState& state, const CoreState& all) const;
  const Sample& answered_sample() const;
  std::size_t clean(std::size_t quantity, const CoreState& state = {}) const;
  std::size_t disturbed(std::size_t quantity, const CoreState& state = {}) const;
  Spent spent_on(std::size_t quantity, Regime regime) const;
  /// On the primary quantity, in the regime that it mostly has there.
  Spent spent_in(const CoreState& state) const { return spent_on(0, samples_.dominant(state)); }
  double half_step_of(const Quantity& quantity) const;
  double between_campaigns(std::size_t quantity, Regime regime) const;
  /// Whether its members found each other awake in nearly all batches of the state that is wanted.
  bool polls_throughout(std::size_t quantity) const;
  /// What counts for the budget: not what was allowed beyond it.
  Nanoseconds budgeted() const { return spent_ - extra_; }
  bool may_fluctuate(const Verdict& verdict) const;
  bool is_for_lack_of_time(const Verdict& verdict) const;
  Verdict ask_rule();
  double missing_width(const Estimate& estimate, double shrinks = 1) const;
  double visits_needed(const Verdict& verdict) const;
  int look_from(int visits) const;
  Nanoseconds span_wanted() const;
  double affordable_visits() const;
  Verdict ask_rule_finally();
  Verdict conclusion(Verdict verdict);
  std::optional<Verdict> clock_failure() const;
  std::optional<Verdict> displacement() const;
  std::optional<Verdict> fruitlessness() const;
  bool is_hopeless() const;
  std::optional<Verdict> absence() const;
  bool may_wait(std::size_t good) const;
  bool lacks_interval(const Verdict& verdict) const;
  bool is_much_disturbed() const;
  Verdict when_met(Verdict verdict);
  int parts_of_span(const Sample& sample) const;
  bool is_of_few_moments(const Sample& sample) const;
  std::string parts_seen(const Sample& sample) const;
  std::string few_moments() const;
  Verdict at_budget(Verdict verdict) const;
  void grow(const Verdict& verdict, int most_incarnations);
  void add_results(PointRecord& record, const CoreState& state, const Verdict& verdict) const;
  bool is_another(const Key& key, const Sample& sample, const CoreState& state) const;
  double state_share(std::size_t quantity, const CoreState& state) const;
  Verdict verdict_on(const Key& key, const Sample& sample) const;
  CoreClock clock_of(std::size_t quantity, const CoreState& state) const;
  bool was_much_taken() const;
  bool is_much_shared(const CoreState& state) const;
  Result result(const Key& key, const Sample& sample, Verdict verdict) const;

  std::string id_;
  const SeriesPlan* series_;
  std::size_t series_index_;
  Point point_;
  const Traits* traits_;
  const StoppingRule* rule_;
  Accuracy accuracy_;
  double least_visits_;
  Nanoseconds max_time_;
  std::size_t max_timings_;
  const CoreLevels* levels_;
  StateSamples samples_;
  Settling settling_;
  NamedParts parts_;
  DisturbanceCounts causes_{};
  std::vector<double> reference_;           ///< reference round trips by visit, in ns
  std::optional<Nanoseconds> clock_bound_;  ///< largest so far
  Tuning tuning_;
  int calibrations_ = 0;
  Nanoseconds batch_length_{};    ///< shortest batch of the last visit
  Nanoseconds usual_duration_{};  ///< median of its batches' own times
  int visit_length_;
  Nanoseconds in_usual_batches_{};  ///< of `spent_`: as though each batch were as long as the median of its visit
  std::size_t batches_ = 0;         ///< kept
  std::set<int> opened_;
  Opened latest_;
  std::set<int> visited_;
  std::set<int> counted_;  ///< of them, those with the same repetitions as now
  int visits_ = 0;
  int restored_ = 0;           ///< of them
  int refused_ = 0;            ///< probes since the last of them
  Nanoseconds refused_for_{};  ///< what those cost
  int displaced_ = 0;          ///< visits in a row in which every batch was elsewhere
  bool satisfied_ = false;
  bool is_sharpened_ = false;
  bool is_awaited_ = false;
  std::optional<Estimate> latest_estimate_;
  double foreseen_ = 0;    ///< from it: visits that the point wants in all
  int foreseen_look_ = 0;  ///< the rule's first look from there on: thousands of steps to find where that is far
  int fruitless_ = 0;      ///< visits of this session in a row in which every batch was disturbed
  int incarnations_;
  int first_incarnation_;
  Nanoseconds spent_{};
  Nanoseconds spent_before_{};  ///< of it, in restored visits
  Nanoseconds extra_{};         ///< of it, beyond the budget
  bool out_of_time_ = false;
  Nanoseconds first_{};  ///< when its first visit began, and its last one, and when that ended
  Nanoseconds began_{};
  Nanoseconds last_{};
  int taken_ = 0;  ///< visits of this session while others took much of the CPUs
};

/// A point that yields no number.
PointRecord finish_without(const SeriesPlan& series, const Point& point, Outcome outcome, const std::string& reason,
                           const std::string& code = {});

/// The derived values of a series over its finished points: of the primary quantity, or the one named, from each
/// point's dominant regime, never across regimes; a difference or ratio for each group of points that are equal but for
/// the factor; a slope, or the plateaus of the curve, for each group and regime, over the points that were in it for a
/// quarter of their batches. What an input lacks makes the value invalid, with the reason.
std::vector<DerivedRecord> derive(const SeriesPlan& series, const std::vector<PointRecord>& points);

}  // namespace assay
