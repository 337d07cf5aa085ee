// What a payer leaves to the provider is paid out over the rail: on request, or as soon as it is posted, and the
// statement ties.
#include <thread>
#include <vector>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

/// An advance whose payer has paid 790.00: 137.20 are the provider's.
std::string paid(const ApiClient& api, const std::string& claim, const std::string& rail) {
  const std::string settlement = fund(api, claim, rail), trace = "TRN-" + claim;
  expect_ok(api.post("/v1/remittances", remittance_body(trace, claim, "790.00")));
  expect_ok(api.post("/v1/deposits", deposit_body(trace, "790.00")));
  return settlement;
}

Json reconciliation(const ApiClient& api, const std::string& settlement) {
  return expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation"));
}

BOOST_AUTO_TEST_SUITE(payouts)

BOOST_DATA_TEST_CASE(a_residual_is_paid_out_on_request,
                     data::make(stores()) * data::make({"RTP", "SAME_DAY", "FUTURE_DATE"}), store, rail) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string settlement = paid(api, "CLM-1", rail), target = "/v1/settlements/" + settlement + "/payouts";
  BOOST_TEST(reconciliation(api, settlement).cents("/residual_due") == 13'720);

  const Answer answer = api.send("POST", target, {{"Idempotency-Key", "k1"}}, "");
  const Json payout = expect_ok(answer);
  BOOST_TEST(payout.cents("/amount") == 13'720);
  BOOST_TEST(payout.text("/rail") == rail);
  BOOST_TEST(api.send("POST", target, {{"Idempotency-Key", "k1"}}, "").body == answer.body);
  const Json refused = expect_error(api.send("POST", target, {{"Idempotency-Key", "k2"}}, ""), 409, "invalid_state");
  BOOST_TEST(refused.cents("/details/residual_due") == 0);

  const Json whole = reconciliation(api, settlement);
  BOOST_TEST(whole.cents("/residual_paid_out") == 13'720);
  BOOST_TEST(whole.cents("/residual_due") == 0);
  BOOST_REQUIRE(whole.size("/payouts") == 1u);
  BOOST_TEST(whole.text("/payouts/0/transfer_id") == payout.text("/transfer_id"));
  const Book book = book_of(api);
  BOOST_TEST(book.posted_in("provider_payable") == 0);
  BOOST_TEST(book.posted_in("funding_cash") == -64'000 - 13'720);
  BOOST_TEST(book.pending_sum == 0);
  const std::string statement = api.get("/v1/statements?format=csv&from=" + day(-1) + "&to=" + day(1)).body;
  BOOST_TEST(statement.find("payout,137.20,0.00") != std::string::npos, statement);
}

BOOST_DATA_TEST_CASE(residuals_are_paid_out_at_once_where_the_operator_says_so, data::make(stores()), store) {
  World world(store, [](ServiceFolder& folder) { folder.set("funding.residual_payouts", "at_once"); });
  const ApiClient& api = *world.api;
  std::vector<std::string> settlements;
  for (int i = 0; i < 8; ++i)
    settlements.push_back(paid(api, "CLM-" + std::to_string(i), i % 2 == 0 ? "RTP" : "SAME_DAY"));
  for (const auto& settlement : settlements)
    BOOST_TEST(eventually([&] { return reconciliation(api, settlement).cents("/residual_paid_out") == 13'720; }),
               settlement);
  BOOST_TEST(book_of(api).posted_in("provider_payable") == 0);
  BOOST_TEST(book_of(api).posted_in("funding_cash") == -8 * (64'000 + 13'720));
  BOOST_TEST(expect_ok(api.get("/v1/tasks?status=open")).size("/data") == 0u);
  const CommandResult rails = run_tideover({"rails", "reconcile", "--config", world.folder.config_file().string()});
  BOOST_TEST(rails.exit_code == 0, rails.out + rails.err);
}

BOOST_AUTO_TEST_CASE(a_service_that_does_not_pay_out_says_so) {
  World world(Store::sqlite, [](ServiceFolder& folder) { folder.set("funding.residual_payouts", "never"); });
  const std::string settlement = paid(*world.api, "CLM-1", "RTP");
  expect_error(world.api->post_nothing("/v1/settlements/" + settlement + "/payouts"), 409, "invalid_state");
  BOOST_TEST(reconciliation(*world.api, settlement).cents("/residual_due") == 13'720);
}

BOOST_FIXTURE_TEST_CASE(of_ten_payouts_at_once_without_a_key_one_pays_and_no_other_names_a_key, World) {
  const std::string target = "/v1/settlements/" + paid(*api, "CLM-1", "RTP") + "/payouts";
  std::vector<Answer> answers(10);
  std::vector<std::thread> callers;
  for (auto& answer : answers) callers.emplace_back([&] { answer = api->post_nothing(target); });
  for (auto& caller : callers) caller.join();
  int made = 0;
  for (const auto& answer : answers) {
    made += answer.status == 200;
    if (answer.status == 200) continue;
    const auto error = answer.json().text("/error");
    BOOST_TEST(answer.status == 409);
    BOOST_TEST((error == "conflict" || error == "invalid_state"), error);  // the latter: nothing is due any more
  }
  BOOST_TEST(made == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
