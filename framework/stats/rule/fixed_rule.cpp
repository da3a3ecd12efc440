// SPDX-License-Identifier: Apache-2.0
// The rules that count: timings taken, or time spent.
#include "stats/rule/rules.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

class FixedRule final : public BoundedRule {
 public:
  using BoundedRule::BoundedRule;

 private:
  MinimumEffort minimum_of_criterion(int /*incarnations*/, int batches) const override {
    return {visits_for(static_cast<std::size_t>(spec().argument.value_or(0)), batches), {}};
  }
  Verdict assess(const Sample& sample, const Spent& spent) const override {
    const auto count = static_cast<std::size_t>(spec().argument.value_or(0));
    return {sample.size() >= count ? Outcome::converged : Outcome::open,
            std::to_string(sample.size()) + " of " + counted(count, "timing"),
            headline(sample, spec().alpha, spent.half_step)};
  }
};

class TimeRule final : public BoundedRule {
 public:
  using BoundedRule::BoundedRule;
  bool is_look(int visits) const override { return is_dense_look(visits); }

 private:
  MinimumEffort minimum_of_criterion(int /*incarnations*/, int /*batches*/) const override {
    return {1, Nanoseconds{spec().argument.value_or(0)}};
  }
  Verdict assess(const Sample& sample, const Spent& spent) const override {
    const Nanoseconds time{spec().argument.value_or(0)};
    return {spent.time >= time ? Outcome::converged : Outcome::open, rounded(spent.time) + " of " + exact(time),
            headline(sample, spec().alpha, spent.half_step)};
  }
};

}  // namespace

std::unique_ptr<BoundedRule> make_fixed(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<FixedRule>(spec, budget);
}

std::unique_ptr<BoundedRule> make_time(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<TimeRule>(spec, budget);
}

}  // namespace assay
