#include "tests/bench/databases.hpp"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "core/store/sql/database.hpp"

namespace tideover::bench {
namespace {

const std::string kCluster = TIDEOVER_SOURCE_DIR "/packaging/cluster/cluster";

/// The number behind "port = " in the settings of a database node.
unsigned port_of(const std::filesystem::path& settings) {
  const std::string text = test::read_file(settings);
  const auto at = text.find("\nport");
  if (at == std::string::npos) throw std::runtime_error("no port in " + settings.string());
  return static_cast<unsigned>(std::stoul(text.substr(text.find('=', at) + 1)));
}

}  // namespace

Configure PrivateMariaDb::next_database() {
  if (!server_) server_ = std::make_unique<tests::MariaDbInstance>();
  const auto options = server_->create_database("bench" + std::to_string(++databases_));
  return [options](test::ServiceFolder& folder) { folder.use_mysql(options); };
}

Configure PrivateGalera::next_database() {
  if (folder_.empty()) {
    std::string name = (std::filesystem::temp_directory_path() / "tideover-galera-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    folder_ = name;
    const std::string command = "'" + kCluster + "' up --keep --databases --folder '" + name +
                                "' --build '" TIDEOVER_BINARY_DIR "' --owner " + std::to_string(::getpid()) +
                                " >/dev/null";
    if (std::system(command.c_str()) != 0)
      throw std::runtime_error("the Galera nodes do not start; see above");  // NOLINT
    options_.host = "127.0.0.1";
    options_.port = static_cast<std::uint16_t>(port_of(folder_ / "db1" / "galera.cnf"));
    options_.user = options_.database = "tideover";
    options_.password = test::read_file(folder_ / "mysql-password");
  }
  // Every service brings keys of its own, which decrypt nothing of an earlier one.
  const auto session = sql::open_mysql_session(options_, sql::MySqlRole::writer);
  session->execute(sql::Sql::composed("DROP DATABASE tideover"));
  session->execute(sql::Sql::composed("CREATE DATABASE tideover CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"));
  return [options = options_](test::ServiceFolder& folder) { folder.use_mysql(options); };
}

PrivateGalera::~PrivateGalera() {
  if (folder_.empty()) return;
  // --owner takes down what this does not.
  [[maybe_unused]] const int ignored_status =
      std::system(("'" + kCluster + "' down --folder '" + folder_.string() + "' >/dev/null").c_str());  // NOLINT
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace tideover::bench
