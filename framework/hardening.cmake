# SPDX-License-Identifier: Apache-2.0
# What makes a memory error of the program's own code end it instead of steering it. The framework reads foreign files
# and is built with all of it; measurements are timed, and are built as the compiler builds any code.
# Control-flow enforcement is left out: it takes effect only where every object, the timed ones included, is built for it.
include(CheckPIESupported)
include(CheckCXXCompilerFlag)
check_pie_supported(LANGUAGES CXX)
# CMake leaves room behind a build tree's library path, which the loader takes for the current folder.
set(CMAKE_SKIP_BUILD_RPATH ON)
add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)

set(ASSAY_HARDENING "")
foreach(flag -fstack-protector-strong -fstack-clash-protection)
  string(MAKE_C_IDENTIFIER "ASSAY_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    list(APPEND ASSAY_HARDENING ${flag})
  endif()
endforeach()
# Checked calls need an optimising compiler, and hide them from sanitizers. C libraries without level 3 take it for 2.
if(CMAKE_BUILD_TYPE MATCHES "^Rel|^MinSize" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  list(APPEND ASSAY_HARDENING -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif()
