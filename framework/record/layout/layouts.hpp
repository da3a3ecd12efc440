// SPDX-License-Identifier: Apache-2.0
// Room: layouts: published tables, declared or built in.
// Layouts by name, and those made from what files declare.
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

/// What is printed where no layout is asked for: every series by itself.
inline constexpr const char* plain_layout = "plain";

/// The names of all layouts that come with the program, the plain one first.
std::vector<std::string> layout_names();
/// The layout of that name; a name with a slash in it or ".ini" behind it is the path of a layout file. Nothing when
/// there is none of that name. Throws ConfigError, with every problem found, for a file that is missing or not a
/// layout.
std::optional<Layout> find_layout(std::string_view name);
/// The same where a campaign is to end well whatever has become of its layout's file since it began: nothing then.
std::optional<Layout> usable_layout(std::string_view name);

/// Each in a file of its own.
Layout logp_layout();
Layout loggp_layout();
Layout desupinski_may_layout();
Layout cluster_layout();
Layout capability_layout();

}  // namespace assay
