// SPDX-License-Identifier: Apache-2.0
// Campaigns whose points never satisfy the default rule: every one takes as many observations as its budget allows.
#pragma once
#include <cmath>

#include "support/campaigns/fake_host.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {

/// Observations of a point before its budget is spent.
inline constexpr std::size_t budget_of_a_point = 4000;

/// A campaign of one series with so many points.
inline CampaignPlan never_enough_plan(std::int64_t points) {
  SeriesPlan series = fake_series("many", {levels("bytes", points)});
  series.precision.rule.budget.max_timings = budget_of_a_point;
  return fake_plan({series});
}

/// 100 ns per repetition, so noisy that the median is known to 2 % only beyond the budget.
inline Nanoseconds never_enough(const FakeTurn& turn, Rng& rng) {
  return Nanoseconds{100 * std::exp(0.8 * rng.normal()) * static_cast<double>(turn.reps.count)};
}

/// Forgets what it is given but counts the visits' kept batches and the finished points.
class CountingSink final : public Sink {
 public:
  void write(const Record& record) override {
    if (const auto* visit = std::get_if<VisitRecord>(&record))
      observations_ += visit->batches.size() - static_cast<std::size_t>(visit->discarded);
    if (std::holds_alternative<PointRecord>(record)) ++points_;
  }
  std::size_t observations() const { return observations_; }
  std::size_t points() const { return points_; }

 private:
  std::size_t observations_ = 0;
  std::size_t points_ = 0;
};

}  // namespace assay::test
