// SPDX-License-Identifier: Apache-2.0
// Growing a product grid by the lines that are worth most for what they cost.
#include "design/adaptive.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "design/grid.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr double sheet_normal_975 = 1.959964;
constexpr double exploring = 0.01;  // keeps wide quiet gaps in the competition

Domain domain_of(const std::map<double, Value>& levels) {
  Domain domain;
  for (const auto& [x, level] : levels) domain.levels.push_back(level);
  return domain;
}

Gap& find_gap(std::vector<Gap>& gaps, double low, double high) {
  for (Gap& gap : gaps)
    if (gap.low == low && gap.high == high) return gap;
  return gaps.emplace_back(Gap{low, high});
}

}  // namespace

Sheet::Sheet(const std::vector<FactorDomain>& refined, std::size_t max_levels) : max_levels_(max_levels) {
  for (const auto& [name, domain] : refined) {
    const Axis axis(domain);
    sides_.push_back({name, axis, domain.refine.value_or(0.05), axis.start(max_levels)});
  }
}

std::vector<PointRequest> Sheet::yield(std::size_t /*most*/) {
  if (outstanding_ > 0) return {};
  if (!answers_.empty())
    if (const auto growth = best_growth()) {
      Side& side = sides_[growth->side];
      side.levels.emplace(growth->level, side.axis.value(growth->level));
    }
  std::vector<FactorDomain> factors;
  for (const Side& side : sides_) factors.push_back({side.name, domain_of(side.levels)});
  std::vector<PointRequest> fresh;
  for (const Point& point : product(factors))
    if (answers_.emplace(to_text(point), std::nullopt).second) fresh.push_back({point});
  outstanding_ = fresh.size();
  return fresh;
}

void Sheet::tell(const Point& point, const Response& response) {
  const auto answer = answers_.find(to_text(point));
  if (answer == answers_.end())
    throw std::invalid_argument("an answer for '" + to_text(point) + "', which was not asked for");
  if (!answer->second) --outstanding_;
  answer->second = response;
}

std::vector<Point> Sheet::across(std::size_t side) const {
  std::vector<FactorDomain> factors;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Domain domain = domain_of(sides_[i].levels);
    if (i == side) domain.levels.resize(1);  // replaced by every level of the line
    factors.push_back({sides_[i].name, domain});
  }
  return product(factors);
}

std::vector<Gap> Sheet::line(const Side& side, const Point& at) const {
  std::vector<Node> nodes;
  Point point = at;
  for (const auto& [x, level] : side.levels) {
    point.set(side.name, level);
    const auto known = answers_.find(to_text(point));
    if (known == answers_.end() || !known->second || !known->second->usable) continue;
    const double y = known->second->value;
    nodes.push_back({x, y, known->second->relative_half_width * std::abs(y) / sheet_normal_975});
  }
  if (nodes.size() < 2) return {};
  // Many lines share each gap: what one of them has not resolved is averaged out, not left out.
  return assess(nodes, logarithmic_if_positive(nodes), side.axis, side.tolerance, Neighbours::all);
}

std::vector<Gap> Sheet::averaged(std::size_t index) const {
  const Side& side = sides_[index];
  std::vector<Gap> sums;
  std::map<double, double> lines;
  for (const Point& at : across(index))
    for (const Gap& gap : line(side, at)) {
      if (std::next(side.levels.find(gap.low))->first != gap.high) continue;  // an unusable point lies inside
      Gap& sum = find_gap(sums, gap.low, gap.high);
      sum.width = gap.width;
      sum.error += gap.error;
      sum.certain += gap.certain;
      ++lines[gap.low];
    }
  for (Gap& sum : sums) {
    sum.error /= lines[sum.low];
    sum.certain /= lines[sum.low];
  }
  return sums;
}

// One line at a time: it is a generation of points already, and two chosen together often serve the same bend.
std::optional<Sheet::Growth> Sheet::best_growth() const {
  std::optional<Growth> best;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const Side& side = sides_[i];
    const auto cost = static_cast<double>(across(i).size());
    if (side.levels.size() >= max_levels_) continue;
    for (const Gap& gap : averaged(i)) {
      const auto middle = side.axis.split(gap.low, gap.high);
      const double worth = (gap.error + exploring) * gap.width / cost;
      if (gap.certain > side.tolerance && gap.width >= least_width && middle && (!best || worth > best->worth))
        best = Growth{i, *middle, worth};
    }
  }
  return best;
}

std::vector<std::string> Sheet::findings() const {
  std::vector<std::string> texts;
  if (outstanding_ > 0 || answers_.empty()) return texts;
  for (std::size_t i = 0; i < sides_.size(); ++i)
    for (const Point& at : across(i))
      for (const Gap& gap : line(sides_[i], at))
        if (gap.jump) texts.push_back(to_text(at.without(sides_[i].name)) + ": jump " + place(sides_[i], gap));
  for (std::size_t i = 0; i < sides_.size(); ++i) texts.push_back(verdict(i));
  return texts;
}

std::string Sheet::place(const Side& side, const Gap& gap) const {
  const auto level = [&](double x) { return side.name + "=" + to_text(side.levels.at(x)); };
  return "between " + level(gap.low) + " and " + level(gap.high);
}

std::string Sheet::verdict(std::size_t index) const {
  const Side& side = sides_[index];
  std::string text = "along " + side.name + " accurate to " + percent(side.tolerance) + " on average, as far as " +
                     counted(side.levels.size(), "level") + " show";
  Gap worst;
  bool open = false;
  for (const Gap& gap : averaged(index)) {
    const bool splits = side.axis.split(gap.low, gap.high) && gap.width >= least_width;
    if (splits && gap.certain >= worst.certain) worst = gap;
    open = open || (splits && gap.certain > side.tolerance);
  }
  if (worst.certain > smallest_told)
    text += ": largest estimated error " + percent(worst.certain) + " " + place(side, worst);
  if (open) text = "not " + text + (side.levels.size() >= max_levels_ ? "; max-points is reached" : "; stopped early");
  return text;
}

}  // namespace assay
