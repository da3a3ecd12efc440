# SPDX-License-Identifier: Apache-2.0
# `cpack`: Debian packages assay, assay-mpi (whose dependencies are a whole MPI) and assay-report (Python), and one archive of everything.
# Debian's folders and its own Python are chosen when the tree is configured, as tools/package does.
set(ASSAY_PACKAGE_CONTACT "The Assay developers <assay@lists.example.org>" CACHE STRING "Who maintains the packages that cpack makes: NAME <ADDRESS>")

# Files of the Debian packages alone: who owns what, what changed, and what their checker is told.
find_program(ASSAY_GZIP gzip)
if(ASSAY_GZIP)
  set(debian ${PROJECT_BINARY_DIR}/debian)
  file(MAKE_DIRECTORY ${debian})
  foreach(file tools/packaging/debian/changelog doc/changelog.md)
    get_filename_component(name ${file} NAME_WLE)
    get_filename_component(ending ${file} LAST_EXT)
    if(NOT ending)
      set(name changelog.Debian)
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
    execute_process(COMMAND ${ASSAY_GZIP} -9nc ${PROJECT_SOURCE_DIR}/${file} OUTPUT_FILE ${debian}/${name}.gz)
  endforeach()
  foreach(package assay assay-mpi assay-report)
    string(REPLACE "assay-" "" component ${package})
    install(FILES tools/packaging/debian/copyright ${debian}/changelog.Debian.gz ${debian}/changelog.gz
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT debian_${component} EXCLUDE_FROM_ALL)
    if(EXISTS ${PROJECT_SOURCE_DIR}/tools/packaging/debian/${package}.lintian-overrides)
      install(FILES tools/packaging/debian/${package}.lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
        RENAME ${package} COMPONENT debian_${component} EXCLUDE_FROM_ALL)
    endif()
  endforeach()
endif()

set(CPACK_PACKAGE_NAME assay)
set(CPACK_PACKAGE_VENDOR "The Assay developers")
set(CPACK_PACKAGE_CONTACT ${ASSAY_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "adaptive statistical benchmark framework")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
if(ASSAY_GZIP)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/tools/packaging/debian/stage.cmake)

# Module files are for prefixes that are on no path, which Debian's is.
set(CPACK_COMPONENTS_ALL assay development debian_assay report debian_report)
if(TARGET assay-mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi debian_mpi)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(own "= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

set(CPACK_DEBIAN_ASSAY_PACKAGE_NAME assay)
set(CPACK_DEBIAN_ASSAY_PACKAGE_RECOMMENDS "assay-report (${own})")
set(CPACK_DEBIAN_ASSAY_PACKAGE_SUGGESTS "assay-mpi (${own}), g++, cmake, pkg-config")
set(CPACK_DEBIAN_ASSAY_DESCRIPTION "Assay finds out what synchronization, communication and operating-system
services cost on a machine, and how far each number can be trusted. A campaign
is run from a file; every number comes with an interval, the reason why the
measuring stopped, and the placement it was really taken on.
.
Headers, CMake package and pkg-config file for measurements of one's own are in
this package too.")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME assay-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "assay (${own})")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "openmpi-bin")
set(CPACK_DEBIAN_MPI_DESCRIPTION "Assay finds out what synchronization, communication and operating-system
services cost on a machine, and how far each number can be trusted.
.
This package has the program that ranks of MPI are, without which series
between ranks cannot be measured.")

# Recommended and not needed: Debian 12 has these too old or not at all, and a virtual environment has them there.
set(CPACK_DEBIAN_REPORT_PACKAGE_NAME assay-report)
set(CPACK_DEBIAN_REPORT_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_REPORT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_REPORT_PACKAGE_DEPENDS "python3 (>= 3.11)")
set(CPACK_DEBIAN_REPORT_PACKAGE_RECOMMENDS "assay (${own}), python3-crc32c, python3-jinja2 (>= 3.1), python3-numpy, python3-orjson, \
python3-pandas (>= 2.0), python3-plotly (>= 5.20)")
set(CPACK_DEBIAN_REPORT_PACKAGE_SUGGESTS "python3-matplotlib (>= 3.7), python3-pyarrow, python3-venv")
set(CPACK_DEBIAN_REPORT_DESCRIPTION "Assay finds out what synchronization, communication and operating-system
services cost on a machine, and how far each number can be trusted.
.
This package makes a self-contained page of charts and tables of its campaigns,
figures for papers, and data frames for notebooks.")

include(CPack)
foreach(package assay mpi report)
  cpack_add_component_group(${package})
  cpack_add_component(debian_${package} GROUP ${package})
endforeach()
cpack_add_component(assay GROUP assay)
cpack_add_component(development GROUP assay)
cpack_add_component(mpi GROUP mpi)
cpack_add_component(report GROUP report)
