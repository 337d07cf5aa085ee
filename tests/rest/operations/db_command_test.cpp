// tideover db: beside the running service and without one, on both stores.
#include "core/store/sql/database.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

CommandResult db(const ServiceFolder& folder, const std::string& verb) {
  return run_tideover({"db", verb, "--config", folder.config_file().string()});
}

void expect_in(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) BOOST_TEST(text.find(part) != std::string::npos, "no \"" << part << "\" in: " << text);
}

/// Executes SQL on the embedded store of a service that is stopped.
void change(const ServiceFolder& folder, const std::string& statement) {
  const auto database = sql::Database::open({sql::SqliteOptions{folder.path() / "store" / "tideover.db"}});
  const auto writer = database->writer();
  writer->begin();
  writer->execute(sql::Sql::composed(statement));
  writer->commit();
}

BOOST_AUTO_TEST_SUITE(db_command)

BOOST_DATA_TEST_CASE(status_and_check_work_with_and_without_a_running_service, boost::unit_test::data::make(stores()),
                     store) {
  World world(store);
  fund(*world.api, "CLM-DB");
  for (const bool serving : {true, false}) {
    if (!serving) {
      world.service->ask_to_stop();
      BOOST_REQUIRE(world.service->wait_for_end() == 0);
    }
    const auto status = db(world.folder, "status");
    BOOST_TEST(status.exit_code == 0, status.err);
    expect_in(status.out,
              {store == Store::sqlite ? "SQLite 3." : "MariaDB 10.", "up to date", "settlements             1\n"});
    const auto check = db(world.folder, "check");
    BOOST_TEST(check.exit_code == 0, check.out << check.err);
    expect_in(check.out, {"database: whole"});
    const auto migrate = db(world.folder, "migrate");
    BOOST_TEST(migrate.exit_code == 0, migrate.err);
    expect_in(migrate.out, {"Nothing to do"});
  }
}

BOOST_AUTO_TEST_CASE(migrations_can_be_left_to_the_command) {
  ServiceFolder folder;
  folder.set("store.migrate_at_start", "false");
  folder.write_config();
  expect_in(db(folder, "status").err, {" not found. serve, "});
  BOOST_TEST(!std::filesystem::exists(folder.path() / "store" / "tideover.db"));
  const auto serve = run_tideover({"serve", "--config", folder.config_file().string()});
  BOOST_TEST(serve.exit_code == 1);
  expect_in(serve.err, {"tideover db migrate"});

  const auto migrated = db(folder, "migrate");
  BOOST_TEST(migrated.exit_code == 0, migrated.err);
  expect_in(migrated.out, {"applied 1 (tenants)\n", "applied 2 (claims)\n"});
  const ServiceProcess service(folder);
  BOOST_TEST(service.port() != 0);
}

BOOST_AUTO_TEST_CASE(a_newer_schema_is_shown_and_not_touched) {
  ServiceFolder folder;
  folder.write_config();
  BOOST_REQUIRE(db(folder, "migrate").exit_code == 0);
  change(folder, "INSERT INTO schema_migrations (number, name, sha256, applied_at) VALUES (999, 'tomorrow', '', '')");
  const auto status = db(folder, "status");
  BOOST_TEST(status.exit_code == 0, status.err);
  expect_in(status.out, {"999 of ", "newer than this program"});
  const auto migrate = db(folder, "migrate");
  BOOST_TEST(migrate.exit_code == 1);
  expect_in(migrate.err, {"999 (tomorrow)", "newer program"});
}

BOOST_AUTO_TEST_CASE(check_finds_rows_that_name_nothing) {
  World world;
  world.verify_at_end = false;
  fund(*world.api, "CLM-LOST");
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  change(world.folder, "DELETE FROM reviews");
  const auto check = db(world.folder, "check");
  BOOST_TEST(check.exit_code == 1);
  expect_in(check.err, {"1 rows of settlements refer to a missing row of reviews"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
