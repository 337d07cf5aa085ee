// What the store may rely on, the same on SQLite and on MariaDB.
#include <limits>
#include <string>
#include <vector>

#include "tests/store/sql/test_database.hpp"

namespace bdata = boost::unit_test::data;
using namespace tideover;
using namespace tideover::tests;
using Kind = sql::SqlError::Kind;

namespace tideover::tests {

// Not in an anonymous namespace: data test cases are templates with linkage, and their lambdas hold it.
struct Opened {
  explicit Opened(sql::Dialect dialect) : database(dialect) {
    database.create_tables();
    session = database->writer();
  }
  TestDatabase database;
  std::unique_ptr<sql::Session> session;
};

}  // namespace tideover::tests

namespace {

const std::string kBytes = std::string("nul \0 inside", 12);

}  // namespace

BOOST_AUTO_TEST_SUITE(store_sql_session)

BOOST_DATA_TEST_CASE(values_come_back_as_they_were_bound, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  const std::vector<std::uint8_t> blob = {0x00, 0xff, 0x80, 0x27, 0x5c, 0x0a, 0x00};
  const std::string text = "Zoë \xF0\x9F\x92\xB6 'quoted' \\back ";
  session.run("INSERT INTO t (id, number, note, bytes) VALUES (?, ?, ?, ?)", "a", 42, text, blob);
  session.run("INSERT INTO t (id, number, note, bytes) VALUES (?, ?, ?, ?)", "b", std::nullopt, std::nullopt,
              std::nullopt);
  session.run("INSERT INTO t (id, number, note, bytes) VALUES (?, ?, ?, ?)", "c", 0, "", std::vector<std::uint8_t>{});
  session.run("INSERT INTO t (id, number, note) VALUES (?, ?, ?)", "d", 1, kBytes);

  auto rows = session.query("SELECT number, note, bytes FROM t ORDER BY id");
  BOOST_REQUIRE(rows.next());
  BOOST_TEST(rows.integer(0) == 42);
  BOOST_TEST(rows.text(1) == text);
  BOOST_TEST(rows.blob(2) == blob, boost::test_tools::per_element());
  BOOST_REQUIRE(rows.next());
  BOOST_TEST(rows.is_null(0));
  BOOST_TEST(!rows.optional_text(1).has_value());
  BOOST_TEST(!rows.optional_blob(2).has_value());
  BOOST_REQUIRE(rows.next());
  BOOST_TEST(rows.optional_integer(0).value() == 0);
  BOOST_TEST(rows.text(1).empty());
  BOOST_TEST(rows.blob(2).empty());
  BOOST_REQUIRE(rows.next());
  BOOST_TEST(rows.text(1) == kBytes);
  BOOST_TEST(!rows.next());
  BOOST_TEST(!rows.next());
}

BOOST_DATA_TEST_CASE(every_byte_survives_in_blobs_and_keys, bdata::make(engines()), engine) {
  Opened opened(engine);
  std::vector<std::uint8_t> every(256);
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<std::uint8_t>(i);
  opened.session->run("INSERT INTO t (id, bytes) VALUES (?, ?)", "a", every);
  const auto found =
      opened.session->first([](const sql::Row& row) { return row.text(0); }, "SELECT id FROM t WHERE bytes = ?", every);
  BOOST_TEST(found.value() == "a");
}

BOOST_DATA_TEST_CASE(a_large_blob_survives, bdata::make(engines()), engine) {
  Opened opened(engine);
  std::vector<std::uint8_t> large(3U << 20);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::uint8_t>(i * 31 + (i >> 8));
  opened.session->run("INSERT INTO t (id, bytes, note) VALUES (?, ?, ?)", "a", large, std::string(2U << 20, 'x'));
  auto rows = opened.session->query("SELECT bytes, note FROM t");
  BOOST_REQUIRE(rows.next());
  BOOST_TEST((rows.blob(0) == large));
  BOOST_TEST(rows.text(1).size() == 2U << 20);
}

