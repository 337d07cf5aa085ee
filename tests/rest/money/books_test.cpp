// Statements and the verifications, as clients and operators meet them.
#include <algorithm>

#include "core/store/sql/database.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

CommandResult ask(const World& world, std::vector<std::string> command) {
  command.insert(command.end(), {"--config", world.folder.config_file().string()});
  return run_tideover(command);
}

/// One settlement funded and paid by its payer, one that still waits.
void make_books(World& world) {
  fund(*world.api, "CLM-1");
  expect_ok(world.api->post("/v1/deposits", deposit_body("T1", "790.00")));
  expect_ok(world.api->post("/v1/remittances", remittance_body("T1", "CLM-1", "790.00")));
  fund(*world.api, "CLM-2");
}

std::string statement_path(int from, int to) {
  return "/v1/statements?from=" + day(from) + "&to=" + day(to);
}

BOOST_AUTO_TEST_SUITE(books)

BOOST_DATA_TEST_CASE(a_statement_ties_to_the_ledger_to_the_cent, data::make(stores()), store) {
  World world(store);
  make_books(world);
  const Book book = book_of(*world.api);
  const Json statement = expect_ok(world.api->get(statement_path(-1, 1)));
  std::int64_t closings = 0;
  for (const auto& account : statement.at("/accounts").GetArray()) {
    const std::string name = account["account"].GetString();
    std::int64_t moved = 0;
    for (const auto& movement : account["movements"].GetArray())
      moved += cents_of(movement["debits"]) - cents_of(movement["credits"]);
    BOOST_TEST(cents_of(account["opening"]) == 0, name);
    BOOST_TEST(cents_of(account["closing"]) == moved, name);
    BOOST_TEST(cents_of(account["closing"]) == book.posted_in(name), name);
    closings += moved;
  }
  BOOST_TEST(closings == 0);
  // What was before the period is its opening.
  const Json later = expect_ok(world.api->get(statement_path(1, 2)));
  for (const auto& account : later.at("/accounts").GetArray()) {
    BOOST_TEST(account["movements"].Empty());
    BOOST_TEST(cents_of(account["opening"]) == book.posted_in(account["account"].GetString()));
  }
  BOOST_TEST(expect_ok(world.api->get(statement_path(-9, -8))).at("/accounts").Empty());
}

BOOST_AUTO_TEST_CASE(a_statement_comes_as_csv_by_format_and_by_accept) {
  World world;
  make_books(world);
  const Answer csv = world.api->get(statement_path(0, 0) + "&format=csv");
  BOOST_TEST(csv.status == 200);
  BOOST_TEST(csv.header("Content-Type") == "text/csv; charset=utf-8; header=present");
  BOOST_TEST(
      csv.body.starts_with("account,line,debits,credits,balance\r\ndeposit_clearing,opening,,,0.00\r\ndeposit_clearing,"
                           "deposit,790.00,0.00,\r\n"));
  BOOST_TEST(csv.body.find("fee_income,closing,,,-12.80\r\n") != std::string::npos, csv.body);
  BOOST_TEST(world.api->get(statement_path(0, 0), {{"Accept", "text/csv"}}).body == csv.body);
  BOOST_TEST(world.api->get(statement_path(0, 0) + "&format=json", {{"Accept", "text/csv"}}).json().has("/accounts"));
  expect_error(world.api->get("/v1/ledger/entries", {{"Accept", "text/csv"}}), 406, "not_acceptable");
}

BOOST_AUTO_TEST_CASE(a_period_that_is_none_is_refused_with_every_fault) {
  World world;
  const Json refused =
      expect_error(world.api->get("/v1/statements?from=2026-13-01&format=pdf"), 400, "invalid_parameter");
  BOOST_TEST(refused.at("/details/fields").MemberCount() == 3u);
  expect_error(world.api->get("/v1/statements?from=2026-11-02&to=2026-11-01"), 400, "invalid_parameter");
  const Json undated = expect_error(world.api->get("/v1/statements"), 400, "invalid_parameter");
  BOOST_TEST(undated.text("/details/missing/0") == "from");
  BOOST_TEST(undated.text("/details/missing/1") == "to");
}

