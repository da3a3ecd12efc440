# SPDX-License-Identifier: Apache-2.0
# Installs the built tree below itself, moves the installation, and builds tests/plugin against where it has come to lie: by the CMake
# package and by pkg-config, each of which also says where a plugin is found by its bare name. The same without the program for a library
# folder of two components, as Debian has it. Takes BUILD, SOURCE, GENERATOR, COMPILER, FLAGS, TYPE, LAUNCHER, PKG_CONFIG and
# ARCHITECTURE, the name that libraries' folders have here.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}${error}")
  endif()
  string(STRIP "${output}" output)
  set(told "${output}" PARENT_SCOPE)
endfunction()

# All that a configuring needs to compile as this tree was compiled.
set(alike -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_BUILD_TYPE=${TYPE}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})

# put(TREE PREFIX [OPTION...]): installs a tree elsewhere and moves all of it to PREFIX. What was built there before is kept, so that only what
# changed is built again.
function(put tree prefix)
  file(REMOVE_RECURSE ${prefix}-elsewhere)
  step(${CMAKE_COMMAND} --install ${tree} --prefix ${prefix}-elsewhere ${ARGN})
  if(EXISTS ${prefix}/plugins)
    file(RENAME ${prefix}/plugins ${prefix}-elsewhere/plugins)
  endif()
  file(REMOVE_RECURSE ${prefix})
  file(RENAME ${prefix}-elsewhere ${prefix})
endfunction()

# build(SOURCE PREFIX): a project by the CMake package below PREFIX.
function(build source prefix)
  set(ENV{CMAKE_PREFIX_PATH} ${prefix})  # no variable of the project: those are forgotten when the compiler changes
  step(${CMAKE_COMMAND} -S ${source} -B ${prefix}/plugins ${alike})
  step(${CMAKE_COMMAND} --build ${prefix}/plugins)
endfunction()

# compile(PREFIX LIBRARIES): the example by pkg-config, as by_pkg_config.so in the folder of plugins that it names.
function(compile prefix libraries)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${libraries}/pkgconfig)
  step(${PKG_CONFIG} --variable=plugindir assay)
  set(folder ${told})
  file(MAKE_DIRECTORY ${folder})
  step(${PKG_CONFIG} --cflags assay)
  separate_arguments(words UNIX_COMMAND "${FLAGS} ${told}")
  step(${COMPILER} ${words} -O2 -fPIC -shared ${SOURCE}/turn/turn.cpp -o ${folder}/by_pkg_config.so)
  cmake_path(NORMAL_PATH folder)
  if(NOT folder STREQUAL "${prefix}/${libraries}/assay/plugins")
    message(FATAL_ERROR "assay.pc says that plugins are in ${folder}")
  endif()
endfunction()

set(prefix ${BUILD}/sdk)
put(${BUILD} ${prefix})
build(${SOURCE} ${prefix})
step(${CMAKE_COMMAND} --install ${prefix}/plugins)
file(GLOB packages RELATIVE ${prefix} ${prefix}/lib*/pkgconfig ${prefix}/lib/*/pkgconfig)
cmake_path(GET packages PARENT_PATH libraries)
compile(${prefix} ${libraries})

# The folders of an installation are decided when a tree is configured; headers need no building.
set(libraries lib64)
if(ARCHITECTURE)
  set(libraries lib/${ARCHITECTURE})
endif()
step(${CMAKE_COMMAND} -S ${SOURCE}/../.. -B ${BUILD}/multiarch ${alike} -DASSAY_TESTS=OFF -DCMAKE_INSTALL_LIBDIR=${libraries})
put(${BUILD}/multiarch ${BUILD}/sdk-multiarch --component development)
build(${SOURCE}/turn ${BUILD}/sdk-multiarch)
compile(${BUILD}/sdk-multiarch ${libraries})

# Until 1.0 another minor version is another interface.
file(GLOB_RECURSE versions ${prefix}/lib*/cmake/assay/assay-config-version.cmake)
list(GET versions 0 versions)
foreach(case "0.1;0;1;TRUE" "0.2;0;2;FALSE" "1.0;1;0;FALSE")
  list(GET case 0 PACKAGE_FIND_VERSION)
  list(GET case 1 PACKAGE_FIND_VERSION_MAJOR)
  list(GET case 2 PACKAGE_FIND_VERSION_MINOR)
  list(GET case 3 expected)
  set(PACKAGE_FIND_VERSION_COUNT 2)
  include(${versions})
  if(NOT PACKAGE_VERSION_COMPATIBLE STREQUAL expected)
    message(FATAL_ERROR "find_package(assay ${PACKAGE_FIND_VERSION}) finds: ${PACKAGE_VERSION_COMPATIBLE}")
  endif()
endforeach()
