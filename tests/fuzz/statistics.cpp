// SPDX-License-Identifier: Apache-2.0
// Any doubles through the statistics: numbers that are sound, or a verdict that says why there are none.
#include <algorithm>
#include <cmath>
#include <memory>

#include "fuzz/fuzz.hpp"
#include "stats/comparison/comparison.hpp"
#include "stats/rule/estimate.hpp"
#include "stats/rule/rule_text.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/summary.hpp"

namespace assay::fuzz {
namespace {

constexpr std::size_t most_values = 400;

/// A value of any bits, or near the one before: samples that are nothing but noise never converge.
double next_value(Input& input, double last) {
  const std::uint8_t form = input.byte();
  if (form % 4 == 0) return input.number<double>();
  const double step = input.byte() / 255.0;
  return (last == 0 ? 100 : last) * (1 + (form % 4 == 1 ? 0.001 : form % 4 == 2 ? 0 : 0.5) * step);
}

Sample sample_from(Input& input) {
  Sample sample;
  Observation observation;
  for (std::size_t n = 0; n < most_values && !input.empty(); ++n) {
    observation.value = next_value(input, observation.value);
    const std::uint8_t steps = input.byte();
    if (steps % 3 == 0) ++observation.visit;
    if (steps % 32 == 3) ++observation.session;
    observation.incarnation = observation.visit % (1 + steps / 64);
    sample.add(observation);
    if (steps % 7 == 6) sample.add_disturbed();
  }
  return sample;
}

void check(const Interval& interval, const char* whose) {
  if (!interval.available()) return;
  promise(!std::isnan(interval.low) && !std::isnan(interval.high), std::string("an interval has ends: ") + whose);
  promise(interval.low <= interval.high && interval.level <= 1, std::string("an interval is one: ") + whose);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

void check_estimate(const Estimate& estimate, bool finite, const char* whose) {
  check(estimate.interval, whose);
  if (!finite) promise(std::isnan(estimate.value), std::string("no estimate of what is not finite: ") + whose);
  if (estimate.interval.available() && finite)
    promise(!std::isnan(estimate.value), std::string("an interval has a value: ") + whose);
}

void check_verdict(const StoppingRule& rule, const Verdict& verdict, const std::vector<double>& values) {
  if (!verdict.stop()) return;
  promise(!verdict.reason.empty(), "a verdict has a reason: " + rule.text());
  if (!all_finite(values)) promise(verdict.outcome == Outcome::failed, "no rule is satisfied: " + rule.text());
  check(verdict.estimate.interval, rule.text().c_str());
  if (verdict.outcome == Outcome::converged)
    promise(std::isfinite(verdict.estimate.value) || values.empty(), "what converged is a number: " + rule.text());
}

void check_rules(const Sample& sample, double half_step) {
  const auto values = sample.values();
  for (const std::string& name : rule_names()) {
    RuleSpec spec;
    spec.name = name;
    if (name == "quantile-ci") spec.argument = 0.25;
    if (name == "fixed") spec.argument = 50;
    if (name == "time") spec.argument = 1e9;
    if (name == "all" || name == "any") spec.parts = {RuleSpec{}, RuleSpec{}};
    const auto rule = make_rule(spec);
    check_verdict(*rule, rule->check(sample, {milliseconds(10), half_step}), values);
  }
}

void check_sample(Input input) {
  const double half_step = input.byte();
  const Sample sample = sample_from(input);
  const auto values = sample.values();
  const bool finite = all_finite(values) && !values.empty();
  const Summary summary = summarize(values);
  if (finite) promise(summary.min <= summary.median && summary.median <= summary.max, "a median lies in its sample");
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
    promise(std::isnan(summary.median) && std::isnan(summary.mean), "NaN is told");
  check_estimate(headline(sample, 0.05, half_step), finite, "headline");
  check_estimate(look_at(sample, {0.05, 0.02, 0, half_step}).headline, finite, "look");
  check(log_t_interval(sample.incarnation_medians(), 0.05), "logarithms");
  check_rules(sample, half_step);
}

/// Two groups of incarnations.
void check_comparison(Input input) {
  Contest contest;
  const std::uint8_t flags = input.byte();
  contest.is_signed = flags % 2 != 0;
  contest.larger_is_better = flags / 2 % 2 != 0;
  double value = 0;
  for (std::size_t n = 0; n < 40 && !input.empty(); ++n) {
    value = next_value(input, value);
    (n % 2 == 0 ? contest.a : contest.b).push_back(value);
  }
  if (contest.b.empty()) return;
  const bool finite = all_finite(contest.a) && all_finite(contest.b);
  const Finding finding = compare({&contest, 1}).front();
  check(finding.shift.interval, "shift");
  promise(finding.adjusted_p >= 0 && finding.adjusted_p <= 1, "a probability");
  if (finding.change == Change::unclear) promise(!finding.reason.empty(), "what is unclear has a reason");
  if (!finite) promise(finding.change == Change::unclear, "nothing is told of what is no number");
}

}  // namespace
}  // namespace assay::fuzz

/// The first byte says what the rest is: two groups to compare, or one sample.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::Input input(data, size);
  const bool pair = input.byte() == 'c';
  if (pair)
    assay::fuzz::check_comparison(input);
  else
    assay::fuzz::check_sample(input);
  return 0;
}
