// What MariaDB's and the client library's error numbers mean to us.
#pragma once

#include <string>
#include <string_view>

#include "core/store/sql/error.hpp"

namespace tideover::sql {

SqlError::Kind kind_of_mysql_error(int code);

/// The server quotes values in its messages ("Duplicate entry 'x' for key 'k'"), so everything between the first and
/// the last quotation mark goes; of a duplicate the key's name stays.
std::string without_values(std::string_view server_message);

}  // namespace tideover::sql