BOOST_DATA_TEST_CASE(the_commands_of_the_books_work_while_the_service_runs_and_when_it_does_not, data::make(stores()),
                     store) {
  World world(store);
  make_books(world);
  for (const bool running : {true, false}) {
    if (!running) {
      world.service->ask_to_stop();
      BOOST_REQUIRE(world.service->wait_for_end() == 0);
    }
    const auto ledger = ask(world, {"ledger", "verify"}), audit = ask(world, {"audit", "verify"});
    BOOST_TEST(ledger.exit_code == 0, ledger.out + ledger.err);
    BOOST_TEST(ledger.out.find("all holds") != std::string::npos, ledger.out);
    BOOST_TEST(audit.exit_code == 0, audit.out + audit.err);
    const auto balances = ask(world, {"ledger", "balances"});
    BOOST_TEST(balances.out.find("funding_cash") != std::string::npos, balances.out + balances.err);
    BOOST_TEST(balances.out.find("-1280.00") != std::string::npos, balances.out);
    const auto statement = ask(world, {"ledger", "statement", "--from", day(0), "--to", day(0)});
    BOOST_TEST(statement.out.starts_with("account,line,"), statement.out + statement.err);
    const auto key = ask(world, {"audit", "public-key"});
    BOOST_TEST(key.out.size() == 65u, key.out + key.err);
  }
}

BOOST_AUTO_TEST_CASE(a_stopping_service_writes_a_checkpoint_of_its_chains) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("security.checkpoint_file", (folder.path() / "notes").string());
  });
  make_books(world);
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  const auto notes = read_file(world.folder.path() / "notes");
  const auto last = notes.substr(notes.rfind("tideover-checkpoint-1 "));
  for (const char* part : {" ledger ", " audit ", " sig="}) BOOST_TEST(last.find(part) != std::string::npos, last);
  // Without the newest line an honest book still verifies: it only went on since.
  save_file(world.folder.path() / "notes", notes.substr(0, notes.size() - last.size()));
  BOOST_TEST(ask(world, {"audit", "verify"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(the_audit_trail_names_clients_and_loaded_parts_and_no_patient) {
  World world;
  make_books(world);
  expect_ok(world.api->get("/v1/claims/CLM-1"));
  expect_error(world.api->get("/v1/claims/CLM-UNKNOWN/status"), 404, "claim_not_found");
  const auto job = expect_ok(world.api->post("/v1/imports/claims", file_body("ndjson", claim_body("CLM-FILE") + "\n")))
                       .text("/job_id");
  expect_ok(world.api->get("/v1/imports/claims/" + job));
  expect_error(ApiClient(world.service->port(), "forged").get("/v1/claims/CLM-1"), 401, "token_invalid");
  expect_error(
      ApiClient(world.service->port())
          .post("/v1/oauth/token", R"({"grant_type":"client_credentials","client_id":"x","client_secret":"y"})"),
      401, "invalid_client");
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);

  std::vector<std::string> rows;
  {
    const auto database =
        sql::Database::open({.engine = sql::SqliteOptions{.file = world.folder.path() / "store" / "tideover.db"}});
    const auto reader = database->reader();
    for (const sql::Row& row : reader->query(
             "SELECT CASE WHEN client_id = '' THEN 'no_client' WHEN client_id = ? THEN 'client' ELSE 'other' END "
             "|| ' ' || operation || ' ' || outcome || ' ' || object_id FROM audit_rows",
             world.client.id))
      rows.push_back(row.text(0));
  }
  const auto counted = [&](const std::string& opening) {
    return std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return row.starts_with(opening); });
  };
  BOOST_TEST(counted("client POST /v1/oauth/token ok ") == 1);
  BOOST_TEST(counted("client GET /v1/claims/{claim_id} ok ") == 1);
  BOOST_TEST(counted("client GET /v1/claims/{claim_id}/status claim_not_found ") == 1);
  BOOST_TEST(counted("client GET /v1/imports/claims/{job_id} ok ") == 1);
  BOOST_TEST(counted("no_client GET /v1/claims/{claim_id} token_invalid ") == 1);
  BOOST_TEST(counted("no_client POST /v1/oauth/token invalid_client ") == 1);
  BOOST_TEST(counted("no_client tideover client create ok ") == 1);
  BOOST_TEST(counted("no_client service started ok tideover ") == 1);
  BOOST_TEST(counted("no_client plugin loaded ok ") >= 6);
  BOOST_TEST(counted("no_client rules published ok ") == 1);
  BOOST_TEST(counted("no_client service stopped ok ") == 1);
  for (const auto& row : rows) BOOST_TEST(row.find("CLM-") == std::string::npos, row);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
