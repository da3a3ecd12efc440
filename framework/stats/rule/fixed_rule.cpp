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
            headline(sample, spec().alpha, spent.half_step, spent.between)};
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
            headline(sample, spec().alpha, spent.half_step, spent.between)};
  }
};

}  // namespace

constinit const RuleEntry fixed_rule{
    .name = "fixed",
    .argument = "count",
    .kind = ArgumentKind::count,
    .budget = {1, 1, 0, seconds(5)},
    .parameters = "alpha max-time",
    .make = &made<FixedRule>,
    .summary = "a fixed number of timings was taken: fixed:100",
    .stops = "n >= count.",
    .reports = "The median with the headline interval.",
    .expect =
        "The interval is valid, and of whatever width results: accuracy is not guaranteed. 100 timings estimate the "
        "median of values that scatter by 10 % to within 2 % in 90 % of campaigns.",
};

constinit const RuleEntry time_rule{
    .name = "time",
    .argument = "time",
    .kind = ArgumentKind::duration,
    .budget = {1, 1, 1'000'000, {}},
    .parameters = "alpha max-timings",
    .make = &made<TimeRule>,
    .summary = "a fixed time was spent on measuring: time:2s",
    .stops = "The time of the point's visits reaches the time given.",
    .reports = "The median with the headline interval.",
    .expect = "As fixed: the interval is the accuracy reached. Alone it is a budget, within all(...) a minimum effort.",
};

}  // namespace assay
