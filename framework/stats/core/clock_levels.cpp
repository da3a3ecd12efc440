// SPDX-License-Identifier: Apache-2.0
// Accumulations of steps, and the clock that most of them have.
#include "stats/core/clock_levels.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr double near_clock = 1.03;
constexpr double off_median = 0.06;        // of the median
constexpr std::size_t accurate_visit = 8;  // readings
constexpr double changed_clock = 0.022;    // processors change their clock by 100 MHz, 3 to 5 %
constexpr double no_chance = 4;            // of the difference of two means, that are no chance
constexpr double step_bin_width = 0.0025;  // of the logarithm
constexpr int step_window = 9;             // bins
constexpr int step_beside = 7;             // bins on either side of a level that are its own
constexpr double distinct_clock = 1.022;   // ratio of two levels at the least
constexpr double rare_clock = 0.02;        // share of the readings that is no level
constexpr double least_at_clock = 40;      // readings
constexpr std::size_t most_levels = 16;
constexpr double look_again = 1.25;
constexpr double same_level = 0.01;

double mean_of_steps(const std::vector<double>& steps) {
  double sum = 0;
  for (const double step : steps) sum += step;
  return sum / static_cast<double>(steps.size());
}

double variance_of_steps(const std::vector<double>& steps, double mean) {
  double sum = 0;
  for (const double step : steps) sum += (step - mean) * (step - mean);
  return sum / static_cast<double>(steps.size() - 1);
}

int step_bin(double step) { return static_cast<int>(std::floor(std::log(step) / step_bin_width)); }
double step_of_bin(int bin) { return std::exp((bin + 0.5) * step_bin_width); }

double step_ratio(double a, double b) { return std::max(a, b) / std::min(a, b); }

// Without those that were interrupted.
std::vector<double> undelayed(std::vector<double> steps) {
  if (steps.empty()) return steps;
  const double usual = median(steps);
  std::erase_if(steps, [usual](double step) { return std::fabs(step - usual) > off_median * usual; });
  return steps;
}

// Both halves are long enough to be compared, and differ by more than a part of a clock and than chance.
bool is_changed(const std::vector<double>& steps) {
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  const std::vector<double> first = undelayed({steps.begin(), middle});
  const std::vector<double> second = undelayed({middle, steps.end()});
  if (std::min(first.size(), second.size()) < accurate_visit) return false;
  const double before = mean_of_steps(first);
  const double after = mean_of_steps(second);
  const double error = std::sqrt(variance_of_steps(first, before) / static_cast<double>(first.size()) +
                                 variance_of_steps(second, after) / static_cast<double>(second.size()));
  return std::fabs(after - before) > std::max(changed_clock * before, no_chance * error);
}

using Bins = std::map<int, double>;

double weight_within(const Bins& bins, int first) {
  double sum = 0;
  for (auto at = bins.lower_bound(first); at != bins.end() && at->first < first + step_window; ++at) sum += at->second;
  return sum;
}

// The mean of what lies in the window, as a step.
double center_of(const Bins& bins, int first) {
  double sum = 0;
  double weight = 0;
  for (auto at = bins.lower_bound(first); at != bins.end() && at->first < first + step_window; ++at) {
    sum += at->second * std::log(step_of_bin(at->first));
    weight += at->second;
  }
  return std::exp(sum / weight);
}

// Takes the fullest window out, with what lies beside it.
std::optional<ClockLevel> take_fullest(Bins& bins, double least) {
  std::optional<int> best;
  double most = 0;
  for (const auto& [bin, count] : bins)
    for (int first = bin - step_window + 1; first <= bin; ++first)
      if (const double found = weight_within(bins, first); found > most) {
        most = found;
        best = first;
      }
  if (!best || most < least) return std::nullopt;
  const ClockLevel level{center_of(bins, *best), static_cast<std::size_t>(most)};
  const int at = step_bin(level.middle);
  bins.erase(bins.lower_bound(std::min(*best, at - step_beside)),
             bins.lower_bound(std::max(*best + step_window, at + step_beside + 1)));
  return level;
}

std::vector<ClockLevel> fullest_first(Bins left, double readings) {
  std::vector<ClockLevel> found;
  while (found.size() < most_levels) {
    const auto level = take_fullest(left, std::max(least_at_clock, rare_clock * readings));
    if (!level) break;
    // A shoulder of one that is fuller.
    const auto is_near = [&](const ClockLevel& one) { return step_ratio(one.middle, level->middle) < distinct_clock; };
    if (std::ranges::none_of(found, is_near)) found.push_back(*level);
  }
  return found;
}

}  // namespace

