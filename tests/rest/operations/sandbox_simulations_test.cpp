// Simulated payments and transfers of the sandbox, and the values that select a later payment.
#include <map>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

struct SimulationWorld {
  World world;

  std::string final_status(const std::string& settlement) const {
    return expect_ok(world.api->get("/v1/settlements/" + settlement + "/reconciliation")).text("/final_status");
  }
  Answer simulate(const std::string& what, const std::string& settlement, const std::string& outcome) const {
    return world.api->post("/v1/sandbox/" + what,
                           R"({"settlement_id":)" + quoted(settlement) + R"(,"outcome":)" + quoted(outcome) + "}");
  }
  void pay(const std::string& settlement, const std::string& outcome) const {
    expect_ok(simulate("remittances", settlement, outcome));
    expect_ok(simulate("deposits", settlement, outcome));
  }
  std::string transfer_of(const std::string& settlement) const {
    return expect_ok(world.api->get("/v1/settlements/" + settlement)).text("/funding/transfer_id");
  }
  std::string funding_status(const std::string& settlement) const {
    return expect_ok(world.api->get("/v1/settlements/" + settlement)).text("/funding/funding_status");
  }
};

BOOST_AUTO_TEST_SUITE(sandbox_simulations)

BOOST_FIXTURE_TEST_CASE(a_payment_as_expected_settles_the_advance, SimulationWorld) {
  const auto id = fund(*world.api, "CLM-S1");
  pay(id, "paid");
  BOOST_TEST(final_status(id) == "settled");
  const auto balance = book_of(*world.api).posted_sum;
  pay(id, "paid");  // the same payment again changes nothing
  BOOST_TEST(book_of(*world.api).posted_sum == balance);
  expect_ok(simulate("remittances", id, "taken_back"));
  BOOST_TEST(final_status(id) == "reversed");
}

BOOST_FIXTURE_TEST_CASE(each_outcome_is_posted, SimulationWorld) {
  const std::map<std::string, std::string> ends{{"short", "settled_short"}, {"overpaid", "settled_over"}};
  for (const auto& [outcome, end] : ends) {
    const auto id = fund(*world.api, "CLM-S2-" + outcome);
    pay(id, outcome);
    BOOST_TEST(final_status(id) == end, outcome);
  }
  const auto denied = fund(*world.api, "CLM-S3");
  expect_ok(simulate("remittances", denied, "denied"));
  BOOST_TEST(final_status(denied) == "denied");
}

BOOST_FIXTURE_TEST_CASE(a_deposit_needs_an_outcome_with_money, SimulationWorld) {
  const auto id = fund(*world.api, "CLM-S4");
  for (const std::string outcome : {"denied", "reversed", "taken_back", "none"})
    expect_error(simulate("deposits", id, outcome), 400, "validation_error");
  expect_error(simulate("deposits", "stl_01M7WNTFJ00000000000000099", "paid"), 404, "settlement_not_found");
}

BOOST_FIXTURE_TEST_CASE(a_transfer_settles_and_comes_back_on_request, SimulationWorld) {
  const auto id = fund(*world.api, "CLM-S5", "SAME_DAY");
  const std::string path = "/v1/sandbox/transfers/" + transfer_of(id);
  BOOST_TEST(expect_ok(world.api->post_nothing(path + "/settle")).text("/status") == "settled");
  BOOST_TEST(funding_status(id) == "settled");
  expect_error(world.api->post(path + "/reject", R"({"code":"R03"})"), 409, "invalid_state");
  const Json returned = expect_ok(world.api->post(path + "/return", R"({"code":"R02"})"));
  BOOST_TEST(returned.text("/status") == "returned");
  BOOST_TEST(returned.text("/reason_code") == "R02");
  BOOST_TEST(funding_status(id) == "returned");
  expect_error(world.api->post_nothing(path + "/settle"), 409, "invalid_state");
}

BOOST_FIXTURE_TEST_CASE(a_transfer_over_an_irrevocable_rail_does_not_come_back, SimulationWorld) {
  const auto id = fund(*world.api, "CLM-S5", "RTP");
  BOOST_TEST(funding_status(id) == "settled");
  const Json refused =
      expect_error(world.api->post("/v1/sandbox/transfers/" + transfer_of(id) + "/return", R"({"code":"R02"})"), 409,
                   "invalid_state");
  BOOST_TEST(refused.text("/details/rail") == "RTP");
  BOOST_TEST(refused.text("/details/status") == "settled");
  BOOST_TEST(funding_status(id) == "settled");
}

BOOST_FIXTURE_TEST_CASE(a_code_of_a_transfer_is_checked, SimulationWorld) {
  const auto id = fund(*world.api, "CLM-S6", "SAME_DAY");
  const std::string path = "/v1/sandbox/transfers/" + transfer_of(id) + "/return";
  for (const char* body : {"{}", R"({"code":""})", R"({"code":"r02"})", R"({"code":"R0234"})"})
    expect_error(world.api->post(path, body), 400, "validation_error");
}

BOOST_FIXTURE_TEST_CASE(the_cents_of_a_charge_select_a_later_payment, SimulationWorld) {
  std::string body = claim_body("CLM-S7");
  for (const std::string amount : {"1000.00", "600.00"}) {
    const auto at = body.find(amount);
    BOOST_REQUIRE(at != std::string::npos);
    body[at + amount.size() - 1] = '1';
  }
  const Json review = expect_ok(world.api->post("/v1/claims/reviews", body));
  const Json terms =
      expect_ok(world.api->post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
  const auto id = terms.text("/settlement_id");
  expect_ok(world.api->post_nothing("/v1/settlements/" + id + "/confirm"));
  BOOST_TEST(final_status(id) == "pending");
  expect_ok(world.api->post("/v1/sandbox/clock", R"({"advance":"P55D"})"));
  BOOST_TEST(final_status(id) == "settled");
}

BOOST_FIXTURE_TEST_CASE(a_forced_code_needs_no_directory_and_an_unknown_one_is_reported, SimulationWorld) {
  const auto codes = [](const Json& review, const std::string& list) {
    std::string text;
    for (std::size_t i = 0; review.has("/" + list + "/" + std::to_string(i)); ++i)
      text += review.text("/" + list + "/" + std::to_string(i) + "/code") + ' ';
    return text;
  };
  const Json known = expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-S8", "TEST-CARC-197")));
  BOOST_TEST(codes(known, "denial_reasons").find("197 ") != std::string::npos);
  BOOST_TEST(codes(known, "warnings").find("PAYER_UNKNOWN") == std::string::npos);
  const Json unknown = expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-S9", "TEST-CARC-9999")));
  BOOST_TEST(codes(unknown, "warnings").find("TEST_CODE_UNKNOWN") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(production_simulates_nothing) {
  const World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("environment", "production");
    folder.set("funding.allow_simulated_rails", "true");
  });
  for (const char* path : {"/v1/sandbox/deposits", "/v1/sandbox/remittances",
                           "/v1/sandbox/transfers/trf_01M7WNTFJ00000000000000099/settle",
                           "/v1/sandbox/transfers/trf_01M7WNTFJ00000000000000099/return"})
    expect_error(world.api->post(path, "{}"), 404, "route_not_found");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
