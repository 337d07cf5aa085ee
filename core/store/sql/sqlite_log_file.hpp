// The write-ahead log as the writer of an embedded database writes it: SQLite hands each page over in two pieces, head
// and page, and here they are gathered, so that a commit takes a few system calls and not two for every page.
#pragma once

namespace tideover::sql {

/// The name of a VFS that is the system's own but for the log; registered once. Throws SqlError.
/// Whatever is gathered reaches the system before the log is synced, read, cut, measured or closed, in the order in
/// which it was written; what cannot be written fails the call that needed it. So only for a connection that syncs in
/// every COMMIT: others see the frames of a commit no sooner than that.
const char* gathering_log_vfs();

}  // namespace tideover::sql
