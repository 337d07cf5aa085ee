// The only exception of the SQL drivers. It never leaves core/store: the stores turn it into Result errors. The message
// has the statement and the driver's code, never a parameter's value.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tideover::sql {

class SqlError : public std::runtime_error {
 public:
  enum class Kind {
    unique_violation,  // a primary key or unique index already holds this key
    foreign_key,       // the referred row does not exist, or is still referred to
    check_violation,   // CHECK, NOT NULL, length or range: the schema refuses the row
    conflict,          // deadlock, certification failure, lock wait: roll back and run the whole unit again
    connection_lost,   // the connection or its node is out of service and nothing of the open transaction stays;
                       // discard the session, open another and run the whole unit again
    commit_unknown,    // COMMIT was sent and its answer is lost: the data may or may not be there
    disk_full,         // no space; works again when there is space
    read_only,         // the disk accepts no writes; reading works
    no_resources,      // no memory or file handle is left; works again later
    io,                // the disk or the server failed; the transaction is rolled back
    corrupt,           // the database file or a table is damaged
    unreadable,        // an encrypted value does not open: it was changed or moved
    key_missing,       // an encrypted value needs a key that this node does not hold yet: works again once it does
    in_use,            // another process has the database file open
    misuse             // a fault in our code or configuration: bad SQL, wrong column type, refused credentials
  };

  /// `driver_code` is the driver's own number: SQLite's extended result code or the MySQL error number; 0 when none
  /// applies.
  SqlError(Kind error_kind, int driver_code, const std::string& message)
      : std::runtime_error(message), kind(error_kind), code(driver_code) {}

  Kind kind;
  int code;
};

std::string_view name_of(SqlError::Kind kind);

/// Whether such an error spoils the whole transaction, not just the statement that met it.
bool dooms_transaction(SqlError::Kind kind);

}  // namespace tideover::sql
