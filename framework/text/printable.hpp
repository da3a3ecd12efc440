// SPDX-License-Identifier: Apache-2.0
// Foreign text made safe to show on a terminal.
#pragma once
#include <string>
#include <string_view>

namespace assay {

/// True for characters that steer a terminal or hide themselves: controls, marks of writing direction, invisible ones.
bool is_hidden(char32_t code);

/// The text with everything that would steer a terminal or hide itself made visible, byte by byte as \xHH: control
/// characters (line ends too), marks of writing direction, invisible characters and bytes that are not UTF-8.
std::string printable(std::string_view text);

}  // namespace assay
