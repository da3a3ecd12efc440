# SPDX-License-Identifier: Apache-2.0
# What is installed beside the program: configs, documents and examples, module files, and the report tool with its Python package.
set(ASSAY_PYTHON "/usr/bin/env python3" CACHE STRING "Python that the installed report tool is run by, as a script's first line names it")
set(assay_data ${CMAKE_INSTALL_DATADIR}/assay)

install(DIRECTORY configs/ DESTINATION ${assay_data}/configs)

install(FILES README.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY doc DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.svg" PATTERN "*.png")
install(DIRECTORY tools/slurm tools/jube tools/reframe DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY tests/plugin/turn DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT development)

if(TARGET assay-mpi)
  install(FILES tools/packaging/assay-mpi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
endif()

# Folders as an installed file is to name them, from its own: an installation may be moved as a whole.
function(assay_from result from to)
  file(RELATIVE_PATH path ${from} ${to})
  set(${result} ${path} PARENT_SCOPE)
endfunction()

# The report: the package as its setup file has it, so that pip installs it from there too, and its programs.
set(report ${CMAKE_INSTALL_FULL_DATADIR}/assay/report)
install(DIRECTORY tools/report/assay_report DESTINATION ${assay_data}/report COMPONENT report PATTERN "__pycache__" EXCLUDE)
install(FILES tools/report/pyproject.toml tools/report/setup.py DESTINATION ${assay_data}/report COMPONENT report)
install(FILES doc/campaign.ipynb DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT report)
assay_from(REPORT_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${report})
foreach(command report plot parquet)
  configure_file(tools/packaging/report_program.in ${PROJECT_BINARY_DIR}/installed/assay-${command} @ONLY)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/installed/assay-${command} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT report)
endforeach()

# Module files, for Lmod and for Environment Modules, in one folder: each reads its own.
set(modules ${CMAKE_INSTALL_FULL_DATADIR}/assay/modulefiles/assay)
assay_from(BIN_FROM_MODULE ${modules} ${CMAKE_INSTALL_FULL_BINDIR})
assay_from(MAN_FROM_MODULE ${modules} ${CMAKE_INSTALL_FULL_MANDIR})
assay_from(PC_FROM_MODULE ${modules} ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
assay_from(PREFIX_FROM_MODULE ${modules} ${CMAKE_INSTALL_PREFIX})
configure_file(tools/packaging/modules/assay.lua.in ${PROJECT_BINARY_DIR}/installed/${PROJECT_VERSION}.lua @ONLY)
configure_file(tools/packaging/modules/assay.tcl.in ${PROJECT_BINARY_DIR}/installed/${PROJECT_VERSION} @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/installed/${PROJECT_VERSION}.lua ${PROJECT_BINARY_DIR}/installed/${PROJECT_VERSION}
  DESTINATION ${assay_data}/modulefiles/assay COMPONENT modules)
