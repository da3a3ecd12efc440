// SPDX-License-Identifier: Apache-2.0
// Dealing of runs.
#include "support/laws/drawn_runs.hpp"

namespace assay::test {

Contest dealt(std::span<const double> runs, RunOrder order) {
  Contest contest;
  const std::size_t each = runs.size() / 2;
  for (std::size_t i = 0; i < 2 * each; ++i) {
    const bool is_a = order == RunOrder::sequential ? i < each : i % 4 == 0 || i % 4 == 3;
    (is_a ? contest.a : contest.b).push_back(runs[i]);
  }
  return contest;
}

Contest drawn(std::span<const double> runs, std::size_t each, RunOrder order, Rng& rng) {
  const auto start = static_cast<std::size_t>(rng.below(runs.size() - 2 * each + 1));
  return dealt(runs.subspan(start, 2 * each), order);
}

Contest changed(Contest contest, double ratio) {
  for (double& value : contest.b) value *= ratio;
  return contest;
}

}  // namespace assay::test
