// SPDX-License-Identifier: Apache-2.0
// What is worth measuring on one line, and what is reported of it: jumps, values that were not confirmed, accuracy
// reached and why it ended.
#include "design/refiner.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr double normal_975 = 1.959964;
constexpr double first_of_all = std::numeric_limits<double>::infinity();
constexpr std::size_t points_per_basis = 4;  // the basis is chosen again after so many new points
constexpr std::size_t hopeless = 3;          // unusable levels inside a gap after which it is given up
constexpr int most_sharpened = 2;

double deviation_of(const Response& r) {
  const double half_width = std::isfinite(r.relative_half_width) ? r.relative_half_width : 1;
  return half_width * std::abs(r.value) / normal_975;
}

}  // namespace

Refiner::Refiner(const Domain& domain, std::size_t most_at_start)
    : axis_(domain), tolerance_(domain.refine.value_or(0.05)), most_at_start_(most_at_start) {}

std::vector<Refiner::Proposal> Refiner::proposals() const {
  std::vector<Proposal> found;
  if (levels_.empty())
    for (const auto& [x, level] : axis_.start(most_at_start_)) found.push_back({x, first_of_all});
  if (levels_.empty() || outstanding()) return found;
  const auto known = gaps();
  const auto held = hold_back(known, found);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const Gap& gap = known[i];
    if (held[i]) continue;
    if (splits(gap))
      found.push_back({*candidate(gap), gap.key()});
    else if (!worth_splitting(gap) && gap.noise > tolerance_ && gap.error > tolerance_)
      propose_sharper(known, i, found);
  }
  std::stable_sort(found.begin(), found.end(), [](const Proposal& a, const Proposal& b) { return a.key > b.key; });
  return found;
}

// Where the noise alone could pass for an error beyond the tolerance, one gap among many will look like that by chance.
bool Refiner::worth_splitting(const Gap& gap) const {
  return (gap.noise > tolerance_ ? gap.evident : gap.certain) > tolerance_;
}

bool Refiner::splits(const Gap& gap) const { return worth_splitting(gap) && candidate(gap); }

// The gaps that a lone peak would have split wait until it was measured again.
std::vector<bool> Refiner::hold_back(const std::vector<Gap>& gaps, std::vector<Proposal>& found) const {
  std::vector<bool> held(gaps.size(), false);
  const auto usable = nodes();
  for (const std::size_t peak : lone_peaks(usable, basis_, tolerance_)) {
    const std::size_t first = peak - std::min<std::size_t>(peak, 2);
    const std::size_t last = std::min(peak + 2, gaps.size());
    const auto begin = gaps.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = gaps.begin() + static_cast<std::ptrdiff_t>(last);
    if (levels_.at(usable[peak].x).peak || std::none_of(begin, end, [&](const Gap& g) { return splits(g); })) continue;
    found.push_back({usable[peak].x, first_of_all, true, true});
    std::fill(held.begin() + (begin - gaps.begin()), held.begin() + (end - gaps.begin()), true);
  }
  return held;
}

// First the ends; when these are as precise as they will be, the neighbours that are extrapolated.
void Refiner::propose_sharper(const std::vector<Gap>& gaps, std::size_t i, std::vector<Proposal>& found) const {
  const auto sharpen = [&](double x) {
    if (levels_.at(x).sharpened >= most_sharpened) return false;
    const bool already = std::any_of(found.begin(), found.end(), [&](const Proposal& p) { return p.x == x; });
    if (!already) found.push_back({x, first_of_all, true});
    return true;
  };
  const bool low = sharpen(gaps[i].low);
  const bool high = sharpen(gaps[i].high);
  if (low || high) return;
  if (i > 0) sharpen(gaps[i - 1].low);
  if (i + 1 < gaps.size()) sharpen(gaps[i + 1].high);
}

PointRequest Refiner::ask(const Proposal& proposal, const std::string& factor) {
  Known& known = levels_[proposal.x];
  if (!proposal.again) known.level = axis_.value(proposal.x);
  if (proposal.peak) known.peak = known.response;
  if (proposal.again && !proposal.peak) ++known.sharpened;
  known.answered = false;
  PointRequest request{{}, known.asked++, std::ldexp(1.0, -known.sharpened)};
  request.point.set(factor, known.level);
  return request;
}

void Refiner::tell(const Value& level, const Response& response) {
  const auto x = number_of(level);
  const auto known = x ? levels_.find(*x) : levels_.end();
  if (known == levels_.end())
    throw std::invalid_argument("an answer for level '" + to_text(level) + "', which was not asked for");
  known->second.answered = true;
  known->second.response = response;
  if (outstanding()) return;
  const auto usable = nodes();
  if (basis_chosen_at_ > 0 && usable.size() < basis_chosen_at_ + points_per_basis) return;
  basis_ = choose_basis(usable, axis_);
  basis_chosen_at_ = usable.size();
}

bool Refiner::outstanding() const {
  return std::any_of(levels_.begin(), levels_.end(), [](const auto& entry) { return !entry.second.answered; });
}

std::vector<Node> Refiner::nodes() const {
  std::vector<Node> usable;
  for (const auto& [x, known] : levels_) {
    const Response& r = known.response;
    if (known.answered && r.usable && std::isfinite(r.value)) usable.push_back({x, r.value, deviation_of(r)});
  }
  return usable;
}

std::vector<Gap> Refiner::gaps() const { return assess(nodes(), basis_, axis_, tolerance_); }

std::size_t Refiner::unusable_inside(const Gap& gap) const {
  const auto first = levels_.upper_bound(gap.low);
  return static_cast<std::size_t>(std::distance(first, levels_.lower_bound(gap.high)));
}

// Levels without a value stay where they are: the widest piece between them is split.
std::optional<double> Refiner::candidate(const Gap& gap) const {
  if (gap.width < least_width || unusable_inside(gap) >= hopeless) return std::nullopt;
  std::optional<double> best;
  double widest = 0;
  for (auto low = levels_.find(gap.low); low->first < gap.high; ++low) {
    const auto high = std::next(low);
    const auto middle = axis_.split(low->first, high->first);
    const double width = axis_.width(low->first, high->first);
    if (!middle || width <= widest) continue;
    widest = width;
    best = middle;
  }
  return best;
}

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
