// The service description's typical flow, from token to webhook, with the numbers of its reconciliation example: billed
// 1000.00, expected 800.00, advance 640.00, fee 12.80.
#include <openssl/hmac.h>

#include <chrono>

#include "tests/support/webhook_receiver/webhook_receiver.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

/// Lower-case hex of HMAC-SHA-256, as api/webhooks/signing.md describes it.
std::string hmac_hex(const std::string& key, const std::string& text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
       text.size(), digest, &length);
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) {
    hex += "0123456789abcdef"[digest[i] >> 4];
    hex += "0123456789abcdef"[digest[i] & 15];
  }
  return hex;
}

bool is_signed(const WebhookReceiver::Request& request, const std::string& secret) {
  const std::string& header = request.headers.at("service-signature");
  const auto comma = header.find(",v1=");
  if (!header.starts_with("t=") || comma == std::string::npos) return false;
  const std::string time = header.substr(2, comma - 2);
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  return std::llabs(now - std::stoll(time)) <= 300 &&
         header.substr(comma + 4) == hmac_hex(secret, time + "." + request.body);
}

/// The deliveries of one kind of event.
std::vector<WebhookReceiver::Request> deliveries(const WebhookReceiver& receiver, const std::string& kind) {
  std::vector<WebhookReceiver::Request> found;
  for (const auto& request : receiver.requests())
    if (Json(request.body).text("/event") == kind) found.push_back(request);
  return found;
}

/// An 835 of our own: one payment, one claim of 1000.00 with one line.
std::string x12_of(const std::string& trace, const std::string& identifier, const std::string& amount) {
  std::string date = day(0);
  std::erase(date, '-');
  std::string service = day(-5);
  std::erase(service, '-');
  return "ISA*00*          *00*          *ZZ*SAMPLE80       *ZZ*PROVIDER       *260101*0000*^*00501*000000001*0*T*:~"
         "GS*HP*SAMPLE80*PROVIDER*" +
         date + "*0000*1*X*005010X221A1~ST*835*0001~BPR*I*" + amount +
         "*C*ACH*CCP*01*999999992*DA*1*1999999984**01*999999992*DA*2*" + date + "~TRN*1*" + trace +
         "*1999999984~N1*PR*SAMPLE PAYER*XV*SAMPLE-80~N1*PE*SAMPLE PROVIDER*XX*1999999984~LX*1~CLP*" + identifier +
         "*1*1000*" + amount + "**12*PCN1~DTM*232*" + service + "~SVC*HC:99213*1000*" + amount +
         "**1~SE*10*0001~GE*1*1~IEA*1*000000001~";
}

/// One signed event of this record of the settlement.
void expect_posted_event(const WebhookReceiver& receiver, const std::string& secret, const std::string& settlement,
                         const Json& record) {
  const auto posted = deliveries(receiver, "reconciliation.posted");
  BOOST_REQUIRE_EQUAL(posted.size(), 1u);
  BOOST_TEST(is_signed(posted.front(), secret));
  BOOST_TEST(!is_signed(posted.front(), "whsec_another"));
  const Json event(posted.front().body);
  BOOST_TEST(event.text("/data/id") == record.text("/id"));
  BOOST_TEST(event.text("/data/settlement_id") == settlement);
  BOOST_TEST(event.cents("/data/payer_payment") == 79000);
  BOOST_TEST(event.cents("/data/fee_collected") == 1280);
  BOOST_TEST(event.text("/data/final_status") == "settled");
}

/// The accounts after the flow.
void expect_settled_book(const ApiClient& api) {
  const Book book = book_of(api);
  BOOST_TEST(book.posted_sum == 0);
  BOOST_TEST(book.pending_sum == 0);
  BOOST_TEST(book.posted_in("provider_payable:") == -13720);
  BOOST_TEST(book.posted_in("purchased_receivable:") == 0);
  BOOST_TEST(book.posted_in("suspense_unmatched") == 0);
  BOOST_TEST(book.posted_in("funding_cash") == -64000);
  BOOST_TEST(book.posted_in("fee_income") == -1280);
  BOOST_TEST(book.posted_in("deposit_clearing") == 79000);
}

BOOST_AUTO_TEST_SUITE(typical_flow)