BOOST_DATA_TEST_CASE(integers_keep_all_64_bits_also_in_sums,
                     bdata::make(engines()) *
                         bdata::make({std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max(), std::int64_t{9'007'199'254'740'993}}),
                     engine, value) {
  Opened opened(engine);
  opened.session->run("INSERT INTO t (id, number) VALUES (?, ?)", "a", value);
  auto rows = opened.session->query("SELECT number, SUM(number) FROM t GROUP BY number");
  BOOST_REQUIRE(rows.next());
  BOOST_TEST(rows.integer(0) == value);
  BOOST_TEST(rows.integer(1) == value);
}

BOOST_DATA_TEST_CASE(a_column_of_another_type_is_an_error, bdata::make(engines()), engine) {
  Opened opened(engine);
  opened.session->run("INSERT INTO t (id, number) VALUES (?, ?)", "7", 7);
  auto rows = opened.session->query("SELECT id, number, note FROM t");
  BOOST_REQUIRE(rows.next());
  BOOST_TEST(kind_thrown_by([&] { rows.integer(0); }) == Kind::misuse);
  BOOST_TEST(kind_thrown_by([&] { rows.text(1); }) == Kind::misuse);
  BOOST_TEST(kind_thrown_by([&] { rows.text(2); }) == Kind::misuse);
  BOOST_TEST(kind_thrown_by([&] { rows.integer(3); }) == Kind::misuse);
}

BOOST_DATA_TEST_CASE(text_compares_byte_by_byte, bdata::make(engines()), engine) {
  Opened opened(engine);
  for (const char* id : {"a", "A", "a ", "ab"}) opened.session->run("INSERT INTO t (id, note) VALUES (?, ?)", id, id);
  const auto count = [&](const char* wanted) {
    return *opened.session->first([](const sql::Row& row) { return row.integer(0); },
                                  "SELECT COUNT(*) FROM t WHERE note = ?", wanted);
  };
  BOOST_TEST(count("a") == 1);
  BOOST_TEST(count("A") == 1);
  BOOST_TEST(count("a ") == 1);
  BOOST_TEST(*opened.session->first([](const sql::Row& row) { return row.integer(0); },
                                    "SELECT COUNT(*) FROM t WHERE note LIKE 'a' || '%'") == 3);
}

BOOST_DATA_TEST_CASE(affected_rows_are_the_rows_that_matched, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  BOOST_TEST(session.run("INSERT INTO account (id, cents) VALUES (1, 5), (2, 5)") == 2);
  BOOST_TEST(session.run("UPDATE account SET cents = ? WHERE id = ?", 5, 1) == 1);  // the same value again
  BOOST_TEST(session.run("UPDATE account SET cents = ? WHERE id = ?", 6, 3) == 0);
  BOOST_TEST(session.run("DELETE FROM account") == 2);
  BOOST_TEST(session.run("DELETE FROM account WHERE id = 1") == 0);
}

BOOST_DATA_TEST_CASE(an_error_says_its_kind_and_its_statement_but_no_value, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  session.run("INSERT INTO t (id) VALUES (?)", "secret-1");
  try {
    session.run("INSERT INTO t (id) VALUES (?)", "secret-1");
    BOOST_FAIL("the second insert must fail");
  } catch (const sql::SqlError& error) {
    const std::string message = error.what();
    BOOST_TEST(error.kind == Kind::unique_violation);
    BOOST_TEST(message.find("INSERT INTO t (id)") != std::string::npos);
    BOOST_TEST(message.find("secret") == std::string::npos);
  }
  BOOST_TEST(kind_thrown_by([&] { session.run("INSERT INTO payment (id, account_id) VALUES (1, 99)"); }) ==
             Kind::foreign_key);
  BOOST_TEST(kind_thrown_by([&] { session.run("INSERT INTO account (id, cents) VALUES (1, ?)", -1); }) ==
             Kind::check_violation);
  BOOST_TEST(kind_thrown_by([&] { session.run("INSERT INTO account (id, cents) VALUES (1, ?)", std::nullopt); }) ==
             Kind::check_violation);
  BOOST_TEST(kind_thrown_by([&] { session.run("INSERT INTO nowhere VALUES (1)"); }) == Kind::misuse);
  BOOST_TEST(kind_thrown_by([&] { session.run(sql::Sql::composed("DELETE FROM t WHERE id = ?")); }) == Kind::misuse);
  // The cached statement is as good as new after its failure.
  BOOST_TEST(session.run("INSERT INTO t (id) VALUES (?)", "other") == 1);
  BOOST_TEST(session.usable());
}

BOOST_DATA_TEST_CASE(run_refuses_reading_and_query_refuses_writing, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  BOOST_TEST(kind_thrown_by([&] { session.run("SELECT 1"); }) == Kind::misuse);
  BOOST_TEST(session.query("\n  select 1").next());
  BOOST_TEST(kind_thrown_by([&] { session.query("INSERT INTO t (id) VALUES ('a') RETURNING id"); }) == Kind::misuse);
  BOOST_TEST(opened.database.count("SELECT COUNT(*) FROM t") == 0);
}

BOOST_DATA_TEST_CASE(a_statement_cannot_be_executed_while_its_rows_are_read, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  constexpr const char* kSelect = "SELECT id FROM t";
  session.run("INSERT INTO t (id) VALUES ('a'), ('b')");
  {
    auto rows = session.query(kSelect);
    BOOST_REQUIRE(rows.next());
    BOOST_TEST(kind_thrown_by([&] { session.query(kSelect); }) == Kind::misuse);
    // Another statement may run in between.
    BOOST_TEST(session.run("UPDATE t SET number = 1 WHERE id = ?", rows.text(0)) == 1);
    BOOST_TEST(rows.next());
  }
  std::size_t seen = 0;
  for (const sql::Row& row : session.query(kSelect)) seen += row.text(0).size();
  BOOST_TEST(seen == 2U);
}

BOOST_DATA_TEST_CASE(rollback_leaves_nothing_and_commit_everything, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  session.begin();
  session.run("INSERT INTO t (id) VALUES ('gone')");
  session.rollback();
  session.rollback();
  session.begin();
  session.run("INSERT INTO t (id) VALUES ('kept')");
  BOOST_TEST(kind_thrown_by([&] { session.begin(); }) == Kind::misuse);
  session.commit();
  BOOST_TEST(kind_thrown_by([&] { session.commit(); }) == Kind::misuse);
  const auto reader = opened.database->reader();
  std::vector<std::string> ids;
  for (const sql::Row& row : reader->query("SELECT id FROM t")) ids.push_back(row.text(0));
  BOOST_TEST(ids == std::vector<std::string>{"kept"}, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(a_savepoint_undoes_only_later_changes, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  session.begin();
  for (int i = 0; i < 3; ++i) {
    session.savepoint();
    session.run("INSERT INTO account (id, cents) VALUES (?, 0)", i);
    if (i == 1) session.rollback_to_savepoint();
    session.release_savepoint();
  }
  session.commit();
  std::vector<std::int64_t> ids;
  for (const sql::Row& row : session.query("SELECT id FROM account ORDER BY id")) ids.push_back(row.integer(0));
  BOOST_TEST(ids == (std::vector<std::int64_t>{0, 2}), boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(the_session_counts_the_writes_of_a_transaction, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  session.run("INSERT INTO account (id, cents) VALUES (1, 0)");
  session.begin();
  BOOST_TEST(session.changes_in_transaction() == 0U);
  for (const sql::Row& row : session.query("SELECT id FROM account")) BOOST_TEST(row.integer(0) == 1);
  session.run("UPDATE account SET cents = 1 WHERE id = 2");
  BOOST_TEST(session.changes_in_transaction() == 0U);
  session.run("INSERT INTO account (id, cents) VALUES (2, 0), (3, 0)");
  BOOST_CHECK_THROW(session.run("INSERT INTO account (id, cents) VALUES (3, 0)"), sql::SqlError);
  BOOST_TEST(session.changes_in_transaction() == 2U);
  session.rollback();
}

BOOST_DATA_TEST_CASE(a_reader_sees_one_snapshot_however_long_it_lasts, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  const auto count = [](sql::Session& on) {
    return *on.first([](const sql::Row& row) { return row.integer(0); }, "SELECT COUNT(*) FROM account");
  };
  session.run("INSERT INTO account (id, cents) VALUES (1, 0)");
  const auto early = opened.database->reader();
  BOOST_TEST(count(*early) == 1);
  session.begin();
  session.run("INSERT INTO account (id, cents) VALUES (2, 0)");
  BOOST_TEST(count(*opened.database->reader()) == 1);  // not committed yet
  session.commit();
  BOOST_TEST(count(*opened.database->reader()) == 2);
  BOOST_TEST(count(*early) == 1);
}

BOOST_DATA_TEST_CASE(a_reader_cannot_write, bdata::make(engines()), engine) {
  Opened opened(engine);
  const auto reader = opened.database->reader();
  BOOST_CHECK_THROW(reader->run("INSERT INTO t (id) VALUES ('a')"), sql::SqlError);
}

BOOST_DATA_TEST_CASE(readers_are_lent_up_to_the_limit_and_reused, bdata::make(engines()), engine) {
  TestDatabase unused(engine);
  sql::DatabaseOptions options = unused.options();
  TemporaryFolder folder;
  if (engine == sql::Dialect::sqlite) options.engine = sql::SqliteOptions{folder / "own.db"};
  options.max_readers = 1;
  options.reader_wait = std::chrono::milliseconds(10);
  const auto database = sql::Database::open(options);
  const sql::Session* first = nullptr;
  {
    const auto lease = database->reader();
    first = &*lease;
    BOOST_TEST(kind_thrown_by([&] { database->reader(); }) == Kind::conflict);
  }
  const auto again = database->reader();
  BOOST_TEST(&*again == first);
}

BOOST_DATA_TEST_CASE(memory_of_a_transaction_ends_with_it, bdata::make(engines()), engine) {
  Opened opened(engine);
  sql::Session& session = *opened.session;
  const auto number = [&]() -> int& { return session.memory().of<int>(); };
  session.begin();
  BOOST_TEST(number() == 0);
  number() = 1;
  session.commit();
  session.begin();
  BOOST_TEST(number() == 1);
  number() = 2;
  session.savepoint();
  number() = 3;
  session.rollback_to_savepoint();
  BOOST_TEST(number() == 2);
  session.rollback();
  session.begin();
  BOOST_TEST(number() == 1);
  session.memory().forget();
  session.rollback();
  session.begin();
  BOOST_TEST(number() == 0);
  session.rollback();
}

BOOST_AUTO_TEST_SUITE_END()
