// Buffers writes to the write-ahead log of the writer of an embedded database. SQLite writes each page in two parts,
// head and page; they are gathered here, so that a commit needs a few system calls instead of two per page.
#pragma once

namespace tideover::sql {

/// Name of a VFS that equals the system's VFS except for the log; registered once. Throws SqlError. Gathered bytes
/// reach the system, in order, before the log is synced, read, truncated, measured or closed; a failed write fails the
/// call that needed it. Only for a connection that syncs in every COMMIT: other connections see the frames of a commit
/// no sooner than that.
const char* gathering_log_vfs();

}  // namespace tideover::sql
