// SPDX-License-Identifier: Apache-2.0
// What is reported of a refined line: jumps, values that were not confirmed, accuracy reached and why it ended.
#include <algorithm>
#include <cmath>

#include "design/refiner.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

double half_width(const Response& r) { return r.relative_half_width * std::abs(r.value); }

bool confirmed(const Response& first, const Response& second, double tolerance) {
  if (!second.usable) return false;
  const double apart = std::abs(second.value - first.value);
  return apart <= std::hypot(half_width(first), half_width(second)) || apart <= tolerance / 4 * std::abs(second.value);
}

std::string unconfirmed(const std::string& where, const Response& first, const Response& second) {
  return "peak at " + where + " not confirmed: " + rounded(first.value) + ", measured again " +
         (second.usable ? rounded(second.value) : std::string("without a value"));
}

// Nothing is interpolated across a jump, nor between neighbouring integers.
std::vector<Gap> interpolated(std::vector<Gap> gaps, const Axis& axis) {
  std::erase_if(gaps, [&](const Gap& gap) { return gap.jump || !axis.split(gap.low, gap.high); });
  return gaps;
}

template <class Measure>
const Gap& largest(const std::vector<Gap>& gaps, Measure measure) {
  return *std::max_element(gaps.begin(), gaps.end(),
                           [&](const Gap& a, const Gap& b) { return measure(a) < measure(b); });
}

// A miss is five times the error in the middle of a smooth gap, or more: its noise may exceed the tolerance, but not by
// much.
double hidden(const Gap& gap, double tolerance) {
  return gap.noise > 2 * tolerance ? std::max(gap.error, gap.noise) : gap.error;
}

}  // namespace

std::string Refiner::place(const Gap& gap, const std::string& factor) const {
  const auto level = [&](double x) { return factor + "=" + to_text(levels_.at(x).level); };
  return "between " + level(gap.low) + " and " + level(gap.high);
}

std::string Refiner::verdict(const std::vector<Gap>& known, const std::string& factor, bool out_of_points) const {
  const std::string to_tolerance =
      "accurate to " + percent(tolerance_) + " as far as " + counted(levels_.size(), "point") + " show";
  if (known.empty()) return "not known to be " + to_tolerance + ": fewer than two have a value with an interval";
  const auto gaps = interpolated(known, axis_);
  if (gaps.empty()) return to_tolerance + ": every level between the ends is measured";
  const Gap& worst = largest(gaps, [](const Gap& gap) { return gap.certain; });
  const Gap& vague = largest(gaps, [&](const Gap& gap) { return hidden(gap, tolerance_); });
  const std::string estimated = ": largest estimated error " + percent(worst.certain) + " " + place(worst, factor);
  if (std::any_of(gaps.begin(), gaps.end(), [&](const Gap& gap) { return splits(gap); }))
    return "not " + to_tolerance + estimated + (out_of_points ? "; max-points is reached" : "; stopped early");
  if (std::any_of(gaps.begin(), gaps.end(), [&](const Gap& gap) { return worth_splitting(gap); }))
    return "not " + to_tolerance + estimated + "; no level is left to add there";
  if (hidden(vague, tolerance_) > tolerance_)
    return "not known to be " + to_tolerance + ": noise hides an error of up to " + percent(hidden(vague, tolerance_)) +
           " " + place(vague, factor);
  return to_tolerance + (worst.certain > smallest_told ? estimated : ": no error beyond the noise");
}

std::vector<std::string> Refiner::findings(const std::string& factor, bool out_of_points) const {
  std::vector<std::string> texts;
  if (levels_.empty() || outstanding()) return texts;
  const auto known = gaps();
  for (const Gap& gap : known)
    if (gap.jump) texts.push_back("jump " + place(gap, factor));
  for (const auto& [x, level] : levels_)
    if (level.peak && !confirmed(*level.peak, level.response, tolerance_))
      texts.push_back(unconfirmed(factor + "=" + to_text(level.level), *level.peak, level.response));
  texts.push_back(verdict(known, factor, out_of_points));
  return texts;
}

}  // namespace assay
