# SPDX-License-Identifier: Apache-2.0
# Installs the built tree below itself and builds tests/plugin against what was installed.
# Takes BUILD, SOURCE, GENERATOR, COMPILER, FLAGS, TYPE and LAUNCHER.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

set(prefix ${BUILD}/sdk)
set(ENV{CMAKE_PREFIX_PATH} ${prefix})  # no variable of the project: those are forgotten when the compiler changes
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
step(${CMAKE_COMMAND} -S ${SOURCE} -B ${prefix}/plugins -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_BUILD_TYPE=${TYPE}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
step(${CMAKE_COMMAND} --build ${prefix}/plugins)

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
