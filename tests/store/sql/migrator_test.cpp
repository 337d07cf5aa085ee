#include "core/store/sql/migrator.hpp"

#include "tests/store/sql/test_database.hpp"

namespace bdata = boost::unit_test::data;
using namespace tideover;
using namespace tideover::tests;
using Kind = sql::SqlError::Kind;

namespace {

const sql::Migration kClaims{1, "claims",
                             "-- What a claim is.\n"
                             "CREATE TABLE IF NOT EXISTS claim (\n"
                             "  id {ascii:30} NOT NULL PRIMARY KEY, -- kept by the engine\n"
                             "  digest {bytes:32} NOT NULL,\n"
                             "  note {text:50}\n"
                             ") {table};\n"
                             "-- sqlite: CREATE INDEX claim_open ON claim (note) WHERE note IS NOT NULL;\n"
                             "-- mysql: CREATE INDEX IF NOT EXISTS claim_open ON claim (note);\n"};
const sql::Migration kPayers{2, "payers", "CREATE TABLE IF NOT EXISTS payer (id {int} PRIMARY KEY) {table};\n"};

std::string message_of(sql::Session& session, const std::vector<sql::Migration>& migrations) {
  try {
    sql::migrate(session, migrations);
  } catch (const sql::SqlError& error) {
    BOOST_TEST(error.kind == Kind::misuse);
    return error.what();
  }
  BOOST_FAIL("the migration must be refused");
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_sql_migrator)

BOOST_DATA_TEST_CASE(a_fresh_database_gets_all_migrations_and_an_old_one_the_missing, bdata::make(engines()), engine) {
  TestDatabase database(engine);
  const auto session = database->writer();
  BOOST_TEST(sql::migrate(*session, {kClaims}) == 1);
  BOOST_TEST(sql::migrate(*session, {kClaims}) == 0);
  BOOST_TEST(sql::migrate(*session, {kClaims, kPayers}) == 1);
  session->run("INSERT INTO claim (id, digest) VALUES ('c1', ?)", std::vector<std::uint8_t>(32, 0xff));
  session->run("INSERT INTO payer (id) VALUES (1)");
  BOOST_TEST(database.count("SELECT COUNT(*) FROM schema_migrations WHERE applied_at LIKE '____-__-__T__:__:__Z'") ==
             2);
}

BOOST_DATA_TEST_CASE(a_database_newer_than_the_program_is_refused, bdata::make(engines()), engine) {
  TestDatabase database(engine);
  const auto session = database->writer();
  sql::migrate(*session, {kClaims, kPayers});
  BOOST_TEST(contains(message_of(*session, {kClaims}), "migration 2 (payers)"));
}

BOOST_DATA_TEST_CASE(an_edited_migration_is_refused, bdata::make(engines()), engine) {
  TestDatabase database(engine);
  const auto session = database->writer();
  sql::migrate(*session, {kClaims});
  sql::Migration edited = kClaims;
  edited.sql += "-- one more word\n";
  BOOST_TEST(contains(message_of(*session, {edited}), "migration 1 (claims) differs"));
}

BOOST_DATA_TEST_CASE(a_failing_migration_is_named_and_can_be_run_again, bdata::make(engines()), engine) {
  TestDatabase database(engine);
  const auto session = database->writer();
  const sql::Migration broken{2, "broken", kPayers.sql + "CREATE NONSENSE;\n"};
  BOOST_TEST(contains(message_of(*session, {kClaims, broken}), "migration 2 (broken) failed"));
  BOOST_TEST(sql::migrate(*session, {kClaims, kPayers}) == 1);
}

BOOST_AUTO_TEST_CASE(numbers_must_run_without_gaps) {
  TestDatabase database(sql::Dialect::sqlite);
  const auto session = database->writer();
  BOOST_TEST(contains(message_of(*session, {kPayers}), "out of order"));
}

BOOST_AUTO_TEST_CASE(each_engine_reads_its_own_lines_and_types) {
  const auto sqlite = sql::statements_for(sql::Dialect::sqlite, kClaims.sql);
  const auto mysql = sql::statements_for(sql::Dialect::mysql, kClaims.sql);
  BOOST_REQUIRE(sqlite.size() == 2U);
  BOOST_REQUIRE(mysql.size() == 2U);
  BOOST_TEST(contains(sqlite[0], "id TEXT NOT NULL PRIMARY KEY"));
  BOOST_TEST(contains(sqlite[0], ") STRICT"));
  BOOST_TEST(contains(sqlite[1], "WHERE note IS NOT NULL"));
  BOOST_TEST(contains(mysql[0], "digest VARBINARY(32)"));
  BOOST_TEST(contains(mysql[0], "ENGINE=InnoDB"));
  BOOST_TEST(!contains(mysql[1], "WHERE"));
}

BOOST_AUTO_TEST_CASE(a_mistake_in_a_migration_file_is_reported) {
  BOOST_CHECK_THROW(sql::statements_for(sql::Dialect::sqlite, "CREATE TABLE t (a {txt});\n"), sql::SqlError);
  BOOST_CHECK_THROW(sql::statements_for(sql::Dialect::sqlite, "CREATE TABLE t (a {text})\n"), sql::SqlError);
}

BOOST_AUTO_TEST_SUITE_END()
