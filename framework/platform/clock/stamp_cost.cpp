// SPDX-License-Identifier: Apache-2.0
// Differences of two means, and the median of some of them.
#include "platform/clock/stamp_cost.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>

namespace assay {
namespace {

constexpr double interrupted_above = 1.25;  // times the shortest; a step of the coarsest clock is a sixth of a time
constexpr double same_yield = 1.1;
constexpr double far_more = 0.88;  // times what an addition took: less than what is alike differs by
constexpr std::size_t fewest_trials = 5;

}  // namespace

double mean_of_uninterrupted(std::span<const double> times) noexcept {
  const double longest = interrupted_above * std::ranges::min(times);
  double sum = 0;
  double count = 0;
  for (const double time : times) {
    if (time > longest) continue;
    sum += time;
    count += 1;
  }
  return sum / count;
}

double cost_left_over(std::span<const double> of_one, std::span<const double> of_several, int pieces) noexcept {
  const double one = mean_of_uninterrupted(of_one);
  return one - (mean_of_uninterrupted(of_several) - one) / static_cast<double>(pieces - 1);
}

void StampTrials::add(const StampTrial& trial) noexcept {
  const auto end = best_.begin() + static_cast<std::ptrdiff_t>(size_);
  const auto place = std::upper_bound(best_.begin(), end, trial,
                                      [](const StampTrial& a, const StampTrial& b) { return a.wide < b.wide; });
  if (place == best_.end()) return;
  const auto kept = size_ < best_.size() ? end : end - 1;
  std::move_backward(place, kept, kept + 1);
  *place = trial;
  size_ = std::min(size_ + 1, best_.size());
}

std::span<const StampTrial> StampTrials::used() const noexcept {
  const std::span all(best_.data(), size_);
  const auto alike =
      std::ranges::count_if(all, [&](const StampTrial& trial) { return trial.wide <= same_yield * all.front().wide; });
  return all.first(std::min(size_, std::max(fewest_trials, static_cast<std::size_t>(alike))));
}

double StampTrials::cost() const noexcept {
  std::array<double, std::tuple_size_v<decltype(best_)>> costs{};
  const auto trials = used();
  std::ranges::transform(trials, costs.begin(), &StampTrial::cost);
  const auto middle = costs.begin() + std::ssize(trials) / 2;
  std::nth_element(costs.begin(), middle, costs.begin() + std::ssize(trials));
  return std::max(0.0, *middle);
}

bool StampTrials::are_outdated_by(double wide) const noexcept { return wide < far_more * used().back().wide; }

}  // namespace assay
