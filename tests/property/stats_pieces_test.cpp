// SPDX-License-Identifier: Apache-2.0
// Piecewise lines over message sizes: planted breaks are found, noise is not taken for one, and intervals keep their
// promise.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "stats/fit/pieces.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr int pieces_campaigns = 500;

/// A line up to `last`.
struct PieceLaw {
  double last;
  double intercept;
  double slope;
};
using PieceLaws = std::vector<PieceLaw>;

const PieceLaws straight{{65536, 1500, 0.12}};
const PieceLaws protocol{{4096, 1500, 0.25}, {65536, 4000, 0.08}};
const PieceLaws three_lines{{512, 900, 0.4}, {8192, 1600, 0.3}, {65536, 6000, 0.1}};

const PieceLaw& law_at(const PieceLaws& laws, double x) {
  std::size_t i = 0;
  while (x > laws[i].last) ++i;
  return laws[i];
}

std::vector<double> sizes() {
  std::vector<double> all;
  for (double x = 1; x <= 65536; x *= 2) {
    all.push_back(x);
    if (x > 1 && x < 65536) all.push_back(std::round(x * 1.5));
  }
  return all;
}

/// How a measured interval comes about.
enum class Widths { stated, from_five_processes, half_as_wide };

Estimate estimate(double truth, double error, Widths widths, Rng& rng) {
  if (widths == Widths::from_five_processes) {
    std::vector<double> medians;
    for (int i = 0; i < 5; ++i) medians.push_back(truth + error * std::sqrt(5.0) * rng.normal());
    return {"median", summarize(medians).mean, t_interval(medians, 0.05), "incarnations"};
  }
  const double y = truth + error * rng.normal();
  const double half = normal_quantile(0.975) * error / (widths == Widths::half_as_wide ? 2 : 1);
  return {"median", y, {y - half, y + half, 0.95}, "visits"};
}

Estimates measured(const PieceLaws& laws, double noise, Widths widths, Rng& rng) {
  Estimates points;
  for (const double x : sizes()) {
    const PieceLaw& law = law_at(laws, x);
    const double y = law.intercept + law.slope * x;
    points.push_back({x, estimate(y, noise * y, widths, rng)});
  }
  return points;
}

std::vector<Estimates> several(const std::vector<PieceLaws>& all, double noise, Widths widths, Rng& rng) {
  std::vector<Estimates> quantities;
  for (const PieceLaws& laws : all) quantities.push_back(measured(laws, noise, widths, rng));
  return quantities;
}

TEST(PiecesProperty, AStraightLineIsOnePiece) {
  for (const Widths widths : {Widths::stated, Widths::from_five_processes, Widths::half_as_wide})
    for (const double noise : {0.002, 0.02})
      for (const std::size_t quantities : {1U, 4U}) {
        Rng rng(41);
        int broken = 0;
        for (int i = 0; i < pieces_campaigns; ++i)
          broken += pieces(several(std::vector(quantities, straight), noise, widths, rng), 0.05).size() > 1 ? 1 : 0;
        EXPECT_LE(broken, 0.05 * pieces_campaigns) << noise << ' ' << quantities << ' ' << static_cast<int>(widths);
      }
}

TEST(PiecesProperty, PlantedBreaksAreFoundAndBracketed) {
  for (const PieceLaws& laws : {protocol, three_lines})
    for (const double noise : {0.002, 0.02}) {
      Rng rng(42);
      int counted = 0;
      int bracketed = 0;
      for (int i = 0; i < pieces_campaigns; ++i) {
        const auto found = pieces(several({laws}, noise, Widths::from_five_processes, rng), 0.05);
        if (found.size() != laws.size()) continue;
        ++counted;
        bool all = true;
        for (std::size_t k = 1; k < found.size(); ++k)
          all = all && found[k].start.low <= laws[k - 1].last && laws[k - 1].last < found[k].start.high;
        bracketed += all ? 1 : 0;
      }
      EXPECT_GE(counted, 0.95 * pieces_campaigns) << laws.size() << ' ' << noise;
      EXPECT_GE(bracketed, 0.93 * counted) << laws.size() << ' ' << noise;
    }
}

// The law of one quantity changes and those of the others do not: the break is common, and costs them no accuracy.
TEST(PiecesProperty, OneQuantityAmongSeveralBreaksAll) {
  Rng rng(44);
  int found = 0;
  int covered = 0;
  for (int i = 0; i < pieces_campaigns; ++i) {
    const auto all = pieces(several({straight, protocol, straight}, 0.01, Widths::from_five_processes, rng), 0.05);
    if (all.size() != 2) continue;
    ++found;
    covered += all[1].lines[2].slope.interval.contains(straight[0].slope) ? 1 : 0;
  }
  EXPECT_GE(found, 0.95 * pieces_campaigns);
  EXPECT_GE(covered, 0.93 * found);
}

TEST(PiecesProperty, LinesCoverTheirTruth) {
  for (const PieceLaws& laws : {straight, protocol, three_lines})
    for (const Widths widths : {Widths::stated, Widths::from_five_processes, Widths::half_as_wide}) {
      Rng rng(43);
      int lines = 0;
      int intercepts = 0;
      int slopes = 0;
      for (int i = 0; i < pieces_campaigns; ++i) {
        const auto found = pieces(several({laws}, 0.01, widths, rng), 0.05);
        if (found.size() != laws.size()) continue;
        for (std::size_t k = 0; k < laws.size(); ++k) {
          ++lines;
          intercepts += found[k].lines[0].intercept.interval.contains(laws[k].intercept) ? 1 : 0;
          slopes += found[k].lines[0].slope.interval.contains(laws[k].slope) ? 1 : 0;
        }
      }
      EXPECT_GE(lines, 0.9 * pieces_campaigns) << "too few to tell";
      EXPECT_GE(intercepts, 0.93 * lines) << laws.size() << ' ' << static_cast<int>(widths);
      EXPECT_GE(slopes, 0.93 * lines) << laws.size() << ' ' << static_cast<int>(widths);
    }
}

}  // namespace
}  // namespace assay
