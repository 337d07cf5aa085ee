// A copy of an embedded database through SQLite's online backup, from the snapshot of a connection's open read
// transaction: writers continue, and no checkpoint is needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

struct sqlite3;

namespace tideover::sql {

/// Suffix of the database name: the copy with which a restore replaces the database.
inline constexpr const char* kStagedCopy = ".restoring";

/// See Session::copy_to.
void copy_sqlite(sqlite3* source, const std::filesystem::path& file,
                 const std::function<bool(std::int64_t done, std::int64_t all)>& step);

}  // namespace tideover::sql
