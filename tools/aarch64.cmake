# SPDX-License-Identifier: Apache-2.0
# Compiles for 64-bit ARM with the distribution's cross compiler, against the root file system that tools/cross lays out,
# and runs what it compiled (tests, to be listed) under qemu's user mode.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

# Where tools/cross puts it, which asks this variable too.
if(DEFINED ENV{ASSAY_AARCH64_ROOT})
  set(root $ENV{ASSAY_AARCH64_ROOT})
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(root $ENV{XDG_CACHE_HOME}/assay/aarch64)
else()
  set(root $ENV{HOME}/.cache/assay/aarch64)
endif()
set(ASSAY_AARCH64_ROOT ${root} CACHE PATH "Root file system with the libraries for 64-bit ARM")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ASSAY_AARCH64_ROOT)
set(CMAKE_SYSROOT ${ASSAY_AARCH64_ROOT})

set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
