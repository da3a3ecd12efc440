// SPDX-License-Identifier: Apache-2.0
// The environment's word on colours and characters.
#include "app/results/screen.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "platform/file/terminal.hpp"

namespace assay {

namespace {

constexpr int standard_output = 1;

bool is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale(variable(name));
    if (locale.empty()) continue;
    std::ranges::transform(locale, locale.begin(), [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return locale.find("utf-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return false;
}

}  // namespace

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

CommandOption colour_option() {
  return {"color",
          {"WHEN", word_value({"auto", "always", "never"})},
          "auto (the default: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never"};
}

ColourChoice colour_choice(const CommandLine& line) {
  const auto word = line.value<std::string>("color");
  if (word == "always") return ColourChoice::always;
  return word == "never" ? ColourChoice::never : ColourChoice::automatic;
}

TextStyle text_style(ColourChoice choice, bool is_terminal) {
  const bool is_dumb = variable("TERM") == "dumb";
  const bool by_itself = is_terminal && !is_dumb && variable("NO_COLOR").empty();
  const bool has_colour = choice == ColourChoice::always || (choice == ColourChoice::automatic && by_itself);
  const int columns = is_terminal ? terminal_columns(standard_output) : 0;
  return {has_colour, is_utf8() && !is_dumb, static_cast<std::size_t>(std::max(columns, 0))};
}

}  // namespace assay
