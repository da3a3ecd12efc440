// SPDX-License-Identifier: Apache-2.0
// Reads layout files: the notation of campaign files, with values and tables in it (doc/layouts.md).
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "record/layout/layout_spec.hpp"

namespace assay {

/// The text of a file that a layout names, its reference; nothing when there is none of that name.
using TextOf = std::function<std::optional<std::string>(const std::string& name)>;

/// Reads a layout. `file` stands in messages and, without folder and ending, is the layout's name. Throws ConfigError
/// with every problem found: unknown keys, formulas that cannot be read, names of values and tables that do not exist,
/// and a reference that is missing or malformed.
LayoutSpec parse_layout(std::string_view text, const std::string& file, const TextOf& reference);

}  // namespace assay
