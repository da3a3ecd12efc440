// SPDX-License-Identifier: Apache-2.0
// The nearest known name to a misspelt one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The known name with the smallest edit distance, when it is near enough to be meant (at most a third of the length,
/// at least 1); else empty.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

/// Text for a terminal: control, escape and bidirectional characters as \xHH or \u{HHHH}, at most 80 characters.
std::string quoted(std::string_view text);

}  // namespace assay
