// SPDX-License-Identifier: Apache-2.0
// Taking points apart and joining them.
#include "design/groups.hpp"

#include "design/grid.hpp"

namespace assay {

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
