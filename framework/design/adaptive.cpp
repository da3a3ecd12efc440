// SPDX-License-Identifier: Apache-2.0
// Refined lines or surfaces through all combinations of the factors that are not refined; lines compete for the points
// of a generation.
#include "design/adaptive.hpp"

#include <algorithm>
#include <limits>

#include "design/grid.hpp"

namespace assay {
namespace {

/// A surface for each combination of the other factors.
class Sheets final : public Design {
 public:
  Sheets(std::vector<FactorDomain> factors, std::size_t max_levels)
      : groups_(std::move(factors)), sheets_(groups_.common().size(), Sheet(groups_.refined(), max_levels)) {}

  void tell(const Point& point, const Response& response) override {
    sheets_.at(groups_.group_of(point)).tell(groups_.refined_of(point), response);
  }
  std::vector<std::string> findings() const override {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < sheets_.size(); ++i)
      for (const std::string& found : sheets_[i].findings()) texts.push_back(groups_.about(i, found));
    return texts;
  }

 private:
  std::vector<PointRequest> yield(std::size_t most) override {
    std::vector<PointRequest> requests;
    for (std::size_t i = 0; i < sheets_.size(); ++i)
      for (const PointRequest& request : sheets_[i].ask(most))
        requests.push_back({groups_.joined(i, request.point), request.attempt, request.sharpen});
    return requests;
  }

  Groups groups_;
  std::vector<Sheet> sheets_;
};

}  // namespace

std::unique_ptr<Design> adaptive(std::vector<FactorDomain> factors, std::size_t max_points_per_line,
                                 std::optional<std::uint64_t> seed) {
  switch (std::count_if(factors.begin(), factors.end(), [](const auto& f) { return f.domain.refine.has_value(); })) {
    case 0:
      return factorial(std::move(factors), seed);
    case 1:
      return std::make_unique<Lines>(std::move(factors), max_points_per_line);
    default:
      return std::make_unique<Sheets>(std::move(factors), max_points_per_line);
  }
}

Lines::Lines(std::vector<FactorDomain> factors, std::size_t max_points_per_line)
    : groups_(std::move(factors)),
      factor_(groups_.refined().front().name),
      lines_(groups_.common().size(), Refiner(groups_.refined().front().domain, max_points_per_line)),
      max_points_(max_points_per_line * lines_.size()) {}

bool Lines::outstanding() const {
  return std::any_of(lines_.begin(), lines_.end(), [](const Refiner& line) { return line.outstanding(); });
}

std::size_t Lines::points() const {
  std::size_t sum = 0;
  for (const Refiner& line : lines_) sum += line.points();
  return sum;
}

/// Best first.
std::vector<Lines::Offer> Lines::offers() const {
  std::vector<Offer> all;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    for (const Refiner::Proposal& proposal : lines_[i].proposals()) all.push_back({i, proposal});
  std::stable_sort(all.begin(), all.end(),
                   [](const Offer& a, const Offer& b) { return a.proposal.key > b.proposal.key; });
  return all;
}

std::vector<PointRequest> Lines::yield(std::size_t /*most*/) {
  std::vector<PointRequest> requests;
  if (outstanding()) return requests;
  const std::size_t known = points();
  const std::size_t left = max_points_ - std::min(max_points_, known);
  // The start is asked for whole: its listed levels were asked for by name.
  std::size_t fresh = known == 0 ? std::numeric_limits<std::size_t>::max() : std::min((known + 3) / 4, left);
  for (const auto& [line, proposal] : offers()) {
    if (!proposal.again && fresh == 0) continue;
    if (!proposal.again) --fresh;
    requests.push_back(lines_[line].ask(proposal, factor_));
    requests.back().point = groups_.joined(line, requests.back().point);
  }
  return requests;
}

void Lines::tell(const Point& point, const Response& response) {
  lines_.at(groups_.group_of(point)).tell(point.level(factor_), response);
}

std::vector<std::string> Lines::findings() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    for (const std::string& found : lines_[i].findings(factor_, points() >= max_points_))
      texts.push_back(groups_.about(i, found));
  return texts;
}

Groups::Groups(std::vector<FactorDomain> factors) : factors_(std::move(factors)) {
  std::vector<FactorDomain> others;
  for (const FactorDomain& factor : factors_) (factor.domain.refine ? refined_ : others).push_back(factor);
  common_ = product(others);
  for (std::size_t i = 0; i < common_.size(); ++i) index_.emplace(to_text(common_[i]), i);
}

Point Groups::joined(std::size_t group, const Point& refined) const {
  Point point;
  for (const auto& [name, domain] : factors_) point.set(name, (domain.refine ? refined : common_[group]).level(name));
  return point;
}

Point Groups::part(const Point& point, bool refined) const {
  Point some;
  for (const auto& [name, domain] : factors_)
    if (domain.refine.has_value() == refined) some.set(name, point.level(name));
  return some;
}

std::string Groups::about(std::size_t group, const std::string& text) const {
  const std::string where = to_text(common_[group]);
  return where.empty() ? text : where + ": " + text;
}

}  // namespace assay
