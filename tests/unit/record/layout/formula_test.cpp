// SPDX-License-Identifier: Apache-2.0
// Formulas as people write them, and where they are wrong.
#include "record/layout/formula.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

using Kind = FormulaNode::Kind;

/// The formula with every step in parentheses, so that precedence can be seen.
std::string spelt(const FormulaNode& node) {
  const auto both = [&](const char* sign) {
    return "(" + spelt(node.operands[0]) + sign + spelt(node.operands[1]) + ")";
  };
  switch (node.kind) {
    case Kind::number:
      return std::to_string(static_cast<long>(node.number));
    case Kind::value: {
      std::string text = node.name;
      for (const auto& [attribute, level] : node.elsewhere) text += "@" + attribute + ":" + level;
      return text;
    }
    case Kind::negate:
      return "-" + spelt(node.operands[0]);
    case Kind::add:
      return both("+");
    case Kind::subtract:
      return both("-");
    case Kind::multiply:
      return both("*");
    case Kind::divide:
      return both("/");
    default:
      break;
  }
  std::string text = node.kind == Kind::least ? "min" : node.kind == Kind::greatest ? "max" : "mean";
  for (const FormulaNode& operand : node.operands) text += " " + spelt(operand);
  for (const std::string& factor : node.over) text += " over " + factor;
  return text;
}

std::string read(std::string_view text) {
  const FormulaResult result = parse_formula(text);
  return result.is_good() ? spelt(result.root) : std::to_string(result.error.offset) + ":";
}

TEST(Formula, BindsAsUsual) {
  EXPECT_EQ(read("a - b - c * d / e"), "((a-b)-((c*d)/e))");
  EXPECT_EQ(read("1e3 / (a + -b)"), "(1000/(a+-b))");
  EXPECT_EQ(read("2k*a"), "(2000*a)");
}

TEST(Formula, NamesValuesOfOtherSystems) {
  EXPECT_EQ(read("a / a @ baseline - 1"), "((a/a@baseline:)-1)");
  EXPECT_EQ(read("a @ \"NPTL (IA-64)\""), "a@system:NPTL (IA-64)");
  EXPECT_EQ(read("a @ library=\"NPTL\""), "a@library:NPTL");
}

TEST(Formula, RunsThroughFactors) {
  EXPECT_EQ(read("min(a over children, toplevel) / max(b, 3)"), "(min a over children over toplevel/max b 3)");
  EXPECT_EQ(read("mean(a + b over x)"), "mean (a+b) over x");
}

TEST(Formula, EndsBeforeUnitsAndStyles) {
  EXPECT_EQ(parse_formula("a * 2 in us").length, 6U);
  EXPECT_EQ(parse_formula("a as percent").length, 2U);
  EXPECT_EQ(read("as_it_is + inner"), "(as_it_is+inner)");
}

TEST(Formula, SaysWhereItIsWrong) {
  EXPECT_EQ(read(""), "0:");
  EXPECT_EQ(read("a +"), "3:");
  EXPECT_EQ(read("(a"), "2:");
  EXPECT_EQ(read("a b"), "2:");
  EXPECT_EQ(read("2 + median(a)"), "4:");
  EXPECT_EQ(read("min(a, b over c)"), "13:");
  EXPECT_EQ(read("a @ \"open"), "4:");
  EXPECT_EQ(read("a @ library"), "11:");
  EXPECT_EQ(read("1.2.3"), "0:");
}

TEST(Formula, NestsWithinReason) {
  const std::string deep(31, '(');
  EXPECT_EQ(read(deep + "a" + std::string(31, ')')), "a");
  EXPECT_EQ(read(std::string(100000, '(')).substr(0, 3), "32:");
  EXPECT_EQ(read(std::string(100000, '-')).substr(0, 3), "32:");
}

TEST(Formula, TellsItsValues) {
  EXPECT_EQ(values_in(parse_formula("a - min(b over x) / a @ baseline").root), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace assay
