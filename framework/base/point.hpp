// SPDX-License-Identifier: Apache-2.0
// One combination of levels.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.hpp"

namespace assay {

/// A design point: each factor at one level, in the order in which the factors were set.
class Point {
 public:
  /// Sets or replaces the level of a factor. Factor names are words of letters, digits, '_' and '-'. Throws
  /// std::invalid_argument for another name, and for NaN, which is no level. -0.0 becomes 0.0.
  void set(std::string_view factor, Value level);
  /// The level of a factor, or nullptr when the point does not have it.
  const Value* find(std::string_view factor) const;
  /// The level of a factor. Throws std::out_of_range naming the factor.
  const Value& level(std::string_view factor) const;
  /// The level as text without quotes: for display, and for factors whose levels are words.
  std::string text(std::string_view factor) const;
  /// A copy without one factor: the curve, line or group that the point belongs to.
  Point without(std::string_view factor) const;

  const std::vector<std::pair<std::string, Value>>& levels() const { return levels_; }
  friend bool operator==(const Point&, const Point&) = default;

 private:
  std::vector<std::pair<std::string, Value>> levels_;
};

/// `factor=level` pairs in their order, separated by one space. Two points are equal exactly when their texts are.
std::string to_text(const Point& point);

/// Exact inverse of to_text(Point); nothing when the text is malformed or names a factor twice.
std::optional<Point> parse_point(std::string_view text);

}  // namespace assay
