// SPDX-License-Identifier: Apache-2.0
// Adaptive levels of one quantitative factor on one line: where to measure next, and when to stop.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/factor.hpp"
#include "design/axis.hpp"
#include "design/curve.hpp"
#include "design/design.hpp"

namespace assay {

/// Refines one curve y(x) until its interpolant is accurate to `tolerance`, by the key, basis, noise term and
/// generations of the method described in doc/method.md. Pure function of what it was told: replaying the same
/// responses gives the same levels.
class Refiner {
 public:
  /// `domain.refine` is the tolerance. Levels are integers when all listed ones are. All listed levels are measured,
  /// whatever `max_points` is. Throws std::invalid_argument when a level is a word.
  Refiner(const Domain& domain, std::size_t max_points);

  /// Levels to measure next; empty while answers are outstanding, and when finished.
  std::vector<Value> ask();
  /// The answer for a level that ask() returned. Throws std::invalid_argument for another one. An unusable answer keeps
  /// the level, but the curve is drawn without it.
  void tell(const Value& level, const Response& response);
  /// True when every open interval is accurate enough, or the budget of points is spent.
  bool finished() const;
  /// Brackets of discontinuities that were narrowed down to the smallest width, and the largest error left open.
  std::vector<std::string> findings(const std::string& factor) const;

 private:
  struct Known {
    Value level;
    bool asked = false;
    bool answered = false;
    Response response;
  };
  bool outstanding() const;
  std::vector<Node> nodes() const;
  std::vector<Gap> gaps() const;
  std::size_t unusable_inside(const Gap& gap) const;
  std::optional<double> candidate(const Gap& gap) const;
  std::vector<Gap> open_gaps() const;
  std::vector<double> candidates() const;

  Axis axis_;
  double tolerance_;
  std::size_t max_points_;
  std::map<double, Known> levels_;
  Basis basis_ = Basis::linear;
  std::size_t basis_chosen_at_ = 0;  ///< number of usable points when the basis was chosen
};

}  // namespace assay
