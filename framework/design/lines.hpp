// SPDX-License-Identifier: Apache-2.0
// One refined factor: a line for each combination of the others, which share generations and points.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "design/groups.hpp"
#include "design/refiner.hpp"

namespace assay {

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

}  // namespace assay
