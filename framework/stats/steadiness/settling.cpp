// SPDX-License-Identifier: Apache-2.0
// Ranks of each segment of a visit among the later batches.
#include "stats/steadiness/settling.hpp"

#include <algorithm>
#include <cmath>

#include "stats/sample/summary.hpp"
#include "stats/sample/visits.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_later = 3;  // batches that a segment is held against
constexpr std::size_t visits_of_segment = 4;
// Standard errors. A batch too many costs its time and no truth, since it is its position that is left out and not its
// value: where there is a start at all, less proof is needed of how long it lasts.
constexpr double slow_at_all = 3;
constexpr double slow_still = 1.5;
constexpr std::size_t most_visits = 256;
constexpr double next_visits = 1.25;  // times those of the last look
constexpr std::size_t gap = 2;        // segments that are not slow end what is to be left out

}  // namespace

// Half as many positions as lie before it, and one at least.
std::size_t Settling::end_of(std::size_t first) const {
  return std::min(longest_, first + std::max<std::size_t>(1, first / 2));
}

std::size_t Settling::length_to_see(std::size_t segments) const {
  std::size_t end = steady_from_;
  for (std::size_t i = 0; i < segments; ++i) end = end_of(end);
  return end + fewest_later;
}

void Settling::add(std::span<const double> times) {
  if (visits_ == most_visits) return;
  const auto timed = [&](std::size_t from, std::size_t to) {
    std::vector<double> some;
    for (std::size_t i = from; i < to; ++i)
      if (!std::isnan(times[i])) some.push_back(times[i]);
    return some;
  };
  std::size_t segment = 0;
  for (std::size_t first = 0; first < longest_; first = end_of(first), ++segment) {
    const std::size_t end = end_of(first);
    if (end >= times.size()) break;
    learn(segment, timed(first, end), timed(end, times.size()));
  }
  if (++visits_ < next_look_) return;
  next_look_ = static_cast<std::size_t>(std::ceil(next_visits * static_cast<double>(visits_)));
  look();
}

void Settling::learn(std::size_t index, std::span<const double> own, std::span<const double> later) {
  if (own.empty() || later.size() < fewest_later) return;
  if (segments_.size() <= index) segments_.resize(index + 1);
  Segment& segment = segments_[index];
  const auto m = static_cast<double>(own.size());
  const auto n = static_cast<double>(later.size());
  double share = -0.5;
  for (const double one : own)
    for (const double other : later) share += indicator(other, one) / (m * n);
  segment.above += share;
  segment.squares += share * share;
  segment.variance += (m + n + 1) / (12 * m * n);  // of Mann and Whitney's U over m n
  segment.ratios.push_back(static_cast<float>(median({own.begin(), own.end()}) / median({later.begin(), later.end()})));
}

bool Settling::is_slow(std::size_t index, double level) const {
  if (index >= segments_.size() || segments_[index].ratios.size() < visits_of_segment) return false;
  const Segment& segment = segments_[index];
  // Neighbouring batches resemble each other, which makes their ranks vary more than those of exchangeable ones do.
  const double mean = segment.above / static_cast<double>(segment.ratios.size());
  const double variance = std::max(segment.variance, segment.squares - mean * segment.above);
  return segment.above > level * std::sqrt(variance) &&
         median({segment.ratios.begin(), segment.ratios.end()}) > 1 + tolerance_;
}

void Settling::look() {
  std::size_t left = gap;
  std::size_t index = 0;
  std::size_t settled = 0;
  for (std::size_t first = 0; first < longest_ && left > 0; first = end_of(first), ++index) {
    const bool is_left_out = first < steady_from_ || is_slow(index, settled > 0 ? slow_still : slow_at_all);
    if (is_left_out) settled = end_of(first);
    left = is_left_out ? gap : left - 1;
  }
  steady_from_ = settled;
}

}  // namespace assay
