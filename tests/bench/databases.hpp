// Databases of the benchmark's own on loopback. Started at first use, on the main thread; gone with the object.
#pragma once

#include <memory>

#include "tests/bench/servers.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"

namespace tideover::bench {

using Configure = std::function<void(test::ServiceFolder&)>;

/// One MariaDB server; each service gets a fresh database. Every commit is on its disk.
class PrivateMariaDb {
 public:
  Configure next_database();

 private:
  std::unique_ptr<tests::MariaDbInstance> server_;
  int databases_ = 0;
};

/// The three Galera nodes of packaging/cluster; services write through the first.
class PrivateGalera {
 public:
  PrivateGalera() = default;
  PrivateGalera(const PrivateGalera&) = delete;
  PrivateGalera& operator=(const PrivateGalera&) = delete;
  ~PrivateGalera();

  Configure next_database();

 private:
  std::filesystem::path folder_;
  sql::MySqlOptions options_;
};

}  // namespace tideover::bench
