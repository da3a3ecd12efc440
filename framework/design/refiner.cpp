// SPDX-License-Identifier: Apache-2.0
// What is worth measuring on one line.
#include "design/refiner.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

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

}  // namespace assay