BOOST_DATA_TEST_CASE(a_claim_goes_from_token_to_webhook, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  WebhookReceiver receiver;
  const Json endpoint =
      expect_ok(api.post("/v1/webhooks/endpoints", R"({"url":)" + quoted(receiver.url()) +
                                                       R"(,"events":["reconciliation.posted","settlement.funded"]})"));

  const Json payers = expect_ok(api.get("/v1/metadata/payers?q=sample+eighty"));
  BOOST_TEST(payers.text("/data/0/payer_id") == "SAMPLE-80");

  const Json review = expect_ok(api.post("/v1/claims/reviews", claim_body("CLM-1")));
  BOOST_TEST(!review.flag("/denial_predicted"));
  BOOST_TEST(review.size("/denial_reasons") == 0u);
  BOOST_TEST(review.cents("/expected_reimbursement/expected") == 80000);

  const Json terms =
      expect_ok(api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
  BOOST_TEST(terms.text("/decision") == "approved");
  BOOST_TEST(terms.text("/status") == "pending_confirmation");
  BOOST_TEST(terms.number("/terms/advance_percentage") == 0.8);
  BOOST_TEST(terms.cents("/terms/advance_amount") == 64000);
  BOOST_TEST(terms.cents("/terms/fees_estimate") == 1280);
  BOOST_TEST(terms.cents("/expected_reimbursement") == 80000);
  const std::string settlement = terms.text("/settlement_id");

  const Json confirmation = expect_ok(api.post_nothing("/v1/settlements/" + settlement + "/confirm"));
  BOOST_TEST(confirmation.text("/settlement_id") == settlement);
  BOOST_TEST(confirmation.text("/status") == "funded");
  BOOST_TEST(confirmation.cents("/funded_amount") == 64000);
  BOOST_TEST(confirmation.has("/timestamp"));

  const Json before = expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation"));
  BOOST_TEST(before.text("/final_status") == "pending");
  BOOST_TEST(before.cents("/payer_payment") == 0);

  expect_ok(api.post("/v1/remittances", remittance_body("TRN-1", "CLM-1", "790.00")));
  const Json deposit = expect_ok(api.post("/v1/deposits", deposit_body("TRN-1", "790.00")));
  BOOST_TEST(deposit.text("/status") == "matched");

  const Json after = expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation"));
  BOOST_TEST(after.text("/final_status") == "settled");
  BOOST_TEST(after.cents("/payer_payment") == 79000);
  BOOST_TEST(after.cents("/advance_recovered") == 64000);
  BOOST_TEST(after.cents("/fee_collected") == 1280);
  BOOST_TEST(after.cents("/residual_released") == 13720);
  BOOST_TEST(after.cents("/shortfall_absorbed") == 0);
  BOOST_TEST(after.text("/matched_by") == "trace_number");

  BOOST_REQUIRE(receiver.wait_for_requests(2));
  expect_posted_event(receiver, endpoint.text("/secret"), settlement, after);
  expect_settled_book(api);

  const Json rollup = expect_ok(api.get("/v1/claims/CLM-1"));
  BOOST_TEST(rollup.text("/status/status") == "paid");
  BOOST_TEST(rollup.text("/adjudication/status") == "funded");

  // Nothing more is delivered, neither by itself nor after a restart.
  world.restart();
  expect_ok(world.api->post("/v1/remittances", remittance_body("TRN-1", "CLM-1", "790.00")));
  fund(*world.api, "CLM-2");
  BOOST_REQUIRE(receiver.wait_for_requests(3));
  BOOST_TEST(deliveries(receiver, "reconciliation.posted").size() == 1u);
  BOOST_TEST(deliveries(receiver, "settlement.funded").size() == 2u);
}

BOOST_DATA_TEST_CASE(an_835_file_settles_as_json_does_in_either_order, data::make(stores()) * data::make({false, true}),
                     store, money_first) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string settlement = fund(api, "CLM-835");
  const auto send_file = [&] {
    expect_ok(api.post("/v1/remittances", file_body("x12_835", x12_of("TRN-835", "CLM-835", "790"))));
  };
  const auto send_money = [&] { expect_ok(api.post("/v1/deposits", deposit_body("TRN-835", "790.00"))); };
  if (money_first) send_money();
  send_file();
  if (!money_first) send_money();

  const Json whole = expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation"));
  BOOST_TEST(whole.text("/final_status") == "settled");
  BOOST_TEST(whole.cents("/advance_recovered") == 64000);
  BOOST_TEST(whole.cents("/fee_collected") == 1280);
  BOOST_TEST(whole.cents("/residual_released") == 13720);
  BOOST_TEST(book_of(api).posted_sum == 0);
}

BOOST_DATA_TEST_CASE(a_short_payment_is_the_funders_loss, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string settlement = fund(api, "CLM-SHORT");
  expect_ok(api.post("/v1/remittances", remittance_body("TRN-SHORT", "CLM-SHORT", "600.00")));
  expect_ok(api.post("/v1/deposits", deposit_body("TRN-SHORT", "600.00")));

  const Json whole = expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation"));
  BOOST_TEST(whole.text("/final_status") == "settled_short");
  BOOST_TEST(whole.cents("/advance_recovered") == 60000);
  BOOST_TEST(whole.cents("/fee_collected") == 0);
  BOOST_TEST(whole.cents("/residual_released") == 0);
  BOOST_TEST(whole.cents("/shortfall_absorbed") == 5280);
  BOOST_TEST(whole.cents("/variance") == -20000);
  const Book book = book_of(api);
  BOOST_TEST(book.posted_sum == 0);
  BOOST_TEST(book.posted_in("loss_on_receivable") == 4000);
  BOOST_TEST(book.posted_in("provider_payable:") == 0);
}

