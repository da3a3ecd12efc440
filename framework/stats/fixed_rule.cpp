// SPDX-License-Identifier: Apache-2.0
// The rule that only counts.
#include "base/value.hpp"
#include "stats/phrase.hpp"
#include "stats/rules.hpp"

namespace assay {
namespace {

class FixedRule final : public BoundedRule {
 public:
  using BoundedRule::BoundedRule;
  std::string text() const override {
    return "fixed(count=" + std::to_string(count()) + ",alpha=" + to_text(spec().alpha) +
           ",max-time=" + exact(budget().max_time) + ")";
  }

 private:
  std::size_t count() const { return spec().count.value_or(0); }
  Verdict assess(const Sample& sample, const Spent& spent) const override {
    return {sample.size() >= count() ? Outcome::converged : Outcome::open,
            std::to_string(sample.size()) + " of " + counted(count(), "timing"),
            headline(sample, spec().alpha, spent.half_step)};
  }
};

}  // namespace

std::unique_ptr<StoppingRule> make_fixed(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<FixedRule>(spec, budget);
}

}  // namespace assay
