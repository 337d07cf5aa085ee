// What only a server can do to us: deadlocks, lost connections, missing encryption.
#include <atomic>
#include <barrier>
#include <future>
#include <thread>

#include "core/store/committer/committer.hpp"
#include "core/store/sql/mysql_error.hpp"
#include "core/store/sql/mysql_session.hpp"
#include "tests/store/sql/test_database.hpp"
#include "tests/support/commit_proxy/commit_proxy.hpp"

using namespace tideover;
using namespace tideover::store;
using namespace tideover::tests;
using Kind = sql::SqlError::Kind;

namespace {

boost::test_tools::assertion_result mariadb_is_wanted(boost::unit_test::test_unit_id) {
  boost::test_tools::assertion_result wanted(!MariaDbInstance::skipped());
  wanted.message() << "TIDEOVER_TEST_MARIADB=skip";
  return wanted;
}

std::int64_t connection_id(sql::Session& session) {
  return *session.first([](const sql::Row& row) { return row.integer(0); }, "SELECT CONNECTION_ID()");
}

void kill_connection(std::int64_t id) {
  sql::open_mysql_session(mariadb().options(), sql::MySqlRole::writer)
      ->execute(sql::Sql::composed("KILL CONNECTION " + std::to_string(id)));
}

std::string variable(sql::Session& session, const char* name) {
  return *session.first([](const sql::Row& row) { return row.text(1); },
                        "SHOW SESSION VARIABLES WHERE Variable_name = ?", name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_mysql, *boost::unit_test::precondition(mariadb_is_wanted))

BOOST_AUTO_TEST_CASE(the_session_states_everything_that_it_relies_on) {
  TestDatabase database(sql::Dialect::mysql);
  const auto writer = database->writer();
  BOOST_TEST(variable(*writer, "tx_isolation") == "READ-COMMITTED");
  BOOST_TEST(variable(*writer, "time_zone") == "+00:00");
  BOOST_TEST(variable(*writer, "collation_connection") == "utf8mb4_nopad_bin");
  BOOST_TEST(variable(*writer, "innodb_snapshot_isolation") == "ON");
  BOOST_TEST(variable(*writer, "innodb_lock_wait_timeout") == "5");
  BOOST_TEST(variable(*writer, "sql_mode").find("STRICT_ALL_TABLES") != std::string::npos);
}

BOOST_DATA_TEST_CASE(a_plaintext_server_is_refused_when_tls_is_required, boost::unit_test::data::make({false, true}),
                     verify) {
  sql::MySqlOptions options = mariadb().options();
  options.tls.required = true;
  options.tls.verify_server = verify;
  try {
    sql::open_mysql_session(options, sql::MySqlRole::writer);
    BOOST_FAIL("a plaintext connection was accepted");
  } catch (const sql::SqlError& error) {
    BOOST_TEST_MESSAGE(error.what());
    BOOST_TEST(std::string(error.what()).find("127.0.0.1") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_verified_server_is_accepted_and_an_impostor_refused) {
  MariaDbInstance server(MariaDbInstance::Encryption::tls);
  sql::MySqlOptions options = server.options();
  options.tls.verify_server = true;
  options.tls.ca_file = server.certificate_file();
  const auto session = sql::open_mysql_session(options, sql::MySqlRole::writer);
  BOOST_TEST(session->query("SELECT 1").next());

  const MariaDbInstance impostor(MariaDbInstance::Encryption::tls);
  options.port = impostor.options().port;
  BOOST_TEST(kind_thrown_by([&] { sql::open_mysql_session(options, sql::MySqlRole::writer); }) == Kind::misuse);
  options.port = server.options().port;
  options.host = "127.1";  // the same address; the certificate is for 127.0.0.1 as it is written
  BOOST_TEST(kind_thrown_by([&] { sql::open_mysql_session(options, sql::MySqlRole::writer); }) == Kind::misuse);
}

BOOST_AUTO_TEST_CASE(without_a_ca_file_the_systems_authorities_decide) {
  const MariaDbInstance server(MariaDbInstance::Encryption::tls);
  sql::MySqlOptions options = server.options();
  options.tls.verify_server = true;
  BOOST_TEST(kind_thrown_by([&] { sql::open_mysql_session(options, sql::MySqlRole::writer); }) == Kind::misuse);

  ::setenv("SSL_CERT_FILE", server.certificate_file().c_str(), 1);  // where OpenSSL finds the system's authorities
  const auto session = sql::open_mysql_session(options, sql::MySqlRole::writer);
  ::unsetenv("SSL_CERT_FILE");
  BOOST_TEST(session->query("SELECT 1").next());
}

BOOST_AUTO_TEST_CASE(a_connection_that_does_not_come_about_now_may_later) {
  for (const int code : {1040, 1203, 1226, 2002, 2003, 2005, 2013, 2014, 2027})
    BOOST_TEST((sql::kind_of_mysql_error(code) == Kind::connection_lost), code);
  for (const int code : {1044, 1045, 1049, 2026}) BOOST_TEST((sql::kind_of_mysql_error(code) == Kind::misuse), code);
}

BOOST_AUTO_TEST_CASE(wrong_credentials_are_refused_at_opening_without_showing_the_password) {
  sql::DatabaseOptions options;
  sql::MySqlOptions server = mariadb().options();
  server.password = "hunter2";
  options.engine = server;
  try {
    sql::Database::open(options);
    BOOST_FAIL("wrong credentials were accepted");
  } catch (const sql::SqlError& error) {
    BOOST_TEST(error.kind == Kind::misuse);
    BOOST_TEST(std::string(error.what()).find("hunter2") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_statement_is_prepared_once_for_its_connection) {
  TestDatabase database(sql::Dialect::mysql);
  database.create_tables();
  const auto writer = database->writer();
  const auto prepared = [&] {
    return *writer->first([](const sql::Row& row) { return row.text(1); },
                          "SHOW SESSION STATUS LIKE 'Com_stmt_prepare'");
  };
  const auto insert = [&](int id) { writer->run("INSERT INTO account (id, cents) VALUES (?, 0)", id); };
  insert(1);
  const auto before = prepared();
  for (int id = 2; id < 20; ++id) insert(id);
  BOOST_TEST(prepared() == before);
}

BOOST_AUTO_TEST_CASE(a_server_that_hangs_is_given_up_in_time) {
  sql::MySqlOptions options = mariadb().options();
  options.read_timeout_s = 1;
  const auto session = sql::open_mysql_session(options, sql::MySqlRole::reader);
  const auto started = std::chrono::steady_clock::now();
  BOOST_TEST(kind_thrown_by([&] { session->query("SELECT SLEEP(30)").next(); }) == Kind::connection_lost);
  BOOST_TEST((std::chrono::steady_clock::now() - started < std::chrono::seconds(10)));
  BOOST_TEST(!session->usable());
}

BOOST_AUTO_TEST_CASE(a_server_that_turned_read_only_is_left_until_it_writes_again) {
  MariaDbInstance server;
  sql::MySqlOptions options = server.create_database("read_only");
  const auto admin = sql::open_mysql_session(options, sql::MySqlRole::writer);
  admin->execute("CREATE TABLE account (id BIGINT PRIMARY KEY) ENGINE=InnoDB");
  admin->execute("CREATE USER 'plain'@'127.0.0.1' IDENTIFIED BY 'loopback-test-only'");
  admin->execute("GRANT SELECT, INSERT ON *.* TO 'plain'@'127.0.0.1'");
  options.user = "plain";
  options.password = "loopback-test-only";
  const auto open = [&] { return sql::open_mysql_session(options, sql::MySqlRole::writer); };
  const auto insert = [](int id) {
    return [id](sql::Session& session) {
      session.run("INSERT INTO account (id) VALUES (?)", id);
      return UnitVerdict::keep;
    };
  };
  Committer impatient(open, {.reconnect_time = std::chrono::milliseconds(1)});
  Committer patient(open, {.reconnect_time = std::chrono::seconds(60)});
  admin->execute("SET GLOBAL read_only = ON");
  BOOST_TEST(impatient.commit(insert(1)).error.value() == Kind::connection_lost);
  auto waiting = std::async(std::launch::async, [&] { return patient.commit(insert(2)); });
  admin->execute("SET GLOBAL read_only = OFF");
  BOOST_TEST(waiting.get().committed());
  BOOST_TEST(impatient.commit(insert(3)).committed());
}

BOOST_AUTO_TEST_CASE(a_killed_connection_is_never_revived) {
  TestDatabase database(sql::Dialect::mysql);
  const auto session = database->writer();
  kill_connection(connection_id(*session));
  BOOST_TEST(kind_thrown_by([&] { session->query("SELECT 1"); }) == Kind::connection_lost);
  BOOST_TEST(!session->usable());
}

BOOST_AUTO_TEST_CASE(a_reader_that_died_while_idle_is_replaced_silently) {
  TestDatabase database(sql::Dialect::mysql);
  std::int64_t id = 0;
  {
    const auto reader = database->reader();
    id = connection_id(*reader);
  }
  kill_connection(id);
  const auto reader = database->reader();
  BOOST_TEST(connection_id(*reader) != id);
}

BOOST_AUTO_TEST_CASE(units_of_a_connection_lost_before_commit_are_run_again) {
  TestDatabase database(sql::Dialect::mysql);
  database.create_tables();
  Committer committer([&] { return database->writer(); }, {});
  int runs = 0;
  const CommitReport report = committer.commit([&](sql::Session& session) {
    session.run("INSERT INTO account (id, cents) VALUES (1, 0)");
    if (++runs == 1) kill_connection(connection_id(session));
    session.run("INSERT INTO account (id, cents) VALUES (2, 0)");
    return UnitVerdict::keep;
  });
  BOOST_TEST(report.committed());
  BOOST_TEST(runs == 2);
  BOOST_TEST(database.count("SELECT COUNT(*) FROM account") == 2);
  BOOST_TEST(committer.stats().reconnects == 1U);
}

BOOST_AUTO_TEST_CASE(units_wait_for_a_server_that_comes_back_and_fail_when_it_does_not) {
  MariaDbInstance server;
  sql::DatabaseOptions options;
  options.engine = server.create_database("restarted");
  const auto database = sql::Database::open(options);
  database->writer()->execute("CREATE TABLE account (id BIGINT PRIMARY KEY) ENGINE=InnoDB");
  Committer patient([&] { return database->writer(); }, {.reconnect_time = std::chrono::seconds(60)});
  Committer impatient([&] { return database->writer(); }, {.reconnect_time = std::chrono::milliseconds(1)});
  const auto insert = [](int id) {
    return [id](sql::Session& session) {
      session.run("INSERT INTO account (id) VALUES (?)", id);
      return UnitVerdict::keep;
    };
  };
  BOOST_REQUIRE(patient.commit(insert(1)).committed());
  server.kill();
  BOOST_TEST(impatient.commit(insert(2)).error.value() == Kind::connection_lost);
  auto waiting = std::async(std::launch::async, [&] { return patient.commit(insert(3)); });
  server.restart();
  BOOST_TEST(waiting.get().committed());
  BOOST_TEST(impatient.commit(insert(4)).committed());
  const auto reader = database->reader();
  std::vector<std::int64_t> ids;
  for (const sql::Row& row : reader->query("SELECT id FROM account ORDER BY id")) ids.push_back(row.integer(0));
  BOOST_TEST(ids == (std::vector<std::int64_t>{1, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_connection_lost_in_commit_leaves_the_outcome_unknown) {
  TestDatabase database(sql::Dialect::mysql);
  database.create_tables();
  sql::MySqlOptions through_proxy = std::get<sql::MySqlOptions>(database.options().engine);
  CommitProxy proxy(through_proxy.host, through_proxy.port);
  through_proxy.port = proxy.port();
  Committer committer([&] { return sql::open_mysql_session(through_proxy, sql::MySqlRole::writer); }, {});
  const auto insert = [](int id) {
    return [id](sql::Session& session) {
      session.run("INSERT INTO account (id, cents) VALUES (?, 0)", id);
      return UnitVerdict::keep;
    };
  };
  proxy.arm(CommitProxy::Fault::lose_answer);
  const CommitReport report = committer.commit(insert(1));
  BOOST_TEST((report.outcome == CommitOutcome::failed));
  BOOST_TEST(report.error.value() == Kind::commit_unknown);
  BOOST_TEST(committer.commit(insert(2)).committed());
}

// What a Galera node does that gives a transaction up and then forgets to say so.
BOOST_AUTO_TEST_CASE(a_transaction_that_the_server_dropped_in_silence_is_no_half_of_one) {
  TestDatabase database(sql::Dialect::mysql);
  database.create_tables();
  const auto session = database->writer();
  session->begin();
  session->run("INSERT INTO account (id, cents) VALUES (1, 0)");
  session->execute("ROLLBACK");
  session->run("INSERT INTO account (id, cents) VALUES (2, 0)");
  BOOST_TEST(kind_thrown_by([&] { session->commit(); }) == Kind::conflict);
  session->rollback();
  BOOST_TEST(database.count("SELECT COUNT(*) FROM account") == 0);
  session->run("INSERT INTO account (id, cents) VALUES (3, 0)");  // no transaction, so kept at once
  BOOST_TEST(database.count("SELECT COUNT(*) FROM account") == 1);
}

BOOST_AUTO_TEST_CASE(a_batch_that_the_server_dropped_in_silence_runs_again) {
  TestDatabase database(sql::Dialect::mysql);
  database.create_tables();
  for (const bool refused_first : {false, true}) {
    Committer committer([&] { return database->writer(); }, {});
    int runs = 0;
    const int first = refused_first ? 20 : 10;
    const CommitReport report = committer.commit([&](sql::Session& session) {
      session.run("INSERT INTO account (id, cents) VALUES (?, 0)", first);
      ++runs;
      // A refusal behind a change makes the batch run with savepoints, and those go as well.
      if (refused_first && runs == 1) return UnitVerdict::discard;
      if (runs == (refused_first ? 2 : 1)) session.execute("ROLLBACK");
      session.run("INSERT INTO account (id, cents) VALUES (?, 0)", first + 1);
      return UnitVerdict::keep;
    });
    BOOST_TEST(report.committed(), report.message);
    BOOST_TEST(runs == (refused_first ? 3 : 2));
  }
  BOOST_TEST(database.count("SELECT COUNT(*) FROM account") == 4);
}

BOOST_AUTO_TEST_CASE(lanes_that_deadlock_retry_until_both_are_committed) {
  TestDatabase database(sql::Dialect::mysql);
  database.create_tables();
  database->writer()->run("INSERT INTO account (id, cents) VALUES (1, 0), (2, 0)");
  Committer committer([&] { return database->writer(); }, {.lanes = 2, .max_batch_units = 1});
  std::barrier both_hold_one_row(2);
  const auto add_in_order = [&](int first, int second) {
    return [&both_hold_one_row, first, second, runs = 0](sql::Session& session) mutable {
      session.run("UPDATE account SET cents = cents + 1 WHERE id = ?", first);
      if (++runs == 1) both_hold_one_row.arrive_and_wait();
      session.run("UPDATE account SET cents = cents + 1 WHERE id = ?", second);
      return UnitVerdict::keep;
    };
  };
  auto forward = std::async(std::launch::async, [&] { return committer.commit(add_in_order(1, 2)); });
  const CommitReport backward = committer.commit(add_in_order(2, 1));
  BOOST_TEST(forward.get().committed());
  BOOST_TEST(backward.committed());
  BOOST_TEST(database.count("SELECT COUNT(*) FROM account WHERE cents = 2") == 2);
  BOOST_TEST(committer.stats().retries >= 1U);
}

BOOST_AUTO_TEST_CASE(a_unit_that_swallows_a_deadlock_cannot_commit_its_other_half) {
  TestDatabase database(sql::Dialect::mysql);
  database.create_tables();
  const auto first = database->writer();
  const auto second = database->writer();
  first->run("INSERT INTO account (id, cents) VALUES (1, 0), (2, 0)");
  first->begin();
  second->begin();
  second->run("INSERT INTO t (id) VALUES ('lock weight a'), ('lock weight b')");  // so that `first` is the victim
  first->run("UPDATE account SET cents = 1 WHERE id = 1");
  second->run("UPDATE account SET cents = 2 WHERE id = 2");
  auto waiting = std::async(std::launch::async, [&] { second->run("UPDATE account SET cents = 2 WHERE id = 1"); });
  // Whichever comes second closes the circle; the lighter transaction, the first, is rolled back by the server.
  BOOST_TEST(kind_thrown_by([&] { first->run("UPDATE account SET cents = 1 WHERE id = 2"); }) == Kind::conflict);
  BOOST_TEST(kind_thrown_by([&] { first->run("INSERT INTO account (id, cents) VALUES (3, 0)"); }) == Kind::conflict);
  BOOST_TEST(kind_thrown_by([&] { first->commit(); }) == Kind::conflict);
  first->rollback();
  waiting.get();
  second->commit();
  BOOST_TEST(database.count("SELECT COUNT(*) FROM account WHERE cents = 2") == 2);
}

BOOST_AUTO_TEST_CASE(server_messages_are_shown_without_the_values_they_quote) {
  BOOST_TEST(sql::without_values("Duplicate entry 'it's for key 'x'' for key 'uq_name'") ==
             "Duplicate entry '…' for key 'uq_name'");
  BOOST_TEST(sql::without_values("Incorrect integer value: 'abc' for column `t`.`a` at row 1") ==
             "Incorrect integer value: '…' for column `t`.`a` at row 1");
  BOOST_TEST(sql::without_values("Can't connect to server on '10.0.0.7' (115)") ==
             "Can't connect to server on '…' (115)");
  BOOST_TEST(sql::without_values("Can't create table: doesn't fit") == "Can't create table: doesn't fit");
  BOOST_TEST(sql::without_values("Unknown value 'we didn't say' in 'x'") == "Unknown value '…'");
  BOOST_TEST(sql::without_values("Deadlock found") == "Deadlock found");
}

BOOST_AUTO_TEST_SUITE_END()
