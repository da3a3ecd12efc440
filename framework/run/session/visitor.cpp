// SPDX-License-Identifier: Apache-2.0
// The steps of a visit: incarnation, calibration, order, record.
#include "run/session/visitor.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "run/point/invalid_result.hpp"
#include "run/point/named_parts.hpp"
#include "team/batch_classifier.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr double trial_patience = 20;
constexpr int again_at_once = 4;                    // trials of a number of repetitions after the first
constexpr Nanoseconds longest_wait = seconds(600);  // that a trial is waited for, whatever the earlier ones claimed
// Members on CPUs of their own come to a batch from where they were gathered, not from one another, and batches have
// other work in them besides.
constexpr Reps several_of_a_team{32};
// Buffers of an MPI library were left by what the framework sent between two batches: messages of 256 bytes took a
// tenth longer on near cores in batches of 12, and a third on distant ones, until they had been around in them.
constexpr Reps several_of_ranks{64};
constexpr Nanoseconds long_trial = milliseconds(1);  // what comes before such a batch does not matter

/// Time of a repetition while it was warmed up; 0 when it was not.
Nanoseconds warm_time(const Opened& opened) {
  return opened.warm_up_reps > 0 ? opened.warm_up / static_cast<double>(opened.warm_up_reps) : Nanoseconds{};
}

// Not where members poll, as ranks do: among more of them than CPUs a time slice is the price of any repetition.
Reps several_for(const OpenPoint& point) {
  if (members_of(point.series(), point.point()) < 2 || point.traits().simulated) return Reps{1};
  if (vehicle_of(point.series(), point.point()) == "mpi") return point.latest().is_crowded ? Reps{1} : several_of_ranks;
  const Waiting waiting = point.traits().waiting;
  return waiting == Waiting::blocks || waiting == Waiting::either ? several_of_a_team : Reps{1};
}

/// Whether some of the members share a CPU: those wait for each other behind a batch, too. Where nothing binds them the
/// first exchange of a pipe took 5 % longer than the others.
bool are_gathered(const OpenPoint& point) {
  std::vector<int> cpus = point.latest().cpus;
  std::ranges::sort(cpus);
  return std::ranges::adjacent_find(cpus) != cpus.end();
}

CalibrationLimits limits_of(const OpenPoint& point, const Surroundings& world) {
  const Opened& opened = point.latest();
  CalibrationLimits limits;
  limits.tick = world.tick;
  // Of ranks only this one's node is known, and messages want long batches.
  const bool is_here = !point.traits().simulated && vehicle_of(point.series(), point.point()) != "mpi";
  if (is_here) limits.undisturbed = world.interruptions().undisturbed();
  limits.gathered = is_here && are_gathered(point);
  limits.expected = warm_time(opened);
  limits.eps = point.accuracy().eps;
  limits.reps = point.traits().reps;
  limits.several = several_for(point);
  limits.ordered = {static_cast<std::int64_t>(point.series().precision.reps.value_or(0))};
  // Simulated time advances by whole nanoseconds, whatever the clock of the process does.
  limits.clock_step = point.traits().simulated ? Nanoseconds{1} : opened.clock_step;
  limits.clock_spread = point.traits().simulated ? Nanoseconds{} : opened.clock_spread;
  return limits;
}

void require_valid(const VisitYield& yield, const SeriesPlan& series) {
  if (const std::string what = invalid_result(yield, series.measurement); !what.empty())
    throw VisitFailed(Outcome::failed, "invalid result: " + what);
}

/// Batches of calibration: one at a time, and several where the same is asked for again and does not take long; none
/// is journalled.
class Trials {
 public:
  Trials(Host& host, const IncarnationKey& key, const OpenPoint& point)
      : host_(host), key_(key), point_(point), per_rep_(warm_time(point.latest())) {}

  TrialTime operator()(Reps reps) {
    const bool is_again = reps == reps_;
    if (!is_again) waiting_.clear();
    reps_ = reps;
    if (waiting_.empty()) make(is_again);
    const TrialTime took = waiting_.front();
    waiting_.pop_front();
    per_rep_ = took.whole / static_cast<double>(reps.count);
    return took;
  }
  /// Wall time of a repetition in the last trial.
  Nanoseconds per_rep() const { return per_rep_; }

