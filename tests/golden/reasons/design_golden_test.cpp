// SPDX-License-Identifier: Apache-2.0
// What designs that add levels say they found, byte by byte.
#include <cmath>
#include <functional>

#include "design/design.hpp"
#include "design/refiner.hpp"
#include "support/environment/golden.hpp"

namespace assay::test {
namespace {

/// Refines a curve to its end, or to `most` levels; a negative value stands for none. What it found.
std::string refined_by(std::int64_t high, const std::function<double(double)>& curve, double half_width = 0,
                       std::size_t most = 200) {
  Refiner refiner(Domain{{std::int64_t{1}, high}, 0.05, true}, 64);
  for (auto proposals = refiner.proposals(); !proposals.empty(); proposals = refiner.proposals()) {
    if (refiner.points() >= most && !proposals.front().again) break;
    for (const auto& proposal : proposals) {
      if (refiner.points() >= most && !proposal.again) continue;
      const PointRequest request = refiner.ask(proposal, "n");
      const double y = curve(*number_of(request.point.level("n")));
      refiner.tell(request.point.level("n"), {y >= 0, y, half_width * request.sharpen});
    }
  }
  std::string told;
  for (const bool is_spent : {true, false})
    for (const std::string& finding : refiner.findings("n", is_spent)) told += finding + "\n";
  return told;
}

TEST(DesignGolden, FindingsOfLines) {
  std::string told;
  const auto step = [](double x) { return x <= 100 ? 1.0 : 2.0; };
  int measured = 0;
  told += "a step\n" + refined_by(4096, step);
  told += "a step, with few points\n" + refined_by(4096, step, 0, 15);
  told += "flat\n" + refined_by(64, [](double) { return 7.0; });
  told += "noisy\n" + refined_by(
                          64, [](double x) { return x >= 8 ? 9.0 : 7.0; }, 0.3);
  told += "without values\n" + refined_by(4096, [](double) { return -1.0; });
  told += "a peak that is not confirmed\n" +
          refined_by(4096, [&](double x) { return x == 64 && measured++ == 0 ? 12.0 : 7.0; });
  measured = 0;
  told += "a peak without a second value\n" + refined_by(4096, [&](double x) {
            return x != 64 ? 7.0 : measured++ == 0 ? 12.0 : -1.0;
          });
  EXPECT_TRUE(matches_golden(told, "reasons/design_lines.txt"));
}

TEST(DesignGolden, FindingsOfGrids) {
  const auto refined = [](const char* name, std::int64_t low, std::int64_t high) {
    return FactorDomain{name, {{low, high}, 0.05, true}};
  };
  const auto design = adaptive(
      {{"mode", {{Value("a"), Value("b")}, {}, false}}, refined("bytes", 1, 64), refined("members", 100, 500)}, 200);
  for (auto requests = design->ask(); !requests.empty(); requests = design->ask())
    for (const PointRequest& request : requests)
      design->tell(request.point, {true, *number_of(request.point.level("bytes")) > 20 ? 9.0 : 4.0, 0});
  std::string told;
  for (const std::string& finding : design->findings()) told += finding + "\n";
  EXPECT_TRUE(matches_golden(told, "reasons/design_grids.txt"));
}

}  // namespace
}  // namespace assay::test
