// The SQLite driver (3.40, WAL). One writer connection alone writes and checkpoints; readers only read. That is how the
// service stays clear of the WAL-reset bug of SQLite 3.7.0–3.51.2, which needs two connections that write or
// checkpoint.
#pragma once

#include <memory>

#include "core/store/sql/database.hpp"

namespace tideover::sql {

enum class SqliteRole { writer, reader };

/// Opens a connection to an existing file. The writer turns WAL on, so it is opened before the first reader. The
/// session holds `token` as long as it lives, by which its owner can tell whether it still does.
std::unique_ptr<Session> open_sqlite_session(const SqliteOptions& options, SqliteRole role,
                                             std::shared_ptr<void> token);

}  // namespace tideover::sql
