// SPDX-License-Identifier: Apache-2.0
// Layouts made from what files declare.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/layout/layout_spec.hpp"
#include "record/table/layout.hpp"

namespace assay {

/// The layout that a declaration describes.
Layout declared_layout(LayoutSpec spec);

/// Names of the layouts of configs/layouts/, which are part of the program.
std::vector<std::string> shipped_layout_names();
/// One of them; nothing when there is none of that name.
std::optional<Layout> shipped_layout(std::string_view name);
/// The layout in a file; its reference is a file beside it, or one of configs/reference/. Throws ConfigError.
Layout layout_in_file(const std::string& path);

/// A file of configs/layouts/ or configs/reference/, as it was when the program was built.
struct ShippedFile {
  std::string_view name;  ///< without its folder
  std::string_view text;
};
/// All of them, in the order of their names.
std::span<const ShippedFile> shipped_files();

}  // namespace assay
