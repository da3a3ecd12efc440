// SPDX-License-Identifier: Apache-2.0
// The library's own design, asked and told as a campaign does it.
#include "design/design.hpp"
#include "strategy.hpp"

namespace assay::test {
namespace {

class Refine final : public Strategy {
 public:
  std::string name() const override { return "Assay refine 5%"; }
  void run(Oracle& oracle, const Curve& curve, std::size_t points) const override {
    const auto design = adaptive({{"x", {{curve.low, curve.high}, 0.05, true}}}, points);
    for (auto requests = design->ask(); !requests.empty(); requests = design->ask())
      for (const auto& [point, attempt, sharpen] : requests) {
        const double y = oracle.measure(std::get<std::int64_t>(point.level("x")), sharpen);
        design->tell(point, {true, y, 1.96 * oracle.noise() * sharpen});
      }
  }
};

}  // namespace

std::unique_ptr<Strategy> assay_refine() { return std::make_unique<Refine>(); }

}  // namespace assay::test
