// SPDX-License-Identifier: Apache-2.0
// Refined lines through all combinations of the factors that are not refined, in common generations.
#include <map>

#include "design/product.hpp"
#include "design/refiner.hpp"
#include "design/sheet.hpp"

namespace assay {
namespace {

/// One refined factor.
class Line final : public Design {
 public:
  Line(const FactorDomain& factor, std::size_t max_points) : name_(factor.name), refiner_(factor.domain, max_points) {}
  std::vector<Point> ask() override {
    std::vector<Point> points;
    for (const Value& level : refiner_.ask()) points.emplace_back().set(name_, level);
    return points;
  }
  void tell(const Point& point, const Response& response) override { refiner_.tell(point.level(name_), response); }
  std::vector<std::string> findings() const override { return refiner_.findings(name_); }

 private:
  std::string name_;
  Refiner refiner_;
};

class Adaptive final : public Design {
 public:
  Adaptive(std::vector<FactorDomain> factors, std::size_t max_points);
  std::vector<Point> ask() override;
  void tell(const Point& point, const Response& response) override;
  std::vector<std::string> findings() const override;

 private:
  struct Group {
    Point common;  ///< levels of the factors that are not refined
    std::unique_ptr<Design> refined;
  };
  Point joined(const Point& common, const Point& refined) const;
  /// The part of a point with or without its refined factors, in the order of the factors.
  Point part(const Point& point, bool refined) const;

  std::vector<FactorDomain> factors_;
  std::vector<Group> groups_;
  std::map<std::string, std::size_t> index_;  ///< by text of the common levels
};

std::unique_ptr<Design> refined_part(const std::vector<FactorDomain>& refined, std::size_t max_points) {
  if (refined.size() == 1) return std::make_unique<Line>(refined.front(), max_points);
  return std::make_unique<Sheet>(refined, max_points);
}

Adaptive::Adaptive(std::vector<FactorDomain> factors, std::size_t max_points) : factors_(std::move(factors)) {
  std::vector<FactorDomain> refined;
  std::vector<FactorDomain> others;
  for (const FactorDomain& factor : factors_) (factor.domain.refine ? refined : others).push_back(factor);
  for (const Point& common : product(others)) {
    index_.emplace(to_text(common), groups_.size());
    groups_.push_back({common, refined_part(refined, max_points)});
  }
}

Point Adaptive::joined(const Point& common, const Point& refined) const {
  Point point;
  for (const auto& [name, domain] : factors_) point.set(name, (domain.refine ? refined : common).level(name));
  return point;
}

Point Adaptive::part(const Point& point, bool refined) const {
  Point some;
  for (const auto& [name, domain] : factors_)
    if (domain.refine.has_value() == refined) some.set(name, point.level(name));
  return some;
}

std::vector<Point> Adaptive::ask() {
  std::vector<Point> points;
  for (Group& group : groups_)
    for (const Point& refined : group.refined->ask()) points.push_back(joined(group.common, refined));
  return points;
}

void Adaptive::tell(const Point& point, const Response& response) {
  groups_.at(index_.at(to_text(part(point, false)))).refined->tell(part(point, true), response);
}

std::vector<std::string> Adaptive::findings() const {
  std::vector<std::string> texts;
  for (const Group& group : groups_) {
    const std::string where = to_text(group.common);
    for (const std::string& found : group.refined->findings())
      texts.push_back(where.empty() ? found : where + ": " + found);
  }
  return texts;
}

}  // namespace

std::unique_ptr<Design> adaptive(std::vector<FactorDomain> factors, std::size_t max_points_per_line) {
  for (const FactorDomain& factor : factors)
    if (factor.domain.refine) return std::make_unique<Adaptive>(std::move(factors), max_points_per_line);
  return factorial(std::move(factors));
}

}  // namespace assay