 private:
  void make(bool is_again) {
    const Nanoseconds predicted = per_rep_ * static_cast<double>(reps_.count);
    const bool is_short = predicted > Nanoseconds{} && predicted < long_trial;
    const int batches = is_again && is_short ? again_at_once : 1;
    const Nanoseconds deadline =
        std::max(point_.series().precision.deadline, std::min(batches * trial_patience * predicted, longest_wait));
    // The first batch after a pause is slower by a few microseconds, which would pass for the action's own time.
    const int discard = is_short ? 1 : 0;
    const VisitYield yield = host_.visit(key_, {reps_, discard, discard, batches, false, deadline});
    require_valid(yield, point_.series());
    for (auto batch = yield.batches.end() - batches; batch != yield.batches.end(); ++batch) {
      const Nanoseconds duration = point_.duration_of(*batch);
      // What is simulated must not depend on the machine's own time, which decides how many batches are drawn.
      const bool is_simulated = point_.traits().simulated;
      waiting_.push_back({duration, is_simulated ? duration : std::max(duration, slowest_wall(*batch))});
    }
  }

  Host& host_;
  const IncarnationKey& key_;
  const OpenPoint& point_;
  Nanoseconds per_rep_;
  Reps reps_{0};
  std::deque<TrialTime> waiting_;
};

std::optional<Nanoseconds> clock_bound_of(const VisitYield& yield) {
  return yield.clock ? std::optional(yield.clock->bound) : std::nullopt;
}

/// Of ranks the team knows whether they have a distance: rank 0 may use its own CPU only.
bool wants_reference(const OpenPoint& point, std::size_t usable_cpus) {
  const bool is_known = point.traits().simulated || vehicle_of(point.series(), point.point()) == "mpi";
  return members_of(point.series(), point.point()) > 1 &&
         (is_known || can_spin(point.series(), point.point(), usable_cpus));
}

/// The members' CPUs by rank, none where nothing binds them. Simulated cores are numbered as the members are.
std::vector<int> cpus_of(const OpenPoint& point) {
  if (!point.traits().simulated) return point.latest().cpus;
  std::vector<int> cpus(static_cast<std::size_t>(members_of(point.series(), point.point())));
  std::iota(cpus.begin(), cpus.end(), 0);
  return cpus;
}

/// Whether a probe tells which cores it was of. That of ranks does where the host says so.
bool says_where(const OpenPoint& point) {
  if (point.traits().simulated || !point.latest().cpus.empty()) return true;
  return vehicle_of(point.series(), point.point()) != "mpi" || point.latest().is_looked_at;
}

}  // namespace

void Visitor::open(OpenPoint& point, const IncarnationKey& key) {
  const Nanoseconds asked = time();
  const Opened opened = host_->open(key);
  const Nanoseconds took = std::max(Nanoseconds{}, time() - asked - opened.warm_up_took);
  point.open(key.incarnation, opened);
  ++started_;
  sink_->write(IncarnationRecord{point.series().name, key.point, session_, key.incarnation, opened.process, opened.cpus,
                                 opened.warm_up, opened.warm_up_reps, opened.stack_padding,
                                 placement_of(point.series(), key.point).memory, limits_of(point, *world_).clock_step,
                                 point.id(), took, opened.loop_copy});
}

void Visitor::tune(OpenPoint& point, const IncarnationKey& key) {
  const CalibrationLimits limits = limits_of(point, *world_);
  const Reps before = point.reps();
  Trials trials(*host_, key, point);
  try {
    Calibration chosen = calibrate(limits, std::ref(trials));
    if (before.count == 0) chosen = twinned(point, key.point, std::move(chosen), limits);
    // Batches were too short; what came in between while they were calibrated again does not ask for shorter ones.
    chosen.reps = std::max(chosen.reps, before);
    point.calibrated({chosen.reps, std::max(chosen.per_rep, trials.per_rep()), limits.clock_step, chosen.wanted});
    remark(point, chosen.remark);
    if (before.count > 0 && chosen.reps != before)
      remark(point, "batches were shorter than the clock requires; calibrated again from " +
                        counted(static_cast<std::size_t>(before.count), "repetition") + " to " +
                        std::to_string(chosen.reps.count) + ", and earlier visits are discarded");
  } catch (const FrozenClock& frozen) {
    throw VisitFailed(Outcome::failed, frozen.what());
  }
}

/// Variants are compared: batches of 8 and of 32 repetitions of one program differed by 5 %.
Calibration Visitor::twinned(const OpenPoint& point, const Point& at, Calibration chosen,
                             const CalibrationLimits& limits) {
  if (at.find(variant_factor_name) == nullptr) return chosen;
  const std::string name = point.series().name + '\n' + to_text(at.without(variant_factor_name));
  const auto [twin, is_first] = twins_.try_emplace(name, chosen.reps);
  return is_first ? chosen : like_twin(std::move(chosen), twin->second, limits);
}

void Visitor::remark(const OpenPoint& point, const std::string& text) {
  if (!text.empty())
    sink_->write(NoteRecord{"series " + point.series().name + ": " + to_text(point.point()) + ": " + text});
}

