// SPDX-License-Identifier: Apache-2.0
// Generations of new levels in the gaps that are not known well enough.
#include "design/refiner.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "stats/phrase.hpp"

namespace assay {
namespace {

constexpr double normal_975 = 1.959964;
constexpr std::size_t points_per_basis = 4;  // the basis is chosen again after so many new points
constexpr std::size_t hopeless = 3;          // unusable levels inside a gap after which it is given up

bool by_key(const Gap& a, const Gap& b) { return a.key() > b.key(); }

std::string between(const std::string& factor, const Value& low, const Value& high) {
  return "between " + factor + "=" + to_text(low) + " and " + factor + "=" + to_text(high);
}

}  // namespace

Refiner::Refiner(const Domain& domain, std::size_t max_points)
    : axis_(domain), tolerance_(domain.refine.value_or(0.05)), max_points_(max_points) {
  for (const auto& [x, level] : axis_.start(max_points)) levels_[x].level = level;
}

std::vector<Value> Refiner::ask() {
  if (!outstanding())
    for (const double x : candidates()) levels_[x].level = axis_.value(x);
  std::vector<Value> fresh;
  for (auto& [x, known] : levels_) {
    if (known.asked) continue;
    known.asked = true;
    fresh.push_back(known.level);
  }
  return fresh;
}

void Refiner::tell(const Value& level, const Response& response) {
  const auto x = number_of(level);
  const auto known = x ? levels_.find(*x) : levels_.end();
  if (known == levels_.end() || !known->second.asked)
    throw std::invalid_argument("an answer for level '" + to_text(level) + "', which was not asked for");
  known->second.answered = true;
  known->second.response = response;
  if (outstanding()) return;
  const auto usable = nodes();
  if (basis_chosen_at_ > 0 && usable.size() < basis_chosen_at_ + points_per_basis) return;
  basis_ = choose_basis(usable, axis_);
  basis_chosen_at_ = usable.size();
}

bool Refiner::finished() const { return !outstanding() && candidates().empty(); }

bool Refiner::outstanding() const {
  return std::any_of(levels_.begin(), levels_.end(), [](const auto& entry) { return !entry.second.answered; });
}

std::vector<Node> Refiner::nodes() const {
  std::vector<Node> usable;
  for (const auto& [x, known] : levels_) {
    const Response& r = known.response;
    if (!known.answered || !r.usable || !std::isfinite(r.value)) continue;
    const double half_width = std::isfinite(r.relative_half_width) ? r.relative_half_width : 1;
    usable.push_back({x, r.value, half_width * std::abs(r.value) / normal_975});
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

std::vector<Gap> Refiner::open_gaps() const {
  std::vector<Gap> open;
  for (const Gap& gap : gaps())
    if (gap.certain > tolerance_ && candidate(gap)) open.push_back(gap);
  std::stable_sort(open.begin(), open.end(), by_key);
  return open;
}

std::vector<double> Refiner::candidates() const {
  if (levels_.size() >= max_points_) return {};
  const std::size_t generation = std::min((levels_.size() + 3) / 4, max_points_ - levels_.size());
  auto open = open_gaps();
  if (open.size() > generation) open.resize(generation);
  std::vector<double> found;
  for (const Gap& gap : open) found.push_back(*candidate(gap));
  return found;
}

std::vector<std::string> Refiner::findings(const std::string& factor) const {
  std::vector<std::string> texts;
  if (outstanding()) return texts;
  const auto place = [&](const Gap& gap) {
    return between(factor, levels_.at(gap.low).level, levels_.at(gap.high).level);
  };
  for (const Gap& gap : gaps())
    if (gap.jump) texts.push_back("jump " + place(gap));
  const auto open = open_gaps();
  const auto worst =
      std::max_element(open.begin(), open.end(), [](const Gap& a, const Gap& b) { return a.certain < b.certain; });
  if (worst != open.end())
    texts.push_back("interpolation is not known to " + percent(tolerance_) + ": estimated error " +
                    percent(worst->certain) + " " + place(*worst) + ", after " + std::to_string(levels_.size()) +
                    " points");
  return texts;
}

}  // namespace assay
