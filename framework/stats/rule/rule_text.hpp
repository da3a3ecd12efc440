// SPDX-License-Identifier: Apache-2.0
// Rules as campaign files write them: a name, an argument, parameters, parts.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// A text that is no rule; what() says what is wrong.
class RuleTextError : public std::runtime_error {
 public:
  RuleTextError(std::size_t offset, const std::string& what, std::string remedy)
      : std::runtime_error(what), offset_(offset), remedy_(std::move(remedy)) {}
  /// For a word that is not among those that are `known`.
  RuleTextError(std::size_t offset, const std::string& what, std::string word, std::vector<std::string> known)
      : std::runtime_error(what), offset_(offset), word_(std::move(word)), known_(std::move(known)) {}

  std::size_t offset() const { return offset_; }  ///< where in the text, in bytes
  const std::string& remedy() const { return remedy_; }
  const std::string& word() const { return word_; }  ///< empty unless a word was not known
  const std::vector<std::string>& known() const { return known_; }

 private:
  std::size_t offset_;
  std::string remedy_;
  std::string word_;
  std::vector<std::string> known_;
};

/// Reads `NAME`, `NAME:ARGUMENT`, each also with parameters, `NAME(eps=1%, max-time=2s)`, and `all(RULE, RULE, ...)`
/// and `any(RULE, ...)`, which nest and take parameters among their parts. Parameters: eps, alpha, floor, min-visits,
/// min-timings, max-timings, max-time, with values as in a campaign file. What the text leaves open is taken from
/// `shared`, except name, argument and parts; parts take it from their combination, except max-timings and max-time,
/// which belong to the combination alone. Spaces mean nothing. Throws RuleTextError.
RuleSpec parse_rule(std::string_view text, const RuleSpec& shared);

/// "quantile-ci:0.25", "all".
std::string rule_heading(const RuleSpec& spec);
/// The rule and its parts without the parameters that the rule itself takes from a section: "quantile-ci:0.25",
/// "all(median-ci(eps=0.02,alpha=0.05),time:1s(alpha=0.05))". parse_rule with those parameters gives an equal spec.
std::string rule_text(const RuleSpec& spec);
/// The rule with every parameter that is set. parse_rule reads it back when nothing is shared.
std::string full_rule_text(const RuleSpec& spec);

}  // namespace assay
