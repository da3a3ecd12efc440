// SPDX-License-Identifier: Apache-2.0
// The nearest known name to a misspelt one, and untrusted text made fit for a terminal.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The known name with the smallest edit distance (insertions, deletions, replacements and swaps of neighbours), when
/// it is near enough to be meant: at most a third of the longer name's length, at least 1. Else empty.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

/// "did you mean 'x'?" with the nearest name; when none is near, the known names where there are at most twelve; else
/// empty.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

/// Foreign text in single quotes, made printable, at most 80 characters of it.
std::string shown(std::string_view text);

/// A path in single quotes, made printable, and whole: what identifies it is mostly its end.
std::string shown_path(std::string_view path);

}  // namespace assay
