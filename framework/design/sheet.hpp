// SPDX-License-Identifier: Apache-2.0
// Two or more refined factors at once: a product grid that grows by whole lines.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "design/axis.hpp"
#include "design/curve.hpp"
#include "design/design.hpp"

namespace assay {

/// Adaptive lines: the gaps of each axis are assessed on every line along it, in logarithms; the averaged error times
/// the gap's width, divided by the number of points that a new line costs, says which line is added next. Ends when the
/// averaged error of every gap is within its factor's tolerance, or an axis has `max_levels` levels.
class Sheet final : public Design {
 public:
  Sheet(const std::vector<FactorDomain>& refined, std::size_t max_levels);
  void tell(const Point& point, const Response& response) override;
  std::vector<std::string> findings() const override;

 private:
  std::vector<PointRequest> yield(std::size_t most) override;
  struct Side {
    std::string name;
    Axis axis;
    double tolerance;
    std::map<double, Value> levels;
  };
  struct Growth {
    std::size_t side = 0;
    double level = 0;
    double worth = 0;
  };
  std::vector<Point> across(std::size_t side) const;
  std::vector<Gap> line(const Side& side, const Point& at) const;
  std::vector<Gap> averaged(std::size_t side) const;
  std::optional<Growth> best_growth() const;
  std::string place(const Side& side, const Gap& gap) const;
  std::string verdict(std::size_t side) const;

  std::vector<Side> sides_;
  std::size_t max_levels_;
  std::map<std::string, std::optional<Response>> answers_;  ///< by text of the point
  std::size_t outstanding_ = 0;
};

}  // namespace assay
