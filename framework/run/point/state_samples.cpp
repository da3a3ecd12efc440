// SPDX-License-Identifier: Apache-2.0
// Observations to the samples of their state.
#include "run/point/state_samples.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "stats/sample/summary.hpp"
#include "team/batch_classifier.hpp"

namespace assay {
namespace {

const Sample nothing_found;
constexpr std::size_t another_clock = 2;  // times the batches at the usual one
constexpr std::size_t few_batches = 20;

}  // namespace

void StateSamples::clear() { *this = StateSamples(*measurement_, *traits_, wanted_, follows_); }

void StateSamples::add(const VisitedBatches& visit, const CoreLevels& levels) {
  levels_ = &levels;
  const std::size_t first = seen_.size();
  for (const auto& [batch, judgement] : visit.kept) {
    const auto position = static_cast<std::uint16_t>(visit.discarded + (seen_.size() - first));
    Seen& seen = seen_.emplace_back(Seen{visit.session,
                                         visit.incarnation,
                                         visit.visit,
                                         visit.at.count,
                                         judgement.regime,
                                         judgement.disturbed.any(),
                                         position,
                                         {}});
    if (seen.disturbed) continue;
    for (std::size_t q = 0; q < measurement_->quantities.size(); ++q)
      seen.values.push_back(observe(batch, *measurement_, q, *traits_));
  }
  sorter_.add(visit);
  if (sorter_.is_outdated(levels))
    settle();
  else
    sort_from(first);
}

void StateSamples::leave_out(std::size_t first) {
  if (first == left_out_) return;
  left_out_ = first;
  settle();
}

void StateSamples::settle() {
  if (levels_ == nullptr) return;
  sorter_.settle(*levels_, value());
  samples_.clear();
  counts_.clear();
  in_state_.clear();
  sort_from(0);
}

/// The median of all; more than anything where it is no time.
Nanoseconds StateSamples::value() const {
  const Quantity& primary = measurement_->quantities.front();
  if (primary.unit != Unit::nanoseconds || primary.is_signed) return {std::numeric_limits<double>::infinity()};
  std::vector<double> values;
  for (const Seen& seen : seen_)
    if (!seen.disturbed && seen.values.front()) values.push_back(*seen.values.front());
  return values.empty() ? Nanoseconds{} : Nanoseconds{median(std::move(values))};
}

void StateSamples::sort_from(std::size_t first) {
  for (std::size_t i = first; i < seen_.size(); ++i) count(i);
  choose();
  convert_from(first);
}

void StateSamples::count(std::size_t batch) {
  const Seen& seen = seen_[batch];
  if (seen.position < left_out_) return;
  const auto add = [&](const Key& key) {
    if (seen.disturbed)
      samples_[key].add_disturbed();
    else if (const auto& value = seen.values[key.quantity])
      samples_[key].add({*value, seen.session, seen.incarnation, seen.visit, seen.at});
  };
  const auto state = sorter_.state_of(batch);
  const Spread spread = sorter_.spread_of(batch);
  const bool is_one = spread == Spread::one_cpu || spread == Spread::own_cpus;
  for (std::size_t q = 0; q < measurement_->quantities.size(); ++q) {
    add({q, seen.regime, {}});
    if (is_one) add({q, seen.regime, {.spread = spread}});
    if (state && *state != CoreState{.spread = spread}) add({q, seen.regime, *state});
  }
  if (seen.disturbed) return;
  ++counts_[sorter_.sharing_of(batch)];
  if (state) ++in_state_[*state];
}

void StateSamples::choose() {
  headline_ = {};
  if (wanted_ == WantedState::any) return;
  if (sorter_.outlasts_states()) {
    headline_ = sorter_.usual_found();
    return choose_clock();
  }
  headline_.spread = sorter_.usual_spread();
  if (counts_[Sharing::alone] + counts_[Sharing::shared] + counts_[Sharing::mixed] == 0) return;
  headline_.sharing = wanted_ == WantedState::shared ? Sharing::shared : Sharing::alone;
  headline_.distance_ns = sorter_.usual_distance(headline_.sharing);
  choose_clock();
}

void StateSamples::choose_clock() {
  const CoreState usual = headline_;
  const auto found = in_state_.find(usual);
  std::size_t most = std::max(few_batches, found == in_state_.end() ? 0 : another_clock * found->second);
  for (const auto& [state, batches] : in_state_) {
    CoreState at_usual = state;
    at_usual.clock_ghz = usual.clock_ghz;
    at_usual.clock_ratio = usual.clock_ratio;
    if (at_usual != usual || batches <= most) continue;
    most = batches;
    headline_ = state;
  }
}

Regime StateSamples::dominant(const CoreState& state) const {
  Regime regime = Regime::solo;
  std::size_t most = 0;
  for (const auto& [key, as_found] : samples_)
    if (key.quantity == 0 && key.state == state && sample(key).size() > most) {
      regime = key.regime;
      most = sample(key).size();
    }
  return regime;
}

const Sample& StateSamples::sample(const Key& key) const {
  if (const auto found = converted_.find(key); found != converted_.end()) return found->second.sample;
  const auto found = samples_.find(key);
  return found == samples_.end() ? nothing_found : found->second;
}

std::vector<PairDistances> StateSamples::pairs() const {
  if (levels_ == nullptr || !sorter_.uses_known_distances()) return {};
  const std::vector<NodeCpu> own = sorter_.cpus();
  std::vector<PairDistances> pairs = levels_->distances();
  const auto is_own = [&](const NodeCpu& cpu) { return std::ranges::find(own, cpu) != own.end(); };
  std::erase_if(pairs, [&](const PairDistances& one) { return !is_own(one.pair.first) || !is_own(one.pair.second); });
  return pairs;
}

const Sample& StateSamples::primary() const { return sample({0, dominant(headline_), headline_}); }

std::vector<CoreLevel> StateSamples::levels() const {
  std::vector<CoreLevel> known;
  for (const NodeCpu& cpu : sorter_.cpus())
    if (const auto level = levels_->level(cpu)) known.push_back(*level);
  return known;
}

double StateSamples::shared_time() const {
  const StateShares found = shares();
  const double known = 1 - found.unknown;
  const double changed = known - found.alone - found.shared;
  return known > 0 ? (found.shared + changed / 2) / known : 0;
}

StateShares StateSamples::shares() const {
  const auto of = [&](Sharing sharing) {
    const auto found = counts_.find(sharing);
    return found == counts_.end() ? 0.0 : static_cast<double>(found->second);
  };
  const double all = of(Sharing::alone) + of(Sharing::shared) + of(Sharing::mixed) + of(Sharing::unknown);
  if (!(all > 0)) return {0, 0, 1};
  return {of(Sharing::alone) / all, of(Sharing::shared) / all, of(Sharing::unknown) / all};
}

}  // namespace assay
