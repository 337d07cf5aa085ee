// Maps error numbers of MariaDB and its client library to SqlError kinds.
#pragma once

#include <string>
#include <string_view>

#include "core/store/sql/error.hpp"

namespace tideover::sql {

SqlError::Kind kind_of_mysql_error(int code);

/// The server quotes values in its messages ("Duplicate entry 'x' for key 'k'"), so the text between the first and the
/// last quotation mark is removed; for a duplicate the name of the key stays.
std::string without_values(std::string_view server_message);

}  // namespace tideover::sql
