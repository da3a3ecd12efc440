// SPDX-License-Identifier: Apache-2.0
// The designs that ask for everything at once.
#include "design/product.hpp"

namespace assay {
namespace {

class Listed final : public Design {
 public:
  explicit Listed(std::vector<Point> points) : points_(std::move(points)) {}
  std::vector<Point> ask() override { return std::exchange(points_, {}); }
  void tell(const Point&, const Response&) override {}

 private:
  std::vector<Point> points_;
};

}  // namespace

std::vector<Point> product(const std::vector<FactorDomain>& factors) {
  std::vector<Point> points(1);
  for (const FactorDomain& factor : factors) {
    std::vector<Point> longer;
    for (const Point& point : points)
      for (const Value& level : factor.domain.levels) longer.emplace_back(point).set(factor.name, level);
    points = std::move(longer);
  }
  return points;
}

std::unique_ptr<Design> listed(std::vector<Point> points) { return std::make_unique<Listed>(std::move(points)); }

std::unique_ptr<Design> factorial(std::vector<FactorDomain> factors) { return listed(product(factors)); }

}  // namespace assay
