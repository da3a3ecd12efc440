// SPDX-License-Identifier: Apache-2.0
// Observations at other clocks than the one that is answered for, as they would have been at it.
#include <algorithm>
#include <cmath>

#include "run/point/state_samples.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr std::size_t comparable = 8;    // visits: fewer neither prove nor refute that times follow the clock
constexpr double follows_within = 0.01;  // of the value
constexpr double no_chance = 3;          // standard errors

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

bool StateSamples::follows(std::size_t quantity) const {
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

void StateSamples::convert_from(std::size_t first) {
  if (!may_convert()) {
    converted_.clear();
    return;
  }
  if (first == 0 || converted_to_ != headline_ || converted_.empty()) {
    converted_.clear();
    converted_to_ = headline_;
    step_ = sorter_.step_in(headline_);
    if (!is_converted_right()) return;
    first = 0;
  }
  for (std::size_t i = first; i < seen_.size(); ++i) convert(i);
}

void StateSamples::convert(std::size_t batch) {
  const Seen& seen = seen_[batch];
  if (seen.position < left_out_) return;
  const auto scale = sorter_.scale_to(batch, headline_, step_);
  if (!scale) return;
  const bool is_other = !sorter_.is_in(batch, headline_);
  for (std::size_t q = 0; q < measurement_->quantities.size(); ++q) {
    if (!follows(q)) continue;
    Converted& to = converted_[{q, seen.regime, headline_}];
    if (seen.disturbed)
      to.sample.add_disturbed();
    else if (const auto& value = seen.values[q]) {
      to.sample.add({*value * *scale, seen.session, seen.incarnation, seen.visit, seen.at});
      to.from_other_clocks += is_other ? 1 : 0;
    }
  }
}

double StateSamples::converted(const Key& key) const {
  const auto found = converted_.find(key);
  if (found == converted_.end() || found->second.sample.empty()) return 0;
  return static_cast<double>(found->second.from_other_clocks) / static_cast<double>(found->second.sample.size());
}

}  // namespace assay
