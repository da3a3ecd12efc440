// SPDX-License-Identifier: Apache-2.0
// The rule that waits for the minimum to stay.
#include "stats/rule/rules.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

class StableMin final : public BoundedRule {
 public:
  using BoundedRule::BoundedRule;
  std::string statistic() const override { return "minimum"; }

 private:
  Verdict assess(const Sample& sample, const Spent& /*spent*/) const override {
    const std::vector<double> values = sample.values();
    std::size_t newest = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
      if (values[i] < values[newest]) newest = i;
    const std::size_t since = values.size() - 1 - newest;
    // A longer sample has a smaller minimum: the lack of a recent one is no measure of how far below the next would be.
    return {2 * since >= values.size() ? Outcome::no_promise : Outcome::open,
            "no new minimum in the last " + std::to_string(since) + " of " + counted(values.size(), "timing") +
                ", and a minimum has no interval,",
            {"minimum", values[newest], {}, {}}};
  }
};

}  // namespace

constinit const RuleEntry stable_min_rule{
    .name = "stable-min",
    .budget = {1, 20, 4000, seconds(5)},
    .parameters = "min-visits min-timings max-timings max-time",
    .make = &made<StableMin>,
    .summary = "no new minimum came in the last half of the timings",
    .stops = "The last n/2 timings have no value below the minimum before them. Interim analyses after every visit.",
    .reports = "The minimum, which has no interval. The verdict is no-promise, never converged.",
    .expect =
        "30 to 40 timings, whatever the values are like: longer samples have smaller minima, so that two runs agree "
        "only where there is a floor.",
};

}  // namespace assay
