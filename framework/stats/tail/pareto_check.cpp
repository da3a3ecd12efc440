// SPDX-License-Identifier: Apache-2.0
// The test of Anderson and Darling with parameters estimated, by simulation.
#include "stats/tail/pareto_check.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.hpp"
#include "stats/tail/pareto_fit.hpp"

namespace assay {
namespace {

constexpr int most_draws = 199;
constexpr int enough_beyond = 20;  // draws beyond it, after which the probability is known well enough to be large
constexpr double heaviest = 3;     // shape
constexpr double least = 1e-12;    // probability beyond the largest excess, which ends the law where its shape is -1

}  // namespace

double anderson_darling(const ParetoLaw& law, std::span<const double> excesses) {
  const std::size_t count = excesses.size();
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double below = std::max(least, 1 - law.above(excesses[i]));
    const double above = std::max(least, law.above(excesses[count - 1 - i]));
    sum += (2 * static_cast<double>(i) + 1) * (std::log(below) + std::log(above));
  }
  return count == 0 ? 0 : -static_cast<double>(count) - sum / static_cast<double>(count);
}

double pareto_check(const ParetoLaw& law, std::span<const double> excesses, std::uint64_t seed) {
  if (law.shape > heaviest) return 0;
  const double found = anderson_darling(law, excesses);
  Rng random(seed);
  std::vector<double> drawn(excesses.size());
  int beyond = 0;
  for (int draw = 1; draw <= most_draws; ++draw) {
    for (double& y : drawn) y = law.excess_at(1 - random.uniform());
    std::sort(drawn.begin(), drawn.end());
    // A draw of exactly 0 would be no excess.
    drawn.front() = std::max(drawn.front(), law.scale * least);
    if (anderson_darling(fit_pareto(drawn), drawn) >= found && ++beyond == enough_beyond)
      return static_cast<double>(beyond) / draw;
  }
  return (beyond + 1.0) / (most_draws + 1);
}

}  // namespace assay
