// SPDX-License-Identifier: Apache-2.0
// Observations at other clocks and distances than those that are answered for, as they would have been at them.
#include <algorithm>
#include <cmath>
#include <optional>

#include "run/point/state_samples.hpp"
#include "stats/core/distance_law.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr std::size_t comparable = 8;    // visits: fewer neither prove nor refute that times follow the clock
constexpr double follows_within = 0.01;  // of the value
constexpr double no_chance = 3;          // standard errors
constexpr double hardly = 0.01;          // of a time: as much as readings of one distance differ by

CoreState at_clock_of(CoreState state, const CoreState& other) {
  state.clock_ghz = other.clock_ghz;
  state.clock_ratio = other.clock_ratio;
  return state;
}

/// The logarithm of the median of visits, and its standard error.
struct Level {
  std::size_t visits = 0;
  double middle = 0;
  double error = 0;
};

Level level_of(const Sample& sample) {
  std::vector<double> medians;
  std::vector<double> visit;
  const auto& all = sample.observations();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].value > 0) visit.push_back(std::log(all[i].value));
    if (visit.empty() || (i + 1 < all.size() && all[i + 1].visit == all[i].visit)) continue;
    medians.push_back(median(visit));
    visit.clear();
  }
  Level level{medians.size(), 0, 0};
  if (medians.size() < comparable) return level;
  level.middle = median(medians);
  for (double& one : medians) one = std::fabs(one - level.middle);
  // Of a median, by the median deviation of what is normal.
  level.error = 1.2533 * 1.4826 * median(medians) / std::sqrt(static_cast<double>(medians.size()));
  return level;
}

}  // namespace

/// Whether its values are times that can be converted.
bool StateSamples::is_time(std::size_t quantity) const {
  const Quantity& timed = measurement_->quantities[quantity];
  return timed.unit == Unit::nanoseconds && timed.per == Per::event;
}

bool StateSamples::may_convert() const {
  const bool is_one_cpu = headline_.spread == Spread::one_cpu;
  if (follows_ == CoreCycles::never || (follows_ == CoreCycles::on_one_cpu && !is_one_cpu)) return false;
  // What is over all clocks is of none.
  if (headline_ == CoreState{.spread = headline_.spread}) return false;
  return std::ranges::any_of(in_state_, [&](const auto& entry) {
    return entry.first != headline_ && at_clock_of(entry.first, headline_) == headline_;
  });
}

/// What was declared to follow the clock may do so in part only: then values at two clocks differ after conversion,
/// too.
bool StateSamples::is_converted_right() const {
  const Level own = level_of(sample({0, dominant(headline_), headline_}));
  for (const auto& [state, batches] : in_state_) {
    if (state == headline_ || at_clock_of(state, headline_) != headline_) continue;
    const Level other = level_of(sample({0, dominant(headline_), state}));
    const Nanoseconds step = sorter_.step_in(state);
    if (own.visits < comparable || other.visits < comparable || !(step > Nanoseconds{})) continue;
    const double off = std::fabs(other.middle + std::log(step_ / step) - own.middle);
    if (off > std::max(follows_within, no_chance * std::hypot(own.error, other.error))) return false;
  }
  return true;
}

bool StateSamples::has_distance() const { return headline_.sharing == Sharing::alone && headline_.distance_ns > 0; }

// Each quantity in each regime has a law of its own: a futex that is polled waits for the line, one that blocks for the
// kernel.
void StateSamples::learn_laws() {
  laws_.clear();
  std::map<Timed, std::vector<PlaneDot>> visits;
  std::map<Timed, std::vector<double>> times;  // of the visit, logarithms
  PlaneDot at;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (const auto place = place_of(i)) {
      at = *place;
      add_times(i, times);
    }
    if (times.empty() || (i + 1 < seen_.size() && seen_[i + 1].visit == seen_[i].visit)) continue;
    for (auto& [timed, logs] : times) visits[timed].push_back({at.first, at.second, median(std::move(logs))});
    times.clear();
  }
  for (const auto& [timed, dots] : visits)
    if (const DistanceLaw law = distance_law(dots, headline_.distance_ns)) laws_[timed] = law;
}

