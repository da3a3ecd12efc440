// SPDX-License-Identifier: Apache-2.0
// The likelihood of generalised Pareto laws by slices of one theta = shape / scale, and the test of Anderson and
// Darling with parameters estimated, by simulation.
#include "stats/tail/pareto.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "base/rng.hpp"

namespace assay {
namespace {
constexpr double nearly_zero = 1e-9;  // below it the next term of the series is lost in a double
}

double excess_of(double theta, double w) {
  return std::abs(theta * w) < nearly_zero ? w : std::expm1(theta * w) / theta;
}

double ParetoLaw::above(double y) const {
  if (y <= 0) return 1;
  const double ratio = shape * y / scale;
  if (ratio <= -1) return 0;
  if (std::abs(ratio) < nearly_zero) return std::exp(-y / scale);
  return std::exp(-std::log1p(ratio) / shape);
}

double ParetoLaw::excess_at(double probability) const {
  return excess_of(shape / scale, -scale * std::log(probability));
}

namespace {

constexpr int coarse = 48;  // places where the profile is looked at before its maximum is searched
constexpr int fine = 64;    // slices of a region
constexpr int splits = 10;  // of the distance between scale and share
constexpr int digits = 24;  // of the maximum's place, in bits: half of a double's suffice for a flat top

/// What the likelihood of a law of this theta depends on: for each scale it is
/// -count log(scale) - logs - count mean / scale.
struct Profile {
  double theta = 0;
  double logs = 0;
  double mean = 0;
  double best = 0;
  double value = 0;  ///< the greatest likelihood
};

double cap_of(double theta) { return theta < 0 ? least_shape / theta : std::numeric_limits<double>::infinity(); }

Profile profile_at(std::span<const double> excesses, double theta) {
  const auto count = static_cast<double>(excesses.size());
  Profile profile{.theta = theta};
  double sum = 0;
  for (const double y : excesses) {
    sum += y;
    profile.logs += std::log1p(theta * y);
  }
  const bool is_flat = std::abs(theta) * excesses.back() < 1e-8;
  profile.mean = is_flat ? sum / count : profile.logs / (theta * count);
  profile.best = std::min(profile.mean, cap_of(theta));
  profile.value = -count * std::log(profile.best) - profile.logs - count * profile.mean / profile.best;
  return profile;
}

/// theta by a coordinate that runs evenly through light and heavy tails: log(1 + theta times the largest excess).
double theta_of(double place, double largest) { return std::expm1(place) / largest; }

struct Peak {
  double place = 0;
  double low = 0;  ///< ends of the places that were looked at
  double high = 0;
  Profile profile;
};

Peak peak_of(std::span<const double> excesses) {
  const double largest = excesses.back();
  const double width = std::log(static_cast<double>(excesses.size()) + 2);
  const auto at = [&](double place) { return profile_at(excesses, theta_of(place, largest)); };
  Peak peak{.place = 0, .low = -2.5 * width, .high = 4 * width, .profile = at(0)};
  const double step = (peak.high - peak.low) / coarse;
  for (int i = 0; i <= coarse; ++i)
    if (const Profile one = at(peak.low + i * step); one.value > peak.profile.value) {
      peak.place = peak.low + i * step;
      peak.profile = one;
    }
  const auto [place, value] = boost::math::tools::brent_find_minima([&](double x) { return -at(x).value; },
                                                                    peak.place - step, peak.place + step, digits);
  if (-value > peak.profile.value) {
    peak.place = place;
    peak.profile = at(place);
  }
  return peak;
}

/// Where a decreasing or increasing function has a value between two places, by halving.
template <class Function>
double crossing(Function is_inside, double inside, double outside) {
  for (int i = 0; i < 40; ++i) {
    const double middle = (inside + outside) / 2;
    (is_inside(middle) ? inside : outside) = middle;
  }
  return inside;
}

}  // namespace

ParetoLaw fit_pareto(std::span<const double> excesses) {
  if (excesses.size() < 2 || !(excesses.front() > 0))
    throw std::invalid_argument("a generalised Pareto law is fitted to two positive excesses or more");
  const Profile best = peak_of(excesses).profile;
  return {best.theta * best.best, best.best};
}

ParetoRegion::ParetoRegion(std::span<const double> excesses, Exceeding exceeding, double distance)
    : exceeding_(exceeding) {
  const double largest = excesses.back();
  const Peak peak = peak_of(excesses);
  const auto at = [&](double place) { return profile_at(excesses, theta_of(place, largest)); };
  const auto is_inside = [&](double place) { return 2 * (peak.profile.value - at(place).value) <= distance; };
  const double low = crossing(is_inside, peak.place, peak.low);
  const double high = crossing(is_inside, peak.place, peak.high);
  const auto add = [&](const Profile& profile) {
    const double left = distance - 2 * (peak.profile.value - profile.value);
    if (left >= 0) slices_.push_back({profile.theta, profile.mean, profile.best, left});
  };
  add(peak.profile);
  for (int i = 0; i <= fine; ++i) add(at(low + (high - low) * i / fine));
}

/// The scale of this slice whose likelihood is this far from that of its best one.
double ParetoRegion::scale_in(const Slice& slice, double distance, bool upper) const {
  const double count = static_cast<double>(exceeding_.count);
  const auto value = [&](double scale) { return -std::log(scale) - slice.mean / scale; };
  const double least = value(slice.best) - distance / (2 * count);
  const double cap = cap_of(slice.theta);
  if (upper && slice.best >= cap) return cap;
  double outside = upper ? slice.best * 2 : slice.best / 2;
  while (value(outside) > least && outside < cap) outside *= upper ? 2 : 0.5;
  return std::min(cap, crossing([&](double scale) { return value(scale) >= least; }, slice.best, outside));
}

/// The share of exceedances whose binomial likelihood is this far from that of the one found.
double ParetoRegion::share_at(double distance, bool upper) const {
  const double count = static_cast<double>(exceeding_.count);
  const double others = static_cast<double>(exceeding_.of) - count;
  const auto value = [&](double share) { return count * std::log(share) + others * std::log1p(-share); };
  const double found = exceeding_.share();
  const double least = value(found) - distance / 2;
  return crossing([&](double share) { return value(share) >= least; }, found, upper ? 1.0 : 0.0);
}

/// The largest or smallest scale times log(share / beyond), which a quantile rises with.
double ParetoRegion::exponent(const Slice& slice, double beyond, bool upper) const {
  double extreme = 0;
  for (int i = 0; i <= splits; ++i) {
    const double part = std::sin(std::numbers::pi / 2 * i / splits);
    const double scale = scale_in(slice, slice.left * part * part, upper);
    const double share = share_at(slice.left * (1 - part * part), upper);
    const double found = scale * std::max(0.0, std::log(share / beyond));
    extreme = i == 0 ? found : upper ? std::max(extreme, found) : std::min(extreme, found);
  }
  return extreme;
}

Interval ParetoRegion::excess(double beyond) const {
  Interval range;
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    const Slice& slice = slices_[i];
    const double low = excess_of(slice.theta, exponent(slice, beyond, false));
    const double high = excess_of(slice.theta, exponent(slice, beyond, true));
    range.low = i == 0 ? low : std::min(range.low, low);
    range.high = i == 0 ? high : std::max(range.high, high);
  }
  return range;
}

