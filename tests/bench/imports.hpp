// Bulk imports: how fast, in how much memory, and what interactive requests notice of them.
#pragma once

#include <cstddef>

#include "tests/bench/servers.hpp"

namespace tideover::bench {

/// Claims as gzip and Base64 NDJSON through the API, reviewed, on a fresh database: rows per second from `queued` to
/// the end.
Sample import_rows(std::size_t rows);
/// `sqlite3 .import` of the same claims as CSV into one table whose identifier is its key, synced at the end.
Sample sqlite_import(std::size_t rows);

/// How many claims make a file of so many MiB.
std::size_t rows_of(std::size_t mebibytes);
/// `tideover import` of a file beside a running service. `rate` is rows per second, `memory_mib` what the
/// service held beyond what it held before, at most.
Sample import_file(std::size_t rows);

/// Reviews of eight clients beside so many stored claims.
Sample reviews_among(std::size_t stored, std::chrono::milliseconds duration);

/// Reviews of eight clients, with or without an import that lasts longer than they do.
Sample reviews_beside_import(std::chrono::milliseconds duration, bool with_import);

}  // namespace tideover::bench