/// Of the visit of a batch that tells how times go with the distance: that over the headline's, and the step of the
/// chain over that of its clock, as logarithms.
std::optional<PlaneDot> StateSamples::place_of(std::size_t batch) const {
  if (seen_[batch].position < left_out_ || seen_[batch].disturbed) return std::nullopt;
  const auto beside = sorter_.beside(batch, headline_);
  if (!beside) return std::nullopt;
  const double further = std::log(beside->trip / headline_.distance_ns);
  if (beside->is_at_clock) return PlaneDot{further};
  const bool knows_clock = step_ > Nanoseconds{} && beside->step > Nanoseconds{};
  return knows_clock ? std::optional(PlaneDot{further, std::log(beside->step / step_)}) : std::nullopt;
}

void StateSamples::add_times(std::size_t batch, std::map<Timed, std::vector<double>>& to) const {
  const Seen& seen = seen_[batch];
  for (std::size_t q = 0; q < measurement_->quantities.size(); ++q)
    if (const auto& value = seen.values[q]; is_time(q) && value && *value > 0)
      to[{q, seen.regime}].push_back(std::log(*value));
}

/// Of the distance in the middle of all visits, whichever level most of them were at: the less is converted, the less
/// matters by which law. Where there is none, the usual one is that of the headline. They are learned anew where that
/// changes, and as observations grow by a quarter.
void StateSamples::learn_laws_of_headline() {
  if (!has_distance()) return laws_.clear();
  const CoreState usual = headline_;
  headline_.distance_ns = sorter_.central_distance();
  if (learned_for_ != headline_ || seen_.size() >= learn_at_) {
    learned_for_ = headline_;
    learn_at_ = seen_.size() + seen_.size() / 4;
    learn_laws();
  }
  if (laws_.empty()) headline_ = usual;
}

void StateSamples::convert_from(std::size_t first) {
  const bool is_other = first == 0 || chosen_ != headline_;
  if (is_other) {
    chosen_ = headline_;
    converted_.clear();
    step_ = sorter_.step_in(headline_);
    learn_laws_of_headline();
    converted_to_ = headline_;
  }
  headline_ = converted_to_;
  if (laws_.empty() && !may_convert()) return converted_.clear();
  if (is_other || converted_.empty()) {
    step_ = sorter_.step_in(headline_);
    if (laws_.empty() && !is_converted_right()) return;
    first = 0;
  }
  for (std::size_t i = first; i < seen_.size(); ++i) convert(i);
}

/// By their distance or by the clock alone.
std::optional<double> StateSamples::scale_of(std::size_t batch, std::size_t quantity) const {
  if (!is_time(quantity)) return std::nullopt;
  if (laws_.empty()) return sorter_.scale_to(batch, {headline_, step_});
  const auto law = laws_.find({quantity, seen_[batch].regime});
  return law == laws_.end() ? std::nullopt : sorter_.scale_to(batch, {headline_, step_, law->second});
}

void StateSamples::convert(std::size_t batch) {
  const Seen& seen = seen_[batch];
  if (seen.position < left_out_) return;
  for (std::size_t q = 0; q < measurement_->quantities.size(); ++q) {
    const auto scale = scale_of(batch, q);
    if (!scale) continue;
    const Key key{q, seen.regime, headline_};
    samples_.try_emplace(key);
    Converted& to = converted_[key];
    if (seen.disturbed)
      to.sample.add_disturbed();
    else if (const auto& value = seen.values[q]) {
      to.sample.add({*value * *scale, seen.session, seen.incarnation, seen.visit, seen.at});
      to.from_others += sorter_.is_in(batch, headline_) && std::fabs(*scale - 1) <= hardly ? 0 : 1;
    }
  }
}

double StateSamples::converted(const Key& key) const {
  const auto found = converted_.find(key);
  if (found == converted_.end() || found->second.sample.empty()) return 0;
  return static_cast<double>(found->second.from_others) / static_cast<double>(found->second.sample.size());
}

DistanceLaw StateSamples::law(const Key& key) const {
  const auto found = laws_.find({key.quantity, key.regime});
  return found == laws_.end() || key.state != headline_ ? DistanceLaw{} : found->second;
}

}  // namespace assay