BOOST_DATA_TEST_CASE(a_denial_posts_without_a_deposit, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string settlement = fund(api, "CLM-DENIED");
  expect_ok(api.post("/v1/remittances", remittance_body("TRN-DENIED", "CLM-DENIED", "0.00", "4")));

  const Json whole = expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation"));
  BOOST_TEST(whole.text("/final_status") == "denied");
  BOOST_TEST(whole.cents("/payer_payment") == 0);
  BOOST_TEST(whole.cents("/shortfall_absorbed") == 65280);
  BOOST_TEST(expect_ok(api.get("/v1/claims/CLM-DENIED/status")).text("/status") == "denied");
  const Book book = book_of(api);
  BOOST_TEST(book.posted_sum == 0);
  BOOST_TEST(book.posted_in("loss_on_receivable") == 64000);
}

BOOST_DATA_TEST_CASE(every_rail_funds, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  const Json rails = expect_ok(api.get("/v1/metadata/funding-rails"));
  BOOST_REQUIRE_EQUAL(rails.size("/data"), 3u);
  for (const auto& rail : rails.at("/data").GetArray()) {
    const std::string name = rail["rail"].GetString();
    const std::string settlement = advance(api, "CLM-" + name, name);
    const Json confirmation = expect_ok(api.post_nothing("/v1/settlements/" + settlement + "/confirm"));
    BOOST_TEST(confirmation.text("/status") == "funded");
    BOOST_TEST(confirmation.text("/funding/rail") == name);
    BOOST_TEST(confirmation.text("/funding/effective_date") == std::string(rail["next_effective_date"].GetString()));
  }
  BOOST_TEST(book_of(api).posted_in("funding_cash") == -3 * 64000);
}

BOOST_AUTO_TEST_CASE(a_confirm_without_body_and_length_is_answered_at_once) {
  World world;
  const std::string settlement = advance(*world.api, "CLM-QUICK");
  const auto before = std::chrono::steady_clock::now();
  expect_ok(world.api->post_nothing("/v1/settlements/" + settlement + "/confirm"));
  BOOST_TEST((std::chrono::steady_clock::now() - before < std::chrono::seconds(1)));
}

BOOST_AUTO_TEST_CASE(a_sandbox_payer_forces_the_decision_whatever_the_policy_says) {
  World world;
  const auto decide = [&](const std::string& identifier, const std::string& payer, bool hopeless) {
    std::string claim = claim_body(identifier, payer);
    // Filed two years late.
    if (hopeless) claim.replace(claim.find(day(-5)), 10, day(-735));
    const Json review = expect_ok(world.api->post("/v1/claims/reviews", claim));
    BOOST_TEST(review.flag("/denial_predicted") == hopeless);
    return expect_ok(world.api->post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
  };
  BOOST_TEST(decide("CLM-D", "SAMPLE-80", true).text("/decision") == "declined");
  const Json approved = decide("CLM-A", "TEST-APPROVE", true);
  BOOST_TEST(approved.text("/decision") == "approved");
  BOOST_TEST(approved.cents("/terms/advance_amount") > 0);
  const Json declined = decide("CLM-F", "TEST-DECLINE", false);
  BOOST_TEST(declined.text("/decision") == "declined");
  BOOST_TEST(!declined.has("/terms"));
  const Json undecided = decide("CLM-R", "TEST-REVIEW", false);
  BOOST_TEST(undecided.text("/decision") == "manual_review");
  expect_error(world.api->post_nothing("/v1/settlements/" + undecided.text("/settlement_id") + "/confirm"), 409,
               "manual_review_pending");
}

BOOST_AUTO_TEST_CASE(a_rail_that_refuses_leaves_no_entry_in_the_ledger) {
  World world;
  const std::string settlement = advance(*world.api, "CLM-REFUSED", "RTP", "tok_rtp_AC04");
  const Json refusal =
      expect_error(world.api->post_nothing("/v1/settlements/" + settlement + "/confirm"), 409, "rail_rejected");
  BOOST_TEST(refusal.text("/details/code") == "AC04");
  const Book book = book_of(*world.api);
  BOOST_TEST(book.posted_in("funding_cash") == 0);
  BOOST_TEST(book.pending_sum == 0);
  for (const auto& [account, cents] : book.pending) BOOST_TEST(cents == 0, account);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
