// The exception of the SQL drivers. It never leaves core/store: the stores convert it to Result errors. The message has
// the statement and the driver's code, never a parameter's value.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tideover::sql {

class SqlError : public std::runtime_error {
 public:
  enum class Kind {
    unique_violation,  // a primary key or unique index already has this key
    foreign_key,       // the referenced row does not exist, or is still referenced
    check_violation,   // CHECK, NOT NULL, length or range: the schema refuses the row
    conflict,          // deadlock, certification failure, lock wait: roll back and run the whole unit again
    connection_lost,   // the connection or its node is out of service and nothing of the open transaction stays;
                       // discard the session, open another and run the whole unit again
    commit_unknown,    // COMMIT was sent and its answer is lost: the data may or may not be stored
    disk_full,         // no space; works again when there is space
    read_only,         // the disk is read-only; reading works
    no_resources,      // no memory or no file handle; works again when there is
    io,                // the disk or the server failed; the transaction is rolled back
    corrupt,           // the database file or a table is damaged
    unreadable,        // an encrypted value cannot be decrypted: it was changed or moved
    key_missing,       // an encrypted value needs a key that this node does not have yet; works again when it has
    in_use,            // another process has the database file open
    misuse             // an error in this program or its configuration: bad SQL, wrong column type, refused credentials
  };

  /// `driver_code` is the driver's own number: SQLite's extended result code or the MySQL error number; 0 when there is
  /// none.
  SqlError(Kind error_kind, int driver_code, const std::string& message)
      : std::runtime_error(message), kind(error_kind), code(driver_code) {}

  Kind kind;
  int code;
};

/// Whether the error ends the whole transaction, not only its statement.
bool dooms_transaction(SqlError::Kind kind);

}  // namespace tideover::sql
