# SPDX-License-Identifier: Apache-2.0
# Run by cpack on what it is about to pack: in Debian manuals are compressed, and zsh looks elsewhere for completions.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
file(GLOB_RECURSE manuals ${CPACK_TEMPORARY_DIRECTORY}/*.[1-9])
list(FILTER manuals INCLUDE REGEX "/share/man/")
foreach(manual IN LISTS manuals)
  execute_process(COMMAND gzip -9nf ${manual} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB zsh ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/zsh)
foreach(folder IN LISTS zsh)
  file(RENAME ${folder}/site-functions ${folder}/vendor-completions)
endforeach()
