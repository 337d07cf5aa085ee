// The dump of packaging/docs/backup.md: taken while the service works, loaded into a fresh database, checked and
// served.
#include <sys/wait.h>

#include "tests/fault/backup/backup_command.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"

namespace tideover::test {
namespace {

int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

BOOST_AUTO_TEST_SUITE(mariadb_dump)

BOOST_AUTO_TEST_CASE(a_dump_taken_while_serving_is_whole_in_a_fresh_database) {
  if (tests::MariaDbInstance::skipped()) return;
  tests::MariaDbInstance server;
  const auto reach = server.create_database("tideover");
  World world(Store::sqlite, [&](ServiceFolder& folder) { folder.use_mysql(reach); });
  const auto settlement = fund(*world.api, "CLM-BEFORE");
  const std::string options = " --no-defaults --host=127.0.0.1 --port=" + std::to_string(reach.port) +
                              " --user=" + reach.user + " --password='" + reach.password +
                              "' --default-character-set=utf8mb4";
  const auto dump = (world.folder.path() / "tideover.sql").string();
  BOOST_REQUIRE(shell("mariadb-dump" + options +
                      " --single-transaction --routines --triggers --hex-blob --skip-lock-tables tideover > " + dump) ==
                0);
  fund(*world.api, "CLM-AFTER");
  world.service->kill();

  auto restored = server.create_database("tideover_restored");
  BOOST_REQUIRE(shell("mariadb" + options + " tideover_restored < " + dump) == 0);
  world.folder.use_mysql(restored);
  world.folder.write_config();
  BOOST_TEST(run_tideover({"audit", "restored", "--config", world.folder.config_file().string()}).exit_code == 0);
  const auto check = run_tideover({"db", "check", "--config", world.folder.config_file().string()});
  BOOST_TEST(check.exit_code == 0, check.out << check.err);
  world.start();
  BOOST_TEST(world.api->post_nothing("/v1/settlements/" + settlement + "/confirm").status == 200);
  BOOST_TEST(eventually(
      [&] { return counted(world.folder, "tasks") == 1; }));  // the payment made since, of a settlement that is lost
  BOOST_TEST(payments(world.folder) == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
