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

std::unique_ptr<BoundedRule> make_stable_min(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<StableMin>(spec, budget);
}

}  // namespace assay