/// Keeps what is known of a worker that failed. A point that cannot be had here is no failure.
void Visitor::keep(const OpenPoint& point, int incarnation, const VisitFailed& failure) {
  if (failure.outcome() != Outcome::failed && failure.outcome() != Outcome::timeout) return;
  const Evidence& seen = failure.evidence();
  sink_->write(FailureRecord{point.series().name, point.point(), session_, incarnation, visits_, failure.outcome(),
                             failure.what(), seen.last_heard, seen.output, seen.threads});
}

void Visitor::keep_notes() {
  for (const std::string& note : host_->notes()) sink_->write(NoteRecord{note});
}

bool Visitor::visit(OpenPoint& point, int round) {
  const IncarnationKey key{point.series_index(), point.point(), point.next_incarnation()};
  try {
    return visit(point, key, round);
  } catch (const VisitFailed& failure) {
    keep(point, key.incarnation, failure);
    keep_notes();
    throw;
  }
}

/// A probe costs a hundredth of a visit. Other work on the core comes and goes within microseconds or hours: no
/// point is refused forever.
bool Visitor::is_worth(OpenPoint& point, const IncarnationKey& key) {
  const bool is_wanted = point.series().precision.state != WantedState::any && !point.outlasts_states();
  const bool is_simulated = point.traits().simulated;
  const std::vector<int> cpus = cpus_of(point);
  if (!is_wanted || !says_where(point) || !cores_.looks_pay(is_simulated) ||
      !point.opened().contains(key.incarnation) || point.needs_calibration())
    return true;
  const Nanoseconds from = time();
  const VisitYield seen = host_->visit(key, look_order(point.next_order().deadline));
  const Nanoseconds took = time() - from;
  cores_.count_wait(took);
  if (cores_.is_worth(seen, cpus, point.series().precision.state, is_simulated)) return true;
  // Without a limit budgets are what is scarce, and no probe is charged to them. What is simulated must not depend on
  // the machine's own time.
  return !point.may_wait_after(is_limited_ && !is_simulated ? took : Nanoseconds{});
}

bool Visitor::visit(OpenPoint& point, const IncarnationKey& key, int round) {
  if (!is_worth(point, key)) return false;
  // Launches make visits of their own in between.
  const int number = std::max(visits_, history_->next_visit());
  visits_ = number + 1;
  const bool is_retried = history_->losses(point.series().name, key.point) > 0;
  sink_->write(BeginRecord{point.series().name, key.point, session_, key.incarnation, number, is_retried});
  const Nanoseconds from = time();
  if (!point.opened().contains(key.incarnation)) open(point, key);
  if (point.needs_calibration()) tune(point, key);
  set_up_ += time() - from;
  VisitOrder order = point.next_order();
  order.reference = wants_reference(point, usable_cpus_);
  VisitPlace place{session_, key.incarnation, number, time(), {}};
  if (point.traits().simulated)
    monitor_.begin(point.latest().cpus);
  else
    place.is_taken = monitor_.begin_among_others(point.latest().cpus);
  const VisitYield yield = host_->visit(key, order);
  require_valid(yield, point.series());
  place.disturbed = monitor_.end();
  cores_.learn(yield, cpus_of(point), point.traits().simulated);
  if (const auto distance = point.distance_in(yield.reference))
    cores_.add_distance(*distance, yield, cpus_of(point), point.traits().simulated);
  if (yield.clock && !yield.clock->refusal.empty()) {
    place.disturbed.set(static_cast<std::size_t>(Disturbance::clock));
    remark(point, yield.clock->refusal);
  }
  place.took = time() - place.at;
  sink_->write(VisitRecord{point.series().name, key.point, session_, key.incarnation, place.visit, round, place.at,
                           place.took, yield.discarded, yield.reference, point.add(yield, place), yield.apart,
                           clock_bound_of(yield), yield.nodes, named_parts(yield)});
  if (!yield.changed.empty()) replace(point, key, yield.changed);
  return true;
}

std::vector<std::string> Visitor::remarks() {
  std::vector<std::string> texts = monitor_.remarks();
  for (std::string& text : cores_.remarks()) texts.push_back(std::move(text));
  return texts;
}

void Visitor::replace(OpenPoint& point, const IncarnationKey& key, const std::string& changed) {
  const SeriesPlan& series = point.series();
  host_->close(key);
  point.lose(key.incarnation);
  const std::string by = series.plugin.empty() ? std::string() : " of plugin " + series.plugin;
  const std::string text =
      "measurement " + series.measurement.name + by + " changed its process: " + changed + "; the worker was replaced";
  if (told_.insert(series.name + text).second) remark(point, text);
}

void Visitor::close(const OpenPoint& point) {
  if (point.visits() > 0) cores_.keep_usual_clocks(point.traits().simulated);
  std::vector<IncarnationKey> keys;
  for (const int incarnation : point.opened()) keys.push_back({point.series_index(), point.point(), incarnation});
  host_->close_all(keys);
  keep_notes();
}

}  // namespace assay
