// SPDX-License-Identifier: Apache-2.0
// Texts of several words in which names in braces stand for levels of factors: command lines, above all.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/factor.hpp"

namespace assay {

/// A piece of a word: a text as it stands, or the name of a factor whose level stands in its place.
struct PatternPiece {
  std::string text{};
  bool is_name = false;
  std::size_t offset = 0;  ///< of a name, in bytes from the start of the pattern
};

/// One word. Only a word that is nothing but a name can spread.
struct PatternWord {
  std::vector<PatternPiece> pieces{};
  bool spreads =
      false;  ///< written `{name...}`: the words of the level, each for itself, and none for the level `none`
};

/// The words, or the first error in the text.
struct Pattern {
  std::vector<PatternWord> words{};
  std::optional<DomainError> error{};

  /// The names in the order in which they stand, as often as they do.
  std::vector<PatternPiece> names() const;
};

/// Takes a pattern apart. Words are separated by blanks. In single quotes everything stands for itself, in double
/// quotes too, but for the escapes of quoted levels; both may be parts of a word. `{name}`, in quotes or not, stands
/// for the level of that factor, whose blanks separate nothing; `{name...}`, a word of its own, for the words of the
/// level. A brace that is none is written twice. No shell is anywhere near: `$`, `*`, `;`, `|` and `>` are letters.
Pattern read_pattern(std::string_view text);

/// The words with the levels in place. `level` may throw for names that it does not know; a level that spreads and is
/// no list of words throws std::invalid_argument.
std::vector<std::string> expand(const Pattern& pattern, const std::function<std::string(const std::string&)>& level);

}  // namespace assay
