// A private MariaDB server on loopback for the life of this object. Start it on the main thread: so that it cannot
// outlive a killed test, the kernel ends it with the thread that started it. Only create_database() is thread-safe.
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

  enum class Encryption { none, tls };

  /// Starts the server and waits until it answers; `extra_arguments` go to mariadbd. With TLS it shows a fresh
  /// certificate for 127.0.0.1. Throws std::runtime_error saying what is missing or what the server wrote.
  explicit MariaDbInstance(Encryption encryption = Encryption::none, std::vector<std::string> extra_arguments = {});
  MariaDbInstance(const MariaDbInstance&) = delete;
  MariaDbInstance& operator=(const MariaDbInstance&) = delete;
  ~MariaDbInstance();

  /// How to reach the server as a user with all rights; `database` is left empty.
  sql::MySqlOptions options() const;

  /// Creates an empty database and returns the options to reach it.
  sql::MySqlOptions create_database(const std::string& name);

  /// The certificate to trust when the server speaks TLS.
  std::string certificate_file() const { return (folder_ / "certificate.pem").string(); }

  /// SIGKILL: no flush, no goodbye. restart() brings the server back on the same port and data.
  void kill();
  void restart();

 private:
  std::string tmpdir() const;
  void install();
  void make_certificate();
  void start();
  bool answers() const;
  void stop() noexcept;

  std::vector<std::string> extra_arguments_;
  std::filesystem::path folder_;
  std::uint16_t port_ = 0;
  pid_t pid_ = -1;
};

}  // namespace tideover::tests
