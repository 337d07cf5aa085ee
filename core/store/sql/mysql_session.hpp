// The MariaDB/MySQL driver over MySQL Connector/C++ 1.1 (JDBC style). A lost connection is never reopened: the session
// reports usable() == false and is discarded, because a silent reconnect would lose the transaction and the session
// settings.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/store/sql/session.hpp"

namespace tideover::sql {

struct MySqlTls {
  bool required = false;  // refuse a server without encryption; protects against eavesdroppers, not against impostors
  bool verify_server = false;    // also check its certificate and host name; implies required
  std::string ca_file;           // trusted certificate authorities; empty = those of the system
  std::string certificate_file;  // client certificate, for servers that require one
  std::string key_file;
};

struct MySqlOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 3306;
  std::string user;
  std::string password;
  std::string database;  // may be empty for administration
  MySqlTls tls;
  int connect_timeout_s = 5;
  int read_timeout_s = 30;  // also limits how long COMMIT may take before it counts as unknown
  int write_timeout_s = 30;
  bool wait_for_cluster =
      true;  // on Galera a read sees every write that any node acknowledged before (wsrep_sync_wait)
};

/// Writers run READ COMMITTED; readers run READ ONLY transactions on one snapshot.
enum class MySqlRole { writer, reader };

std::unique_ptr<Session> open_mysql_session(const MySqlOptions& options, MySqlRole role);

/// Loads the driver of the Connector, which is not thread-safe. Call once before threads use it.
void prepare_mysql_driver();

}  // namespace tideover::sql
