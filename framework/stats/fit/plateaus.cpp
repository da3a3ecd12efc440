// SPDX-License-Identifier: Apache-2.0
// Runs within a band, the best choice of them, and their means.
#include "stats/fit/plateaus.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace assay {
namespace {

constexpr double least_octaves = 1 - 1e-9;  // of a plateau; a grid's own rounding is none
constexpr double widest_octave = 1.5;       // of a shoulder, where the grid has no value an octave away
constexpr double cost_of_run = 0.5;         // in octaves covered
// Half-width of a logarithm that is believed: more would span any transition.
constexpr double widest = 0.1;
// Half-width from which on a value says nothing of a plateau.
constexpr double unknown = 0.25;

/// An estimate in logarithms.
struct Place {
  double octave = 0;
  double value = 0;
  double half = 0;
  double error = 0;  ///< standard error that the interval implies
  double x = 0;
};

/// Indices of values on a plateau, ascending.
using Members = std::vector<std::size_t>;

std::vector<Place> places_of(Estimates estimates) {
  std::erase_if(estimates, [](const Abscissa& point) {
    return !flaw_of(point).empty() || point.x <= 0 || point.y.value <= 0 || point.y.interval.low <= 0;
  });
  std::ranges::stable_sort(estimates, {}, &Abscissa::x);
  std::vector<Place> places;
  for (const Abscissa& point : estimates) {
    const Interval& interval = point.y.interval;
    const double half = std::log(interval.high / interval.low) / 2;
    if (half > unknown) continue;
    if (!places.empty() && places.back().x == point.x) places.pop_back();
    const double z = normal_quantile(0.5 + std::min(interval.level, 0.999999) / 2);
    places.push_back({std::log2(point.x), std::log(point.y.value), std::min(half, widest), half / z, point.x});
  }
  return places;
}

/// What the best choice of runs among the first values is worth, and the run that ends it.
struct Choice {
  double worth = 0;
  std::size_t from = 0;  ///< of the last run; equal to the index where the last value is in none
};

std::vector<Choice> best_choices(const std::vector<Place>& places) {
  std::vector<Choice> best(places.size() + 1);
  for (std::size_t end = 1; end <= places.size(); ++end) {
    best[end] = {best[end - 1].worth, end};
    double highest_low = -std::numeric_limits<double>::infinity();
    double lowest_high = std::numeric_limits<double>::infinity();
    for (std::size_t i = end; i-- > 0;) {
      highest_low = std::max(highest_low, places[i].value - places[i].half);
      lowest_high = std::min(lowest_high, places[i].value + places[i].half);
      if (highest_low - lowest_high > plateau_band) break;
      const double octaves = places[end - 1].octave - places[i].octave;
      if (octaves < least_octaves) continue;
      if (const double worth = best[i].worth + octaves - cost_of_run; worth > best[end].worth) best[end] = {worth, i};
    }
  }
  return best;
}

std::vector<Members> runs_of(const std::vector<Place>& places) {
  const auto best = best_choices(places);
  std::vector<Members> runs;
  for (std::size_t end = places.size(); end > 0;) {
    const std::size_t from = best[end].from;
    if (from == end) {
      --end;
      continue;
    }
    Members run(end - from);
    std::iota(run.begin(), run.end(), from);
    runs.push_back(std::move(run));
    end = from;
  }
  std::ranges::reverse(runs);
  return runs;
}

Summary moments_at(const std::vector<Place>& places, const Members& members) {
  std::vector<double> values;
  for (const std::size_t i : members) values.push_back(places[i].value);
  return moments_of(values);
}

/// The variance that the intervals imply.
double implied_variance(const std::vector<Place>& places, const Members& members) {
  std::vector<double> squares;
  for (const std::size_t i : members) squares.push_back(places[i].error * places[i].error);
  return moments_of(squares).mean;
}

/// Runs that are less than a step apart are made one; a value between them that is in neither stays out.
std::vector<Members> joined(const std::vector<Place>& places, std::vector<Members> runs) {
  std::vector<Members> all;
  for (Members& run : runs) {
    if (!all.empty() &&
        std::abs(moments_at(places, run).mean - moments_at(places, all.back()).mean) < std::log1p(plateau_step))
      all.back().insert(all.back().end(), run.begin(), run.end());
    else
      all.push_back(std::move(run));
  }
  return all;
}

Derived level_of(const std::vector<Place>& places, const Members& members, double alpha) {
  const auto count = static_cast<double>(members.size());
  const Summary found = moments_at(places, members);
  const double variance = std::max(found.stddev * found.stddev, implied_variance(places, members));
  const double half = student_quantile(1 - alpha / 2, count - 1) * std::sqrt(variance / count);
  return {std::exp(found.mean), {std::exp(found.mean - half), std::exp(found.mean + half), 1 - alpha}, true, {}};
}

Interval end_of(const std::vector<Place>& places, const Members& members, double alpha) {
  const double limit = moments_at(places, members).mean + plateau_band;
  const std::size_t last = members.back();
  for (std::size_t i = last + 1; i < places.size(); ++i)
    if (places[i].value - places[i].half > limit) return {places[last].x, places[i].x, 1 - alpha};
  return {};
}

/// How the logarithm of a value rises over an octave, from one place to another.
double rise(const Place& from, const Place& to) { return (to.value - from.value) / (to.octave - from.octave); }

Plateau shoulder_of(const Place& first, const Place& last, const Place& beyond, double alpha) {
  const double low = std::min(first.value - first.half, last.value - last.half);
  const double high = std::max(first.value + first.half, last.value + last.half);
  Plateau found{first.x, last.x, {}, {last.x, beyond.x, 1 - alpha}};
  found.level = {std::exp((first.value + last.value) / 2), {std::exp(low), std::exp(high), 1 - alpha}, true, {}};
  return found;
}

void require_alpha(double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha of plateaus lies between 0 and 1");
}

}  // namespace

