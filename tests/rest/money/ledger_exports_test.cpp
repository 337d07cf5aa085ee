// Exports of the ledger for accountants, and the close of periods, as clients meet them.
#include <algorithm>
#include <sstream>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

/// One settlement funded and paid by its payer, one that still waits.
void export_books(World& world) {
  fund(*world.api, "CLM-1");
  expect_ok(world.api->post("/v1/deposits", deposit_body("T1", "790.00")));
  expect_ok(world.api->post("/v1/remittances", remittance_body("T1", "CLM-1", "790.00")));
  fund(*world.api, "CLM-2");
}

Answer as(const World& world, const std::string& path, const std::string& type) {
  return world.api->get(path, {{"Accept", type}});
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

BOOST_AUTO_TEST_SUITE(ledger_exports)

BOOST_AUTO_TEST_CASE(balances_and_journal_come_as_json_csv_and_json_lines_with_account_codes) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("ledger.accounts", R"({"purchased_receivable:*": "1200 Purchased, open", "fee_income": "4100"})");
  });
  export_books(world);
  const Answer csv = as(world, "/v1/ledger/balances", "text/csv");
  BOOST_TEST(csv.status == 200);
  BOOST_TEST(csv.header("Content-Type") == "text/csv; charset=utf-8; header=present");
  const auto rows = lines_of(csv.body);
  BOOST_REQUIRE(rows.size() == 7u);
  BOOST_TEST(rows[0] == "account,account_code,account_name,posted,pending\r");
  BOOST_TEST(rows[2] == "fee_income,4100,,-12.80,0.00\r");
  BOOST_TEST(rows[5].ends_with(",1200,\"Purchased, open\",640.00,0.00\r"), rows[5]);  // the paid one is not listed
  BOOST_TEST(lines_of(as(world, "/v1/ledger/balances?include=zero", "text/csv").body).size() == 8u);

  const Answer lines = as(world, "/v1/ledger/balances?limit=2", "application/x-ndjson");
  BOOST_TEST(lines.header("Content-Type") == "application/x-ndjson");
  BOOST_TEST(lines_of(lines.body).size() == 2u);
  BOOST_TEST(lines_of(lines.body)[1] ==
             R"({"account":"fee_income","account_code":"4100","posted":-12.80,"pending":0.00})");
  const std::string cursor = expect_ok(world.api->get("/v1/ledger/balances?limit=2")).text("/next_cursor");
  BOOST_TEST(lines.header("Link") == "</v1/ledger/balances?limit=2&cursor=" + cursor + ">; rel=\"next\"");
  const Json json = expect_ok(world.api->get("/v1/ledger/balances"));
  BOOST_TEST(json.text("/data/1/account_code") == "4100");
  expect_error(world.api->get("/v1/ledger/balances?include=all"), 400, "invalid_parameter");
  expect_error(world.api->get("/v1/ledger/balances?as_of=today"), 400, "invalid_parameter");
  BOOST_TEST(expect_ok(world.api->get("/v1/ledger/balances?as_of=2020-01-01")).at("/data").Empty());
}

BOOST_AUTO_TEST_CASE(pages_of_the_journal_hold_every_posted_entry_once) {
  World world;
  export_books(world);
  std::string path = "/v1/ledger/journal?limit=2", whole;
  std::int64_t debits = 0, credits = 0;
  std::size_t rows = 0;
  while (!path.empty()) {
    const Answer page = as(world, path, "text/csv");
    BOOST_REQUIRE(page.status == 200);
    const auto lines = lines_of(page.body);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const auto cells = cells_of(lines[i]);
      const auto cents = [](std::string amount) {
        amount.erase(std::remove(amount.begin(), amount.end(), '.'), amount.end());
        return amount.empty() ? 0 : std::stoll(amount);
      };
      debits += cents(cells.at(10));
      credits += cents(cells.at(11));
      ++rows;
    }
    const auto link = page.header("Link");
    path = link.empty() ? "" : link.substr(1, link.find('>') - 1);
  }
  BOOST_TEST(debits == credits);
  BOOST_TEST(rows == 10u);  // two disbursements, a deposit, a reconciliation of four entries
  const Json first = expect_ok(world.api->get("/v1/ledger/journal?limit=1"));
  BOOST_TEST(first.text("/data/0/effective_on").size() == 10u);
  BOOST_TEST(first.flag("/has_more"));
  expect_error(world.api->get("/v1/ledger/journal?cursor=x"), 400, "invalid_cursor");
  BOOST_TEST(lines_of(as(world, "/v1/ledger/journal", "application/x-ndjson").body).size() == 10u);
}

BOOST_AUTO_TEST_CASE(a_statement_of_a_practice_begins_and_ends_with_its_balance) {
  World world;
  export_books(world);
  const std::string path = "/v1/ledger/statement?payee_npi=1999999984&from=" + day(-9) + "&to=" + day(9);
  const Json json = expect_ok(world.api->get(path));
  BOOST_TEST(cents_of(json.at("/opening")) == 0);
  BOOST_TEST(cents_of(json.at("/closing")) == 13'720);
  BOOST_TEST(json.text("/data/0/reason") == "reconciliation");
  const auto rows = lines_of(as(world, path, "text/csv").body);
  BOOST_REQUIRE(rows.size() == 4u);
  BOOST_TEST(rows[1].starts_with("opening,"), rows[1]);
  BOOST_TEST(rows[3].starts_with("closing,"), rows[3]);
  BOOST_TEST(rows[3].ends_with(",137.20\r"), rows[3]);
  expect_error(world.api->get("/v1/ledger/statement?payee_npi=1"), 400, "invalid_parameter");
  const auto aging = lines_of(as(world, "/v1/ledger/aging", "text/csv").body);
  BOOST_REQUIRE(aging.size() == 3u);
  BOOST_TEST(aging[2] == "total,1,640.00,0.00,0.00,0.00,0.00,640.00\r");
}

BOOST_AUTO_TEST_CASE(a_month_that_has_not_ended_is_not_closed) {
  World world;
  export_books(world);
  const auto month = day(0).substr(0, 7);
  expect_error(world.api->post("/v1/ledger/periods/" + month + "/close", ""), 409, "invalid_state");
  expect_error(world.api->post("/v1/ledger/periods/2026-1/close", ""), 400, "invalid_parameter");
  // The month before has no transactions: it can be closed, and twice is once.
  const auto last = day(-32).substr(0, 7);
  const Json closed = expect_ok(world.api->post("/v1/ledger/periods/" + last + "/close", ""));
  BOOST_TEST(closed.text("/status") == "closed");
  BOOST_TEST(closed.text("/balances_sha256").size() == 64u);
  expect_ok(world.api->post("/v1/ledger/periods/" + last + "/close", ""));
  BOOST_TEST(expect_ok(world.api->get("/v1/ledger/periods")).text("/data/0/period") == last);
  BOOST_TEST(expect_ok(world.api->post("/v1/ledger/periods/" + last + "/reopen", "")).text("/status") == "open");
  BOOST_TEST(expect_ok(world.api->get("/v1/ledger/periods")).at("/data").Empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
