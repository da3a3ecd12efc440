// SPDX-License-Identifier: Apache-2.0
// A formula whose values have been looked up, computed over their estimates.
#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "record/layout/formula.hpp"
#include "stats/fit/derive.hpp"

namespace assay {

/// A formula whose values are places in a list of inputs, and whose factors are run through.
struct ResolvedFormula {
  FormulaNode::Kind kind = FormulaNode::Kind::number;
  double number = 0;
  std::size_t input = 0;
  std::vector<ResolvedFormula> operands{};
  friend bool operator==(const ResolvedFormula&, const ResolvedFormula&) = default;
};

/// Its value, with the interval propagated; the least and the greatest of several with one of their own
/// (stats/fit/extreme.hpp). Where an input that it takes has no usable interval there is a value without one. Not valid
/// where there is no finite value, or the interval of a divisor reaches 0.
Derived derived_from(const ResolvedFormula& formula, std::span<const Estimate> inputs);

/// The inputs that the value depends on: of a least or greatest the one that was chosen.
std::set<std::size_t> deciding_inputs(const ResolvedFormula& formula, std::span<const Estimate> inputs);

}  // namespace assay