std::optional<Plateau> shoulder(const Estimates& estimates, double from, double to, double alpha) {
  require_alpha(alpha);
  const auto places = places_of(estimates);
  std::optional<Plateau> found;
  double least = std::log(shoulder_rise);
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].x <= from || places[i].x > to) continue;
    std::size_t end = i + 1;
    while (end < places.size() && places[end].octave - places[i].octave < least_octaves) ++end;
    if (end + 1 >= places.size() || places[end].x > to) break;
    const double own = std::max(0.0, rise(places[i], places[end]));
    const double around = std::min(rise(places[i - 1], places[i]), rise(places[end], places[end + 1]));
    const bool is_one_octave = places[end].octave - places[i].octave < widest_octave;
    if (!is_one_octave || own > least || around < std::max(2 * own, std::log(shoulder_rise))) continue;
    least = own;
    found = shoulder_of(places[i], places[end], places[end + 1], alpha);
  }
  return found;
}

std::vector<Plateau> plateaus(const Estimates& estimates, double alpha) {
  require_alpha(alpha);
  const auto places = places_of(estimates);
  std::vector<Plateau> found;
  for (const Members& members : joined(places, runs_of(places)))
    found.push_back({places[members.front()].x, places[members.back()].x, level_of(places, members, alpha),
                     end_of(places, members, alpha)});
  return found;
}

namespace {

// Of a level as stated: levels of a grid are rounded, and a little of it is others'.
constexpr double slack_of_end = 1.2;

std::size_t known_level_of(const Plateau& plateau, std::span<const KnownLevel> known, bool is_last) {
  const double middle = std::sqrt(plateau.first * plateau.last);
  std::size_t i = 0;
  while (i < known.size() && plateau.last > slack_of_end * known[i].last) ++i;
  if (i == 0 || middle > known[i - 1].last) return i;
  return i == known.size() && is_last && !plateau.end.available() ? i : no_level;
}

}  // namespace

std::vector<std::size_t> known_levels_of(std::span<const Plateau> found, std::span<const KnownLevel> known) {
  std::vector<std::size_t> indexes;
  for (std::size_t i = 0; i < found.size(); ++i)
    indexes.push_back(known_level_of(found[i], known, i + 1 == found.size()));
  return indexes;
}

}  // namespace assay
