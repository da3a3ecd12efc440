# SPDX-License-Identifier: Apache-2.0
# The installed package: what an out-of-tree measurement is compiled against, by find_package(assay) or pkg-config.
include(CMakePackageConfigHelpers)

# Nothing that is installed holds the prefix, so that it may be chosen at installing and moved afterwards: the program finds plugins from
# its own folder, the CMake package and the pkg-config file find everything from theirs.
set(ASSAY_PLUGIN_DIRECTORY ${CMAKE_INSTALL_LIBDIR}/assay/plugins)
file(RELATIVE_PATH ASSAY_PLUGINS_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/assay/plugins)
file(RELATIVE_PATH ASSAY_PLUGINS_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/assay/plugins)
file(RELATIVE_PATH ASSAY_HEADERS_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR}/assay)

# Headers and nothing else: a plugin has no undefined symbol of ours.
add_library(assay_sdk INTERFACE)
set_target_properties(assay_sdk PROPERTIES EXPORT_NAME api)
target_include_directories(assay_sdk INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/assay>)
target_compile_features(assay_sdk INTERFACE cxx_std_20)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/assay)
configure_package_config_file(api/assay-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/assay-config.cmake
  INSTALL_DESTINATION ${package} PATH_VARS ASSAY_PLUGIN_DIRECTORY)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/assay-config-version.cmake
  COMPATIBILITY SameMinorVersion)  # until 1.0 a minor version may change the interface
configure_file(api/assay.pc.in assay.pc @ONLY)

install(TARGETS assay_sdk EXPORT assay-targets COMPONENT development)
install(EXPORT assay-targets NAMESPACE assay:: DESTINATION ${package} COMPONENT development)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/assay-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/assay-config-version.cmake
  DESTINATION ${package} COMPONENT development)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/assay.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(DIRECTORY api base DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/assay COMPONENT development FILES_MATCHING PATTERN "*.hpp")
