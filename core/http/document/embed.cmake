# Puts a text file into the program.
#   tideover_embed_text(TARGET FILE FUNCTION)
# adds a source to TARGET that defines `std::string_view FUNCTION()`, FUNCTION being a qualified name that the target
# declares in a header of its own.
function(tideover_embed_text target file function)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REGEX REPLACE "::[^:]+$" "" space ${function})
  string(REGEX REPLACE "^.*::" "" short_name ${function})
  file(RELATIVE_PATH origin ${PROJECT_SOURCE_DIR} ${file})
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${short_name}.cpp)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT [[// Generated from @origin@; edit that.
#include <string_view>

namespace @space@ {

std::string_view @short_name@();

std::string_view @short_name@() {
  return R"EMBEDDED(@text@)EMBEDDED";
}

}  // namespace @space@
]])
  target_sources(${target} PRIVATE ${generated})
endfunction()

# Writes the files of a pattern into one: `- ` and the text of each on a line of its own.
#   tideover_join_lines(OUTPUT PATTERN)
function(tideover_join_lines output pattern)
  file(GLOB files CONFIGURE_DEPENDS ${pattern})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(joined "")
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(STRIP "${text}" text)
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    string(APPEND joined "- ${text}\n")
  endforeach()
  file(WRITE ${output} "${joined}")
endfunction()
