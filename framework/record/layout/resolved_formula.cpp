// SPDX-License-Identifier: Apache-2.0
// Extremes first, since their intervals are of another kind; then the formula over what is left.
#include "record/layout/formula.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "stats/fit/propagation.hpp"

namespace assay {
namespace {

using NodeKind = FormulaNode::Kind;

bool is_extreme(const ResolvedFormula& node) { return node.kind == NodeKind::least || node.kind == NodeKind::greatest; }

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double computed(const ResolvedFormula& node, std::span<const double> inputs) {
  if (node.kind == NodeKind::number) return node.number;
  if (node.kind == NodeKind::value) return inputs[node.input];
  std::vector<double> values;
  for (const ResolvedFormula& operand : node.operands) values.push_back(computed(operand, inputs));
  switch (node.kind) {
    case NodeKind::negate:
      return -values[0];
    case NodeKind::add:
      return values[0] + values[1];
    case NodeKind::subtract:
      return values[0] - values[1];
    case NodeKind::multiply:
      return values[0] * values[1];
    case NodeKind::divide:
      return values[0] / values[1];
    case NodeKind::least:
      return *std::ranges::min_element(values);
    case NodeKind::greatest:
      return *std::ranges::max_element(values);
    default:
      return mean_of(values);
  }
}

std::vector<double> values_of(std::span<const Estimate> inputs) {
  std::vector<double> values;
  for (const Estimate& input : inputs) values.push_back(input.value);
  return values;
}

void collect(const ResolvedFormula& node, std::set<std::size_t>& inputs) {
  if (node.kind == NodeKind::value) inputs.insert(node.input);
  for (const ResolvedFormula& operand : node.operands) collect(operand, inputs);
}

/// Without extremes. What it does not take does not count.
Derived plainly_derived(const ResolvedFormula& formula, std::span<const Estimate> inputs) {
  std::set<std::size_t> taken;
  collect(formula, taken);
  std::vector<Estimate> estimates(inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < estimates.size(); ++i)
    if (!taken.contains(i)) estimates[i] = exactly_known(0);
  Derived derived = propagated(estimates, [&](std::span<const double> values) { return computed(formula, values); });
  const auto is_without_interval = [&](std::size_t i) { return !inputs[i].interval.contains(inputs[i].value); };
  if (derived.valid || std::ranges::none_of(taken, is_without_interval)) return derived;
  const double value = computed(formula, values_of(inputs));
  if (!std::isfinite(value)) return derived;
  return {value, {}, true, derived.reason};
}

// Divided by something that may be 0 the result may be anything.
bool divides_by_nothing(const ResolvedFormula& node, std::span<const Estimate> inputs) {
  for (const ResolvedFormula& operand : node.operands)
    if (divides_by_nothing(operand, inputs)) return true;
  if (node.kind != NodeKind::divide) return false;
  const Derived divisor = plainly_derived(node.operands[1], inputs);
  return divisor.valid && divisor.interval.available() && divisor.interval.low <= 0 && divisor.interval.high >= 0;
}

/// Replaces each least and greatest by a further input, the same one by the same input.
class Reducer {
 public:
  explicit Reducer(std::span<const Estimate> inputs) : inputs_(inputs.begin(), inputs.end()) {}

  ResolvedFormula reduced(ResolvedFormula node) {
    for (ResolvedFormula& operand : node.operands) operand = reduced(std::move(operand));
    if (!is_extreme(node)) return node;
    for (const auto& [extreme, input] : known_)
      if (extreme == node) return {NodeKind::value, 0, input, {}};
    std::vector<Estimate> choices;
    for (const ResolvedFormula& operand : node.operands) choices.push_back(estimate_of(operand));
    inputs_.push_back(node.kind == NodeKind::least ? least_of(choices) : greatest_of(choices));
    known_.emplace_back(std::move(node), inputs_.size() - 1);
    return {NodeKind::value, 0, inputs_.size() - 1, {}};
  }
  std::span<const Estimate> inputs() const { return inputs_; }

 private:
  Estimate estimate_of(const ResolvedFormula& operand) const {
    if (operand.kind == NodeKind::value) return inputs_[operand.input];
    const Derived derived = plainly_derived(operand, inputs_);
    return {"", derived.value, derived.interval, ""};
  }

  std::vector<Estimate> inputs_;
  std::vector<std::pair<ResolvedFormula, std::size_t>> known_;
};

}  // namespace

Derived derived_from(const ResolvedFormula& formula, std::span<const Estimate> inputs) {
  Reducer reducer(inputs);
  const ResolvedFormula reduced = reducer.reduced(formula);
  if (divides_by_nothing(reduced, reducer.inputs())) return not_derived("the interval of a divisor reaches 0");
  return plainly_derived(reduced, reducer.inputs());
}

std::set<std::size_t> deciding_inputs(const ResolvedFormula& formula, std::span<const Estimate> inputs) {
  std::set<std::size_t> deciding;
  if (formula.kind == NodeKind::value) deciding.insert(formula.input);
  const std::vector<double> values = values_of(inputs);
  const auto value_of = [&](const ResolvedFormula& operand) { return computed(operand, values); };
  if (is_extreme(formula)) {
    const auto chosen = formula.kind == NodeKind::least ? std::ranges::min_element(formula.operands, {}, value_of)
                                                        : std::ranges::max_element(formula.operands, {}, value_of);
    return deciding_inputs(*chosen, inputs);
  }
  for (const ResolvedFormula& operand : formula.operands) deciding.merge(deciding_inputs(operand, inputs));
  return deciding;
}

}  // namespace assay
