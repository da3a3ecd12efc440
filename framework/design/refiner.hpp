// SPDX-License-Identifier: Apache-2.0
// Adaptive levels of one quantitative factor on one line: where to measure next, and when to stop.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/factor.hpp"
#include "design/design.hpp"

namespace assay {

/// Refines one curve y(x) until its interpolant is accurate to `tolerance`, by the key, basis, noise term and
/// generations of the method described in doc/method.md. Pure function of what it was told: replaying the same
/// responses gives the same levels.
class Refiner {
 public:
  /// `domain.refine` is the tolerance. Levels are integers when all listed ones are.
  Refiner(const Domain& domain, std::size_t max_points);

  /// Levels to measure next; empty while answers are outstanding, and when finished.
  std::vector<Value> ask();
  void tell(const Value& level, const Response& response);
  /// True when every open interval is accurate enough, or the budget of points is spent.
  bool finished() const;
  /// Brackets of discontinuities that were narrowed down to the smallest width, and the largest error left open.
  std::vector<std::string> findings(const std::string& factor) const;

 private:
  struct Known {
    bool answered = false;
    Response response;
  };
  std::map<double, Known> levels_;
  bool integral_ = true;
  bool logarithmic_ = false;
  double tolerance_ = 0.05;
  std::size_t max_points_ = 64;
};

}  // namespace assay
