# SPDX-License-Identifier: Apache-2.0
# Headers that nearly all sources share are parsed once for each set of flags. The preset `headers` does without, so that
# a source that forgets one of its own does not build there.
set(ASSAY_COMMON_HEADERS <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <cstdint> <cstring> <filesystem>
  <fstream> <functional> <map> <memory> <numeric> <optional> <ostream> <random> <ranges> <set> <span> <sstream>
  <stdexcept> <string> <string_view> <thread> <tuple> <unordered_map> <utility> <variant> <vector>)

# assay_precompile(TARGET [HEADER...]): what the target compiles sees the common headers, and those named, already parsed.
function(assay_precompile target)
  if(ASSAY_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ASSAY_COMMON_HEADERS} ${ARGN})
  endif()
endfunction()

# assay_join(TARGET): several sources are read as one, which takes half as long. Not for what holds timed code, where a function of another
# source stays a call. tools/check_names sees to it that no two sources of a target use one name for things of their own.
function(assay_join target)
  if(ASSAY_JOIN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${ASSAY_JOIN})
    # Names of one source are hidden behind those of another; and types in a class are of a source that is included.
    target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# assay_precompile_as(TARGET OTHER): takes what was parsed for another target, which is compiled with the same flags.
function(assay_precompile_as target other)
  if(ASSAY_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()
