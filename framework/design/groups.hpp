// SPDX-License-Identifier: Apache-2.0
// The combinations of the factors that are not refined: each has a curve or a surface of its own.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "design/design.hpp"

namespace assay {

/// Splits points into the levels that are refined and those that name the group.
class Groups {
 public:
  explicit Groups(std::vector<FactorDomain> factors);

  const std::vector<FactorDomain>& refined() const { return refined_; }
  /// The levels of the other factors; one empty point where there are none.
  const std::vector<Point>& common() const { return common_; }
  /// The whole point, in the order of the factors.
  Point joined(std::size_t group, const Point& refined) const;
  /// The refined levels of a point.
  Point refined_of(const Point& point) const { return part(point, true); }
  /// The group of a point. Throws std::out_of_range when no group has its levels.
  std::size_t group_of(const Point& point) const { return index_.at(to_text(part(point, false))); }
  /// A text about a group, with its levels in front where it has any.
  std::string about(std::size_t group, const std::string& text) const;

 private:
  Point part(const Point& point, bool refined) const;

  std::vector<FactorDomain> factors_;
  std::vector<FactorDomain> refined_;
  std::vector<Point> common_;
  std::map<std::string, std::size_t> index_;  ///< by text of the common levels
};

}  // namespace assay
