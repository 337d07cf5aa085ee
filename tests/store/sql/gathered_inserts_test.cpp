// Inserts that travel together: which are taken, how they are grouped, and what the session shows meanwhile.
#include "core/store/sql/gathered_inserts.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/store/sql/test_database.hpp"

namespace bdata = boost::unit_test::data;
using namespace tideover;
using namespace tideover::tests;
using Kind = sql::SqlError::Kind;

namespace {

const std::string kPlain = "INSERT INTO t (id, number) VALUES (?, ?)";

bool takes(const std::string& sql, std::size_t parameters) {
  sql::GatheredInserts gathered;
  return gathered.take(sql, std::vector<sql::Parameter>(parameters, sql::Parameter(1)));
}

std::int64_t rows_in(sql::Session& session) {
  return *session.first([](const sql::Row& row) { return row.integer(0); }, "SELECT COUNT(*) FROM t");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_gathered_inserts)

BOOST_AUTO_TEST_CASE(only_plain_inserts_of_one_row_are_taken) {
  BOOST_TEST(takes(kPlain, 2));
  BOOST_TEST(!takes(kPlain, 1));
  for (const char* other :
       {"INSERT INTO t (id, number) VALUES (?, 1)", "INSERT INTO t (id, number) VALUES (?, ?), (?, ?)",
        "INSERT INTO t (id, number) VALUES (?, ?) ON DUPLICATE KEY UPDATE number = 1",
        "INSERT INTO t (id, number) SELECT ?, ?", "INSERT IGNORE INTO t (id, number) VALUES (?, ?)",
        "UPDATE t SET id = ?, number = ?", "DELETE FROM t WHERE id = ? AND number = ?"})
    BOOST_TEST(!takes(other, 2), other);
}

BOOST_AUTO_TEST_CASE(rows_go_out_in_few_statements_each_once_and_in_order) {
  sql::GatheredInserts gathered;
  for (int i = 0; i < 87; ++i) BOOST_REQUIRE(gathered.take(kPlain, std::vector<sql::Parameter>{std::to_string(i), i}));
  std::vector<std::size_t> sizes;
  std::int64_t next = 0;
  gathered.hand_over([&](std::string_view sql, std::span<const sql::Parameter> parameters) {
    BOOST_TEST(sql.starts_with(kPlain));
    BOOST_TEST(static_cast<std::size_t>(std::count(sql.begin(), sql.end(), '?')) == parameters.size());
    sizes.push_back(parameters.size() / 2);
    for (std::size_t i = 0; i < parameters.size(); i += 2, ++next) {
      BOOST_TEST(std::get<std::string_view>(parameters[i].value()) == std::to_string(next));
      BOOST_TEST(std::get<std::int64_t>(parameters[i + 1].value()) == next);
    }
  });
  BOOST_TEST(sizes == (std::vector<std::size_t>{64, 16, 4, 1, 1, 1}), boost::test_tools::per_element());
  BOOST_TEST(gathered.empty());
}

BOOST_AUTO_TEST_CASE(large_rows_go_out_in_small_statements) {
  sql::GatheredInserts gathered;
  const std::string large(600'000, 'x');
  for (int i = 0; i < 5; ++i) BOOST_REQUIRE(gathered.take(kPlain, std::vector<sql::Parameter>{large, i}));
  std::size_t statements = 0;
  gathered.hand_over([&](std::string_view, std::span<const sql::Parameter>) { ++statements; });
  BOOST_TEST(statements == 5u);
}

BOOST_DATA_TEST_CASE(a_query_sees_rows_gathered_before_it, bdata::make(engines()), engine) {
  TestDatabase database(engine);
  database.create_tables();
  const auto session = database->writer();
  session->begin();
  session->gather_inserts();
  for (int i = 0; i < 20; ++i)
    session->run("INSERT INTO t (id, number, note, bytes) VALUES (?, ?, ?, ?)", std::to_string(i), i, std::nullopt,
                 std::vector<std::uint8_t>{0, 1});
  BOOST_TEST(rows_in(*session) == 20);
  session->run("INSERT INTO t (id) VALUES (?)", "20");
  BOOST_TEST(session->run("UPDATE t SET number = 1 WHERE id = '20'") == 1);
  session->run("INSERT INTO t (id) VALUES (?)", "21");
  BOOST_TEST(session->changes_in_transaction() == 23u);
  session->commit();
  BOOST_TEST(database.count("SELECT COUNT(*) FROM t") == 22);
  BOOST_TEST(database.count("SELECT COUNT(*) FROM t WHERE note IS NULL AND number = 7") == 1);
}

BOOST_DATA_TEST_CASE(a_rollback_drops_gathered_rows, bdata::make(engines()), engine) {
  TestDatabase database(engine);
  database.create_tables();
  const auto session = database->writer();
  session->begin();
  session->gather_inserts();
  session->run("INSERT INTO t (id) VALUES (?)", "a");
  session->rollback();
  session->begin();
  session->run("INSERT INTO t (id) VALUES (?)", "b");
  session->commit();
  BOOST_TEST(database.count("SELECT COUNT(*) FROM t") == 1);
}

BOOST_AUTO_TEST_CASE(a_refused_row_spoils_the_gathered_ones) {
  if (MariaDbInstance::skipped()) return;
  TestDatabase database(sql::Dialect::mysql);
  database.create_tables();
  const auto session = database->writer();
  session->begin();
  session->gather_inserts();
  for (const char* id : {"a", "b", "a"}) BOOST_TEST(session->run("INSERT INTO t (id) VALUES (?)", id) == 1);
  BOOST_CHECK_THROW(session->send_gathered(), sql::InsertsRefused);
  session->rollback();
  BOOST_TEST(database.count("SELECT COUNT(*) FROM t") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
