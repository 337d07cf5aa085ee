#include "tests/support/world/world.hpp"

#include <exception>
#include <memory>
#include <ostream>

#include "tests/support/mariadb/mariadb_instance.hpp"

namespace tideover::test {
namespace {

/// One server for the whole program; started on the main thread when first needed, ended before main returns.
struct SharedMariaDb {
  ~SharedMariaDb() { server.reset(); }

  static std::unique_ptr<tests::MariaDbInstance> server;
};
std::unique_ptr<tests::MariaDbInstance> SharedMariaDb::server;

sql::MySqlOptions new_database() {
  static int number = 0;
  auto& server = SharedMariaDb::server;
  if (!server) server = std::make_unique<tests::MariaDbInstance>();
  return server->create_database("rest" + std::to_string(++number));
}

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(SharedMariaDb);

std::ostream& operator<<(std::ostream& out, Store store) {
  return out << (store == Store::sqlite ? "SQLite" : "MariaDB");
}

std::vector<Store> stores() {
  if (tests::MariaDbInstance::skipped()) return {Store::sqlite};
  return {Store::sqlite, Store::mariadb};
}

World::World(Store store, const std::function<void(ServiceFolder&)>& configure) {
  if (store == Store::mariadb) folder.use_mysql(new_database());
  if (configure) configure(folder);
  client = folder.create_client({"--role", "admin"});
  start();
}

World::~World() {
  if (!verify_at_end || std::uncaught_exceptions() > 0) return;
  try {
    verify();
  } catch (const std::exception& error) {
    BOOST_ERROR("the books could not be verified: " << error.what());
  }
}

void World::verify() const {
  for (const char* noun : {"ledger", "audit"}) {
    const auto found = run_tideover({noun, "verify", "--config", folder.config_file().string()});
    if (found.exit_code != 0) BOOST_ERROR(found.out << found.err);
  }
}

void World::start() {
  service.emplace(folder);
  api.emplace(service->port(), client);
}

void World::restart() {
  service->ask_to_stop();
  BOOST_REQUIRE_EQUAL(service->wait_for_end(), 0);
  start();
}

}  // namespace tideover::test
