// SPDX-License-Identifier: Apache-2.0
// Designs that refine factors: one by a line for each combination of the others, several by a product grid that grows
// by whole lines.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "design/axis.hpp"
#include "design/curve.hpp"
#include "design/design.hpp"
#include "design/refiner.hpp"

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

/// Refines all lines in common generations: at most a quarter as many new points as there are, where they are worth
/// most, whatever line they lie on. Ends when no line proposes anything, or `max_points_per_line` times the number of
/// lines are spent.
class Lines final : public Design {
 public:
  /// `factors` has one refined factor. Throws std::invalid_argument when a level of it is a word.
  Lines(std::vector<FactorDomain> factors, std::size_t max_points_per_line);
  void tell(const Point& point, const Response& response) override;
  std::vector<std::string> findings() const override;

 private:
  std::vector<PointRequest> yield(std::size_t most) override;
  struct Offer {
    std::size_t line = 0;
    Refiner::Proposal proposal;
  };
  bool outstanding() const;
  std::size_t points() const;
  std::vector<Offer> offers() const;

  Groups groups_;
  std::string factor_;
  std::vector<Refiner> lines_;
  std::size_t max_points_;
};

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
