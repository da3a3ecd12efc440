// SPDX-License-Identifier: Apache-2.0
// Points that contradict each other in nothing, found among thousands.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/point.hpp"

namespace assay {

/// Two points agree when no factor that both have differs, and either both have the factor named `telling` or neither.
/// That is no equivalence: a point without a factor agrees with points that differ in it. Finding takes time in the
/// number of kinds of points (which factors they have), not in that of points.
class Agreement {
 public:
  explicit Agreement(std::string telling) : telling_(std::move(telling)) {}

  /// Borrows the point.
  void add(const Point& point);
  /// Numbers of the points that agree with this one, in the order in which they were added, from 0 on.
  std::vector<std::size_t> with(const Point& point);

 private:
  /// Points that have the same factors, in the same order.
  struct Kind {
    std::vector<std::string> factors;
    std::vector<std::pair<std::size_t, const Point*>> points;
  };
  /// Points of one kind, by their levels of the factors that they share with another kind.
  struct Shared {
    std::vector<std::string> factors;
    std::size_t taken = 0;  ///< how many points of the kind are in
    std::unordered_map<std::string, std::vector<std::size_t>> by_levels;
  };

  std::size_t kind_of(const Point& point);
  bool may_agree(const Kind& a, const Kind& b) const;
  Shared& shared(std::size_t asking, std::size_t asked);

  std::string telling_;
  std::vector<Kind> kinds_;
  std::unordered_map<std::string, std::size_t> kind_by_factors_;
  std::map<std::pair<std::size_t, std::size_t>, Shared> shared_;
  std::size_t count_ = 0;
};

}  // namespace assay
