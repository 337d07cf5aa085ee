// The files of a folder reach the program unchanged (core/store/sql/embed.cmake).
#include <fstream>
#include <sstream>

#include "core/store/sql/migrator.hpp"
#include "tests/store/sql/test_database.hpp"

namespace bdata = boost::unit_test::data;
using namespace tideover;

namespace tideover::tests {
std::vector<sql::Migration> example_migrations();
}

BOOST_AUTO_TEST_SUITE(store_sql_embedding)

BOOST_AUTO_TEST_CASE(files_are_embedded_in_order_and_byte_for_byte) {
  const auto migrations = tests::example_migrations();
  BOOST_REQUIRE(migrations.size() == 2U);
  BOOST_TEST(migrations[0].number == 1);
  BOOST_TEST(migrations[0].name == "payers");
  BOOST_TEST(migrations[1].number == 2);
  BOOST_TEST(migrations[1].name == "payer_index");
  std::ostringstream file;
  file << std::ifstream(TIDEOVER_SOURCE_DIR "/tests/store/sql/migrations/0001_payers.sql").rdbuf();
  BOOST_TEST(migrations[0].sql == file.str());
}

BOOST_DATA_TEST_CASE(embedded_migrations_run, bdata::make(tests::engines()), engine) {
  tests::TestDatabase database(engine);
  BOOST_TEST(sql::migrate(*database->writer(), tests::example_migrations()) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
