// A private MariaDB server on loopback for the life of this object. Not thread-safe, except create_database().
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/store/sql/mysql_session.hpp"

namespace tideover::tests {

class MariaDbInstance {
 public:
  /// True when TIDEOVER_TEST_MARIADB=skip asks to leave MariaDB out.
  static bool skipped();

  /// Starts the server and waits until it answers; `extra_arguments` go to mariadbd. Throws std::runtime_error saying what
  /// is missing or what the server wrote.
  explicit MariaDbInstance(std::vector<std::string> extra_arguments = {});
  MariaDbInstance(const MariaDbInstance&) = delete;
  MariaDbInstance& operator=(const MariaDbInstance&) = delete;
  ~MariaDbInstance();

  /// How to reach the server as a user with all rights; `database` is left empty.
  sql::MySqlOptions options() const;

  /// Creates an empty database and returns the options to reach it.
  sql::MySqlOptions create_database(const std::string& name);

  /// SIGKILL: no flush, no goodbye. restart() brings the server back on the same port and data.
  void kill();
  void restart();

 private:
  void install();
  void start();
  bool answers() const;
  void stop() noexcept;
  std::string server_log() const;

  std::vector<std::string> extra_arguments_;
  std::filesystem::path folder_;
  std::uint16_t port_ = 0;
  pid_t pid_ = -1;
};

}  // namespace tideover::tests
