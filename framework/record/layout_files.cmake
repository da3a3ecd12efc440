# SPDX-License-Identifier: Apache-2.0
# Puts the files of configs/layouts/ and configs/reference/ into the program, so that it finds them wherever it lies.

# Adds a generated source to a target of this directory; a changed file configures again.
function(assay_ship_layouts target)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/layouts/*.ini
    ${PROJECT_SOURCE_DIR}/configs/reference/*.json)
  set(entries "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME)
    file(READ ${file} text)
    string(APPEND entries "    {\"${name}\", R\"__layout__(${text})__layout__\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/layout_files.cpp CONTENT
"// Generated from configs/.
#include \"record/layout/layouts.hpp\"

#include <array>

namespace assay {

std::span<const ShippedFile> shipped_files() {
  static constexpr auto files = std::to_array<ShippedFile>({
@entries@  });
  return files;
}

}  // namespace assay
" @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated/layout_files.cpp)
endfunction()
