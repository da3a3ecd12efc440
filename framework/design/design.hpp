// SPDX-License-Identifier: Apache-2.0
// Which points to measure. Knows no clock, no member and no file.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/factor.hpp"
#include "base/point.hpp"

namespace assay {

/// What a design may learn of a finished point: the refined quantity's value and relative half-width.
struct Response {
  bool usable = false;  ///< false for a point that failed, is N/A or did not converge to a value
  double value = 0;
  double relative_half_width = 0;
};

/// Yields points in generations: those returned together are measured together, interleaved.
class Design {
 public:
  virtual ~Design() = default;
  /// The points that can be measured now and were not returned before. Empty when nothing is known to be worth
  /// measuring until more is told, and for ever after the last answer.
  virtual std::vector<Point> ask() = 0;
  /// Tells the outcome of one point that ask() returned.
  virtual void tell(const Point& point, const Response& response) = 0;
  /// Facts the design found, one sentence each: "jump between bytes=4096 and bytes=4160".
  virtual std::vector<std::string> findings() const { return {}; }
};

/// A factor's name with the levels asked for.
struct FactorDomain {
  std::string name;
  Domain domain;
};

/// All combinations of all levels, once, in one generation. The last factor varies fastest.
std::unique_ptr<Design> factorial(std::vector<FactorDomain> factors);

/// These points, in one generation.
std::unique_ptr<Design> listed(std::vector<Point> points);

/// As factorial for every factor but those with `refine`, whose levels are added to adaptively on each line through the
/// others. With no refined factor the same as factorial.
std::unique_ptr<Design> adaptive(std::vector<FactorDomain> factors, std::size_t max_points_per_line = 64);

}  // namespace assay
