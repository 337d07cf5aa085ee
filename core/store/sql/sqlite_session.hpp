// The SQLite driver (3.40, WAL). One writer connection writes and checkpoints; readers only read. This avoids the
// WAL-reset bug of SQLite 3.7.0–3.51.2, which needs two connections that write or checkpoint.
#pragma once

#include <memory>

#include "core/store/sql/database.hpp"

namespace tideover::sql {

enum class SqliteRole { writer, reader };

/// Opens a connection to an existing file. The writer enables WAL, so it is opened before the first reader. The session
/// keeps `token` during its lifetime, by which its owner can tell whether the session still exists.
std::unique_ptr<Session> open_sqlite_session(const SqliteOptions& options, SqliteRole role,
                                             std::shared_ptr<void> token);

}  // namespace tideover::sql
