// SPDX-License-Identifier: Apache-2.0
// Bins, and windows over them.
#include "stats/core/level_counts.hpp"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double bin_width = 0.005;             // of the logarithm
constexpr int window = 8;                       // bins
constexpr std::int64_t least_accumulation = 6;  // readings that are an accumulation
// A neighbour that stays for a part of a reading leaves a tail on either side of a level: it is none of its own.
constexpr double of_the_fullest = 0.02;
// Interrupted chains and clocks that change within a reading make one accumulation below a level: nearer than a
// neighbour changes anything, and of much fewer readings.
constexpr double tail_of_level = 0.2;
constexpr double one_level = 1.1;  // a ratio
constexpr double neighbour = 1.2;  // delays by that at the least

int bin_of(double value) { return static_cast<int>(std::floor(std::log(value) / bin_width)); }

double middle_of_window(int bin) { return std::exp((bin + window / 2.0) * bin_width); }

}  // namespace

void LevelCounts::add(double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  ++bins_[bin_of(value)];
  ++size_;
}

std::int64_t LevelCounts::within(int bin) const {
  std::int64_t sum = 0;
  for (auto at = bins_.lower_bound(bin); at != bins_.end() && at->first < bin + window; ++at) sum += at->second;
  return sum;
}

int LevelCounts::climb(int bin) const {
  // To the peak that it is the foot of: behind the next dip, or farther up, another level begins.
  const int last = bin + static_cast<int>(std::log(one_level) / bin_width);
  for (int best = bin;;) {
    int higher = best;
    for (int next = best; next <= std::min(last, best + window / 2); ++next)
      if (within(next) > within(higher)) higher = next;
    if (higher == best) return best;
    best = higher;
  }
}

std::optional<double> LevelCounts::lowest(double share) const {
  std::int64_t most = 0;
  for (const auto& [bin, count] : bins_) most = std::max(most, within(bin));
  const auto count_of = [](double readings) { return static_cast<std::int64_t>(std::ceil(readings)); };
  const auto wanted = std::max({least_accumulation, count_of(share * static_cast<double>(size_)),
                                count_of(of_the_fullest * static_cast<double>(most))});
  for (const auto& [bin, count] : bins_)
    if (within(bin) >= wanted) return middle_of_window(without_tail(climb(bin)));
  return std::nullopt;
}

int LevelCounts::without_tail(int bin) const {
  const int peak = *fullest_bin();
  const bool is_near = peak > bin && peak - bin <= static_cast<int>(std::log(neighbour) / bin_width);
  const auto share = static_cast<double>(within(bin)) / static_cast<double>(within(peak));
  return is_near && share < tail_of_level ? peak : bin;
}

std::optional<int> LevelCounts::fullest_bin() const {
  std::optional<int> best;
  for (const auto& [bin, count] : bins_)
    if (!best || within(bin) > within(*best)) best = bin;
  return best;
}

std::optional<double> LevelCounts::fullest() const {
  const auto best = fullest_bin();
  return best ? std::optional(middle_of_window(*best)) : std::nullopt;
}

std::optional<double> LevelCounts::fullest_within(double least, double most) const {
  const int first = bin_of(least) - window / 2;
  const int last = bin_of(most) - window / 2;
  int best = first;
  for (int bin = first; bin <= last; ++bin)
    if (within(bin) > within(best)) best = bin;
  return within(best) > 0 ? std::optional(middle_of_window(best)) : std::nullopt;
}

std::int64_t LevelCounts::about(double value) const { return within(bin_of(value) - window / 2); }

std::int64_t LevelCounts::from(double least) const {
  std::int64_t sum = 0;
  for (auto at = bins_.lower_bound(bin_of(least)); at != bins_.end(); ++at) sum += at->second;
  return sum;
}

}  // namespace assay
