// SPDX-License-Identifier: Apache-2.0
// Layout and reference files that are part of the program.
#pragma once
#include <span>
#include <string_view>

namespace assay {

/// A file of configs/layouts/ or configs/reference/, as it was when the program was built.
struct ShippedFile {
  std::string_view name;  ///< without its folder
  std::string_view text;
};
/// All of them, in the order of their names.
std::span<const ShippedFile> shipped_files();

}  // namespace assay
