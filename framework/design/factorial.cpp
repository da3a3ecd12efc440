// SPDX-License-Identifier: Apache-2.0
// The designs that know all of their points beforehand.
#include <algorithm>
#include <optional>
#include <utility>

#include "design/grid.hpp"

namespace assay {
namespace {

class Factorial final : public Design {
 public:
  Factorial(std::vector<FactorDomain> factors, std::optional<std::uint64_t> seed) : grid_(std::move(factors)) {
    // What shares a part is mixed by those who measure it.
    if (seed && grid_.size() > part_size) order_.emplace(grid_.size(), Rng(*seed));
  }
  std::size_t left() const override { return grid_.size() - next_; }
  void tell(const Point&, const Response&) override {}

 private:
  std::vector<PointRequest> yield(std::size_t most) override {
    std::vector<PointRequest> requests;
    for (const std::size_t end = next_ + std::min(most, left()); next_ < end; ++next_)
      requests.push_back({grid_[order_ ? (*order_)(next_) : next_]});
    return requests;
  }

  Grid grid_;
  std::optional<Permutation> order_;
  std::uint64_t next_ = 0;
};

class Listed final : public Design {
 public:
  explicit Listed(std::vector<Point> points) {
    for (Point& point : points) requests_.push_back({std::move(point)});
  }
  void tell(const Point&, const Response&) override {}

 private:
  std::vector<PointRequest> yield(std::size_t) override { return std::exchange(requests_, {}); }

  std::vector<PointRequest> requests_;
};

}  // namespace

std::unique_ptr<Design> listed(std::vector<Point> points) { return std::make_unique<Listed>(std::move(points)); }

std::unique_ptr<Design> factorial(std::vector<FactorDomain> factors, std::optional<std::uint64_t> seed) {
  return std::make_unique<Factorial>(std::move(factors), seed);
}

}  // namespace assay
