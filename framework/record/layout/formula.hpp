// SPDX-License-Identifier: Apache-2.0
// Formulas over named values: `1e9 / switch - lock / 2`, `min(creation over children)`, `rate / rate @ baseline`; read,
// and computed over estimates once the values have been looked up.
#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stats/fit/propagation.hpp"

namespace assay {

/// What a formula is made of.
struct FormulaNode {
  enum class Kind : unsigned char {
    number,
    value,  ///< a named value, of the current place or of another one
    negate,
    add,
    subtract,
    multiply,
    divide,
    least,  ///< of its operands, or of one operand over all levels of factors
    greatest,
    mean
  };
  Kind kind = Kind::number;
  double number = 0;
  std::string name{};  ///< of a value
  /// Behind `@`: what the system is to have in the place of the current one, by attribute. The name `system` is that of
  /// the system itself; the words `baseline` and `before`, the system that stands before the current one, are kept as
  /// {"baseline", ""} and {"before", ""}.
  std::vector<std::pair<std::string, std::string>> elsewhere{};
  std::vector<std::string> over{};  ///< factors whose levels are run through
  std::vector<FormulaNode> operands{};
  std::size_t offset = 0;  ///< where it begins in the text
};

/// Why a formula cannot be read, and where: `offset` counts bytes from the start of the text.
struct FormulaError {
  std::size_t offset = 0;
  std::string what{};
  std::string remedy{};
};

/// Either a formula or the first error in its text.
struct FormulaResult {
  FormulaNode root{};
  std::size_t length = 0;  ///< bytes read: the text behind them is not part of the formula
  FormulaError error{};
  bool is_good() const { return error.what.empty(); }
};

/// Reads a formula from the start of a text up to its end, or to the words `in` or `as` where an operator could stand.
/// `+ - * /` and parentheses as usual, numbers as in configurations; a value is a name, with `@ "SYSTEM"`,
/// `@ ATTRIBUTE="TEXT"` or `@ baseline` behind it for that of another system; functions `min`, `max` and `mean` of
/// several formulas, or of one `over FACTOR, ...`. Nests at most 32 levels deep.
FormulaResult parse_formula(std::string_view text);

/// The names of all values in it, each once, in order.
std::vector<std::string> values_in(const FormulaNode& root);

/// A formula whose values are places in a list of inputs, and whose factors are run through.
struct ResolvedFormula {
  FormulaNode::Kind kind = FormulaNode::Kind::number;
  double number = 0;
  std::size_t input = 0;
  std::vector<ResolvedFormula> operands{};
  friend bool operator==(const ResolvedFormula&, const ResolvedFormula&) = default;
};

/// Its value, with the interval propagated; the least and the greatest of several with one of their own
/// (stats/fit/propagation.hpp). Where an input that it takes has no usable interval there is a value without one. Not
/// valid where there is no finite value, or the interval of a divisor reaches 0.
Derived derived_from(const ResolvedFormula& formula, std::span<const Estimate> inputs);

/// The inputs that the value depends on: of a least or greatest the one that was chosen.
std::set<std::size_t> deciding_inputs(const ResolvedFormula& formula, std::span<const Estimate> inputs);

}  // namespace assay
