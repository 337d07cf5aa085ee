# Puts the files NNNN_what.sql of a folder into the program.
#   tideover_embed_sql(TARGET DIRECTORY FUNCTION)
# adds a source to TARGET that defines `std::vector<tideover::sql::Migration> FUNCTION()`, FUNCTION being a qualified
# name that the target declares in a header of its own.
function(tideover_embed_sql target directory function)
  get_filename_component(directory ${directory} ABSOLUTE)
  file(GLOB files CONFIGURE_DEPENDS ${directory}/[0-9][0-9][0-9][0-9]_*.sql)
  list(SORT files)
  set(entries "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(stem ${file} NAME_WE)
    string(REGEX REPLACE "^0*([0-9]+)_(.*)$" "\\1" number ${stem})
    string(REGEX REPLACE "^[0-9]+_(.*)$" "\\1" name ${stem})
    file(READ ${file} sql)
    string(APPEND entries "      {${number}, \"${name}\", R\"MIGRATION(${sql})MIGRATION\"},\n")
  endforeach()

  string(REGEX REPLACE "::[^:]+$" "" space ${function})
  string(REGEX REPLACE "^.*::" "" short_name ${function})
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}_migrations.cpp)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT [[// Generated from the files of @directory@; edit those.
#include "core/store/sql/migrator.hpp"

namespace @space@ {

std::vector<tideover::sql::Migration> @short_name@();

std::vector<tideover::sql::Migration> @short_name@() {
  return {
@entries@  };
}

}  // namespace @space@
]])
  target_sources(${target} PRIVATE ${generated})
endfunction()
