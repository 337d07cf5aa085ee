# Puts the pages below /docs into the program: the API reference and the guides.
option(TIDEOVER_API_REFERENCE
       "Serve the API reference and the guides at /docs; the build then needs Node.js and npm"
       ON)

# Adds a source to TARGET that defines tideover::http::reference_files().
#   tideover_embed_reference(TARGET)
function(tideover_embed_reference target)
  if(NOT TIDEOVER_API_REFERENCE)
    target_sources(${target} PRIVATE document/no_reference.cpp)
    return()
  endif()
  set(without "or leave the API reference out: -DTIDEOVER_API_REFERENCE=OFF")
  find_program(TIDEOVER_NODE node)
  find_program(TIDEOVER_NPM npm)
  if(NOT TIDEOVER_NODE OR NOT TIDEOVER_NPM)
    message(FATAL_ERROR "The API reference at /docs is built with Node.js 18 or newer and npm, and one of them is "
                        "missing. Install them (Debian: apt-get install nodejs npm), ${without}")
  endif()
  set(source ${PROJECT_SOURCE_DIR}/api/rest/reference)
  # All build folders of a checkout share the packages.
  set(packages ${PROJECT_SOURCE_DIR}/build/reference)
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/packaging/npm_install ${source} ${packages}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "npm cannot install the packages of ${source}:\n${output}\n"
                        "Make the package registry of npm reachable, ${without}")
  endif()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/reference_files.cpp)
  execute_process(COMMAND ${TIDEOVER_NODE} ${source}/build.mjs ${PROJECT_SOURCE_DIR} ${packages} ${generated}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE inputs ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${source}/build.mjs failed:\n${output}")
  endif()
  file(GLOB_RECURSE all_guides CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/api/docs/*.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
  target_sources(${target} PRIVATE ${generated})
endfunction()
