// SPDX-License-Identifier: Apache-2.0
// A reader by recursive descent: sums of products of signed values.
#include "record/layout/formula.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/escape.hpp"
#include "base/number.hpp"
#include "base/value.hpp"

namespace assay {
namespace {

using NodeKind = FormulaNode::Kind;

constexpr int deepest = 32;

bool is_name_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
}

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

std::optional<NodeKind> function_named(std::string_view name) {
  if (name == "min") return NodeKind::least;
  if (name == "max") return NodeKind::greatest;
  if (name == "mean") return NodeKind::mean;
  return std::nullopt;
}

/// Thrown within the reader only.
struct Refusal {
  FormulaError error;
};

class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : text_(text) {}

  FormulaNode whole() {
    FormulaNode root = sum(0);
    skip_space();
    const std::string_view word = name_at(at_);
    if (at_ < text_.size() && word != "in" && word != "as")
      refuse("something behind the formula", "write an operator, or nothing");
    return root;
  }
  std::size_t at() const { return at_; }

 private:
  [[noreturn]] void refuse(std::string what, std::string remedy) const {
    throw Refusal{{at_, std::move(what), std::move(remedy)}};
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char letter) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != letter) return false;
    ++at_;
    return true;
  }
  std::string_view name_at(std::size_t from) const {
    std::size_t end = from;
    while (end < text_.size() && is_name_letter(text_[end])) ++end;
    return text_.substr(from, end - from);
  }
  std::string name(const char* what) {
    skip_space();
    const std::string_view found = name_at(at_);
    if (found.empty() || is_digit(found.front())) refuse("something is missing", std::string("write ") + what);
    at_ += found.size();
    return std::string(found);
  }
  bool take_word(std::string_view word) {
    skip_space();
    if (name_at(at_) != word) return false;
    at_ += word.size();
    return true;
  }

  static FormulaNode both(NodeKind kind, FormulaNode left, FormulaNode right) {
    FormulaNode node;
    node.kind = kind;
    node.offset = left.offset;
    node.operands.push_back(std::move(left));
    node.operands.push_back(std::move(right));
    return node;
  }

  FormulaNode sum(int depth) {
    FormulaNode left = product(depth);
    for (;;) {
      if (take('+'))
        left = both(NodeKind::add, std::move(left), product(depth));
      else if (take('-'))
        left = both(NodeKind::subtract, std::move(left), product(depth));
      else
        return left;
    }
  }

  FormulaNode product(int depth) {
    FormulaNode left = signed_value(depth);
    for (;;) {
      if (take('*'))
        left = both(NodeKind::multiply, std::move(left), signed_value(depth));
      else if (take('/'))
        left = both(NodeKind::divide, std::move(left), signed_value(depth));
      else
        return left;
    }
  }

  FormulaNode signed_value(int depth) {
    if (depth >= deepest) refuse("the formula nests too deep", "write it flatter");
    skip_space();
    const std::size_t offset = at_;
    if (take('-')) {
      FormulaNode node;
      node.kind = NodeKind::negate;
      node.offset = offset;
      node.operands.push_back(signed_value(depth + 1));
      return node;
    }
    if (take('(')) return closed(sum(depth + 1));
    if (at_ < text_.size() && is_digit(text_[at_])) return number();
    return named(depth);
  }

  FormulaNode closed(FormulaNode inner) {
    if (!take(')')) refuse("a parenthesis is not closed", "write ')'");
    return inner;
  }

  // An exponent's sign is part of the number.
  FormulaNode number() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (is_name_letter(text_[end]) || ((text_[end] == '-' || text_[end] == '+') && text_[end - 1] == 'e')))
      ++end;
    const NumberResult read = read_number(text_.substr(at_, end - at_));
    if (!read.what.empty()) refuse(read.what, read.remedy);
    FormulaNode node;
    node.number = number_of(read.value).value_or(0);
    node.offset = at_;
    at_ = end;
    return node;
  }

  FormulaNode named(int depth) {
    FormulaNode node;
    node.kind = NodeKind::value;
    node.offset = at_;
    node.name = name("the name of a value");
    if (take('(')) return function(std::move(node), depth);
    if (take('@')) node.elsewhere.push_back(place());
    return node;
  }

  FormulaNode function(FormulaNode node, int depth) {
    const auto kind = function_named(node.name);
    if (!kind) {
      at_ = node.offset;
      refuse("unknown function '" + node.name + "'", "there are min, max and mean");
    }
    node.kind = *kind;
    do node.operands.push_back(sum(depth + 1));
    while (take(','));
    if (take_word("over")) {
      if (node.operands.size() != 1) refuse("several formulas 'over' a factor", "write one formula before 'over'");
      do node.over.push_back(name("the name of a factor"));
      while (take(','));
    }
    return closed(std::move(node));
  }

  // Behind '@'.
  std::pair<std::string, std::string> place() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '"') return {"system", quoted()};
    if (take_word("baseline")) return {"baseline", ""};
    if (take_word("before")) return {"before", ""};
    if (take_word("first")) return {"first", ""};
    std::string attribute =
        name("the name of a system in double quotes, ATTRIBUTE=\"TEXT\", 'baseline', 'first' or 'before'");
    if (!take('=')) refuse("no text for '" + attribute + "'", "write " + attribute + "=\"TEXT\"");
    skip_space();
    return {std::move(attribute), quoted()};
  }

  std::string quoted() {
    auto found = unquoted(text_.substr(std::min(at_, text_.size())));
    if (!found) refuse("no text in double quotes", "write it in double quotes");
    at_ += found->length;
    return std::move(found->content);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void collect(const FormulaNode& node, std::vector<std::string>& names) {
  if (node.kind == NodeKind::value && std::ranges::find(names, node.name) == names.end()) names.push_back(node.name);
  for (const FormulaNode& operand : node.operands) collect(operand, names);
}

}  // namespace

FormulaResult parse_formula(std::string_view text) {
  FormulaReader reader(text);
  FormulaResult result;
  try {
    result.root = reader.whole();
    result.length = reader.at();
  } catch (Refusal& refusal) {
    result.error = std::move(refusal.error);
  }
  return result;
}

std::vector<std::string> values_in(const FormulaNode& root) {
  std::vector<std::string> names;
  collect(root, names);
  return names;
}

}  // namespace assay
