// The remittance advice of a payout to a practice, as its billing system gets it.
#include "tests/rest/money/x12_reader.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

BOOST_AUTO_TEST_SUITE(payout_advice)

BOOST_AUTO_TEST_CASE(a_practice_gets_the_advice_of_its_payout_in_each_format) {
  World world(Store::sqlite,
              [](ServiceFolder& folder) { folder.set("remittance_advice.payer_name", "Example Funder"); });
  const ApiClient& api = *world.api;
  fund(api, "CLM-1");
  expect_ok(api.post("/v1/deposits", deposit_body("T1", "790.00")));
  expect_ok(api.post("/v1/remittances", remittance_body("T1", "CLM-1", "790.00")));
  expect_ok(api.post("/v1/payees/1999999984/account", R"({"payout_account_token": "tok_ok"})"));
  const Json payout = expect_ok(api.post_nothing("/v1/payees/1999999984/payouts"));
  const std::string id = payout.text("/transfer_id"), path = "/v1/payouts/" + id + "/advice";
  const auto as = [&](const std::string& type) { return api.get(path, {{"Accept", type}}); };

  const Json json = expect_ok(api.get(path));
  BOOST_TEST(json.text("/transfer_id") == id);
  BOOST_TEST(json.text("/payer_name") == "Example Funder");
  BOOST_TEST(json.flag("/simulated"));
  BOOST_TEST(json.size("/lines") == 1u);
  BOOST_TEST(json.text("/lines/0/claim_identifier") == "CLM-1");
  BOOST_TEST(json.cents("/lines/0/payer_payment") == 79'000);
  BOOST_TEST(json.cents("/totals/amount") == 13'720);

  const Answer csv = as("text/csv");
  BOOST_TEST(csv.header("Content-Type") == "text/csv; charset=utf-8; header=present");
  BOOST_TEST(csv.body.find("advanced_claim,CLM-1,") != std::string::npos, csv.body);
  BOOST_TEST(csv.body.find(",790.00,640.00,12.80,0.00,137.20\r\n") != std::string::npos, csv.body);

  const Answer x12 = as("application/edi-x12");
  BOOST_TEST(x12.status == 200);
  BOOST_TEST(x12.header("Content-Type") == "application/edi-x12");
  const auto payments = read_835(x12.body);
  BOOST_REQUIRE(payments.size() == 1u);
  BOOST_TEST(payments.front().amount_cents == 13'720);
  BOOST_TEST(payments.front().trace == id);
  BOOST_REQUIRE(payments.front().claims.size() == 1u);
  BOOST_TEST(payments.front().claims.front().identifier == "CLM-1");
  BOOST_TEST(payments.front().claims.front().charge_cents == 79'000);  // no adjustments explain the rest of the charge
  BOOST_TEST(payments.front().claims.front().paid_cents == 79'000);
  BOOST_TEST(x12.body.find("*AP:CLM-1*640*AH:CLM-1*12.8~") != std::string::npos, x12.body);
  BOOST_TEST(as("application/edi-x12").body == x12.body);

  const Answer pdf = as("application/pdf");
  BOOST_TEST(pdf.header("Content-Type") == "application/pdf");
  BOOST_TEST(pdf.body.starts_with("%PDF-"));
  for (const auto& body : {api.get(path).body, csv.body, x12.body, pdf.body})
    BOOST_TEST(body.find("tok_ok") == std::string::npos);

  expect_error(as("text/html"), 406, "not_acceptable");
  expect_error(api.get(path + "?limit=1"), 400, "invalid_parameter");
  expect_error(api.get("/v1/payouts/trf_01M9ZP58B00000000000000042/advice"), 404, "not_found");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
