// SPDX-License-Identifier: Apache-2.0
// What the reader's screen is asked to show.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "app/cli/options.hpp"
#include "text/text_style.hpp"

namespace assay {

/// A variable of the environment; empty where it is not set.
std::string_view variable(const char* name);

/// When colours are used.
enum class ColourChoice : std::uint8_t { automatic, always, never };

/// The option `--color` of what prints tables, and what it was given.
CommandOption colour_option();
ColourChoice colour_choice(const CommandLine& line);

/// Colours by choice: of itself on a terminal that is not a dumb one, where NO_COLOR is not set. Block elements where
/// the environment (LC_ALL, else LC_CTYPE, else LANG) says UTF-8, and TERM does not say dumb. Lines as wide as the
/// terminal's are now.
TextStyle text_style(ColourChoice choice, bool is_terminal);

}  // namespace assay