Interval ParetoRegion::shape() const {
  Interval range;
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    const Slice& slice = slices_[i];
    const double narrow = slice.theta * scale_in(slice, slice.left, false);
    const double wide = slice.theta * scale_in(slice, slice.left, true);
    range.low = std::min({i == 0 ? narrow : range.low, narrow, wide});
    range.high = std::max({i == 0 ? narrow : range.high, narrow, wide});
  }
  return range;
}

namespace {

constexpr int most_draws = 199;
constexpr int enough_beyond = 20;  // draws beyond it, after which the probability is known well enough to be large
constexpr double heaviest = 3;     // shape
constexpr double least = 1e-12;    // probability beyond the largest excess, which ends the law where its shape is -1

}  // namespace

double anderson_darling(const ParetoLaw& law, std::span<const double> excesses) {
  const std::size_t count = excesses.size();
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double below = std::max(least, 1 - law.above(excesses[i]));
    const double above = std::max(least, law.above(excesses[count - 1 - i]));
    sum += (2 * static_cast<double>(i) + 1) * (std::log(below) + std::log(above));
  }
  return count == 0 ? 0 : -static_cast<double>(count) - sum / static_cast<double>(count);
}

double pareto_check(const ParetoLaw& law, std::span<const double> excesses, std::uint64_t seed) {
  if (law.shape > heaviest) return 0;
  const double found = anderson_darling(law, excesses);
  Rng random(seed);
  std::vector<double> drawn(excesses.size());
  int beyond = 0;
  for (int draw = 1; draw <= most_draws; ++draw) {
    for (double& y : drawn) y = law.excess_at(1 - random.uniform());
    std::sort(drawn.begin(), drawn.end());
    // A draw of exactly 0 would be no excess.
    drawn.front() = std::max(drawn.front(), law.scale * least);
    if (anderson_darling(fit_pareto(drawn), drawn) >= found && ++beyond == enough_beyond)
      return static_cast<double>(beyond) / draw;
  }
  return (beyond + 1.0) / (most_draws + 1);
}

}  // namespace assay
