// SPDX-License-Identifier: Apache-2.0
// The texts of help and tables, taken apart for other notations.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.hpp"

namespace assay {

/// A piece of a text: prose, or what is typed or read as it stands.
struct Span {
  std::string text;
  bool is_literal = false;
};
/// What stands in single quotes, without these, and options such as --set are literal; an apostrophe quotes nothing.
std::vector<Span> spans_of(std::string_view text);

/// A word or a sign of a synopsis.
struct Token {
  enum class Kind : unsigned char { word, variable, sign };
  std::string text;
  Kind kind = Kind::sign;
};
/// "DIR... [--average]" by its words, its variables (in capitals) and what stands between.
std::vector<Token> tokens_of(std::string_view synopsis);
/// The ways to call a sub-command, each with its name.
std::vector<std::string> ways_to_call(const CommandInfo& command);

/// Text of several lines on one.
std::string on_one_line(std::string_view text);
/// With a full stop at the end, and with a capital at the beginning too.
std::string ended(std::string text);
std::string as_sentence(std::string text);

}  // namespace assay
