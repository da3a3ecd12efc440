// SPDX-License-Identifier: Apache-2.0
// Ranks of each position of a visit among the later ones.
#include "stats/steadiness/settling.hpp"

#include <algorithm>
#include <cmath>

#include "stats/sample/summary.hpp"
#include "stats/sample/visits.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_later = 3;  // batches that a position is held against
constexpr std::size_t visits_of_position = 4;
// Standard errors. A batch too many costs its time and no truth, since it is its position that is left out and not its
// value: where there is a start at all, less proof is needed of how long it lasts.
constexpr double slow_at_all = 3;
constexpr double slow_still = 1.5;
constexpr std::size_t most_visits = 256;
constexpr double next_visits = 1.25;  // times those of the last look
constexpr std::size_t gap = 2;        // positions that are not slow end what is to be left out

}  // namespace

void Settling::add(std::span<const double> times) {
  if (visits_ == most_visits) return;
  std::vector<double> later;
  for (std::size_t i = times.size(); i-- > 0;) {
    if (std::isnan(times[i])) continue;
    if (later.size() >= fewest_later && i < longest_) {
      if (positions_.size() <= i) positions_.resize(i + 1);
      double share = -0.5;
      for (const double other : later) share += indicator(other, times[i]) / static_cast<double>(later.size());
      Position& position = positions_[i];
      const auto others = static_cast<double>(later.size());
      position.above += share;
      position.squares += share * share;
      position.variance += (others + 2) / (12 * others);
      position.ratios.push_back(static_cast<float>(times[i] / median(later)));
    }
    later.push_back(times[i]);
  }
  if (++visits_ < next_look_) return;
  next_look_ = static_cast<std::size_t>(std::ceil(next_visits * static_cast<double>(visits_)));
  learn();
}

bool Settling::is_slow(std::size_t index, double level) const {
  if (index >= positions_.size() || positions_[index].ratios.size() < visits_of_position) return false;
  const Position& position = positions_[index];
  // Neighbouring batches resemble each other, which makes their ranks vary more than those of exchangeable ones do.
  const double mean = position.above / static_cast<double>(position.ratios.size());
  const double variance = std::max(position.variance, position.squares - mean * position.above);
  return position.above > level * std::sqrt(variance) &&
         median({position.ratios.begin(), position.ratios.end()}) > 1 + tolerance_;
}

void Settling::learn() {
  std::size_t end = steady_from_;
  for (std::size_t i = steady_from_; i < end + gap && i < longest_; ++i)
    if (is_slow(i, end > 0 ? slow_still : slow_at_all)) end = i + 1;
  steady_from_ = end;
}

}  // namespace assay