std::vector<ClockLevel> clock_levels(std::vector<double> clocks) {
  std::ranges::sort(clocks);
  std::vector<ClockLevel> levels;
  for (auto first = clocks.begin(); first != clocks.end();) {
    const auto last = std::upper_bound(first, clocks.end(), near_clock * *first);
    levels.push_back({*(first + (last - first) / 2), static_cast<std::size_t>(last - first)});
    first = last;
  }
  return levels;
}

double nearest_level(const std::vector<double>& levels, double clock) {
  if (levels.empty() || !(clock > 0)) return 0;
  return *std::ranges::min_element(levels, {}, [clock](double level) { return step_ratio(level, clock); });
}

SeenClock clock_of(const std::vector<double>& steps) {
  if (steps.empty()) return {};
  const std::vector<double> kept = undelayed(steps);
  // Of two that differ neither is to be believed; of more, half are at one clock and half at another.
  if (kept.empty()) return {{}, 0, steps.size() > 2};
  return {{mean_of_steps(kept)}, kept.size(), is_changed(steps)};
}

void ClockLevels::add(const SeenClock& clock) {
  if (clock.readings < accurate_visit || clock.changed || !(clock.step > Nanoseconds{})) return;
  bins_[step_bin(clock.step.count)] += static_cast<double>(clock.readings);
  readings_ += static_cast<double>(clock.readings);
  if (readings_ >= std::max(next_look_, least_at_clock)) learn();
}

void ClockLevels::confirm(const NodeClocks& earlier) {
  if (!(earlier.usual > Nanoseconds{})) return;
  usual_ = earlier.usual;
  is_kept_ = true;
  if (levels_.empty()) levels_ = earlier.levels;
  ++version_;
}

// A level keeps its name while more readings of it come, unless the first were far off.
double ClockLevels::name_of(double middle) const {
  const auto is_its = [&](double name) { return name > 0 && step_ratio(middle, name) <= 1 + same_level; };
  if (is_kept_ && is_its(usual_.count)) return usual_.count;
  const auto known = std::ranges::find_if(levels_, is_its, &ClockLevel::middle);
  if (known == levels_.end()) return middle;
  return step_ratio(middle, known->middle) <= 1 + step_bin_width ? known->middle : middle;
}

// Few readings of two clocks that are near each other are one level between them, which is none of those that more
// readings show.
Nanoseconds ClockLevels::kept_of(const std::vector<ClockLevel>& fullest_first) const {
  if (!is_kept_) return {fullest_first.front().middle};
  const auto is_usual = [&](const ClockLevel& level) { return level.middle == usual_.count; };
  const auto is_near = [&](const ClockLevel& level) { return step_ratio(level.middle, usual_.count) < distinct_clock; };
  const auto near = std::ranges::find_if(fullest_first, is_near);
  const bool is_a_level = near == fullest_first.end() || std::ranges::any_of(fullest_first, is_usual);
  return is_a_level ? usual_ : Nanoseconds{near->middle};
}

void ClockLevels::learn() {
  next_look_ = look_again * readings_;
  std::vector<ClockLevel> found = fullest_first(bins_, readings_);
  if (found.empty()) return;
  for (ClockLevel& level : found) level.middle = name_of(level.middle);
  const Nanoseconds usual = kept_of(found);
  std::ranges::sort(found, {}, &ClockLevel::middle);
  const bool is_news =
      usual != usual_ || !std::ranges::equal(found, levels_, {}, &ClockLevel::middle, &ClockLevel::middle);
  usual_ = usual;
  levels_ = std::move(found);
  version_ += is_news ? 1 : 0;
}

Nanoseconds ClockLevels::level_of(Nanoseconds step) const {
  if (!(step > Nanoseconds{})) return step;
  Nanoseconds nearest = usual_;
  const auto is_nearer = [&](double middle) {
    return !(nearest > Nanoseconds{}) || step_ratio(middle, step.count) < step_ratio(nearest.count, step.count);
  };
  for (const ClockLevel& level : levels_)
    if (is_nearer(level.middle)) nearest = {level.middle};
  return nearest > Nanoseconds{} && step_ratio(nearest.count, step.count) <= near_clock ? nearest : step;
}

}  // namespace assay
