// A repeated request: the first answer again, byte for byte, and no second effect.
#include <set>
#include <thread>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

/// A request that was answered once.
struct Sent {
  std::string target;
  std::string body;
  std::string key;
  std::string answer;

  Answer again(const ApiClient& api) const { return api.send("POST", target, {{"Idempotency-Key", key}}, body); }
};

Sent send_first(const ApiClient& api, const std::string& target, const std::string& body, const std::string& key) {
  const Answer answer = api.send("POST", target, {{"Idempotency-Key", key}}, body);
  expect_ok(answer);
  BOOST_TEST(answer.header("Idempotent-Replayed") == "");
  return {target, body, key, answer.body};
}

void expect_replay(const ApiClient& api, const Sent& sent) {
  const Answer answer = sent.again(api);
  BOOST_TEST_CONTEXT(sent.target) {
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.body == sent.answer);
    BOOST_TEST(answer.header("Idempotent-Replayed") == "true");
  }
}

BOOST_AUTO_TEST_SUITE(idempotency)

BOOST_DATA_TEST_CASE(a_repeat_gets_the_first_answer_also_after_a_restart, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  std::vector<Sent> sent;
  sent.push_back(send_first(api, "/v1/claims/reviews", claim_body("CLM-R"), "key-1"));
  sent.push_back(send_first(api, "/v1/claims/adjudications",
                            adjudication_body(Json(sent[0].answer).text("/authorization_id")), "key-1"));
  sent.push_back(
      send_first(api, "/v1/settlements/" + Json(sent[1].answer).text("/settlement_id") + "/confirm", "", "key-1"));
  sent.push_back(send_first(api, "/v1/imports/claims", file_body("ndjson", claim_body("CLM-I") + "\n"), "key-1"));
  sent.push_back(send_first(api, "/v1/deposits", deposit_body("TRN-R", "790.00"), "key-1"));
  sent.push_back(send_first(api, "/v1/remittances", remittance_body("TRN-R", "CLM-R", "790.00"), "key-1"));
  const auto imported = [&] {
    return expect_ok(api.get("/v1/imports/claims/" + Json(sent[3].answer).text("/job_id"))).text("/status") ==
           "succeeded";
  };
  BOOST_REQUIRE(eventually(imported));
  const auto ledger = ledger_of(api);

  for (const auto& request : sent) expect_replay(api, request);
  world.restart();
  for (const auto& request : sent) expect_replay(*world.api, request);
  BOOST_TEST((ledger_of(*world.api) == ledger));

  // The same content written otherwise is the same request; other content is not.
  expect_replay(*world.api, {sent[4].target, " " + sent[4].body + "\n", "key-1", sent[4].answer});
  expect_error(Sent{sent[4].target, deposit_body("TRN-R", "791.00"), "key-1", ""}.again(*world.api), 422,
               "idempotency_key_reused");
  BOOST_TEST((ledger_of(*world.api) == ledger));
}

BOOST_DATA_TEST_CASE(many_requests_with_one_key_have_one_effect, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string settlement = advance(api, "CLM-32");
  constexpr int kClients = 32;

  const auto all_at_once = [&](const std::string& target, const std::string& body) {
    std::vector<Answer> answers(kClients);
    std::vector<std::thread> threads;
    for (auto& answer : answers)
      threads.emplace_back([&answer, &api, &target, &body] {
        // A request during the first one is asked to retry.
        do answer = api.send("POST", target, {{"Idempotency-Key", "one-key"}}, body);
        while (answer.status == 409 && answer.json().text("/error") == "idempotency_in_progress");
      });
    for (auto& thread : threads) thread.join();
    std::set<std::string> bodies;
    int firsts = 0;
    for (const auto& answer : answers) {
      BOOST_TEST(answer.status == 200, answer.body);
      bodies.insert(answer.body);
      firsts += answer.header("Idempotent-Replayed") != "true";
    }
    BOOST_TEST(bodies.size() == 1u);
    BOOST_TEST(firsts == 1);
  };

  all_at_once("/v1/settlements/" + settlement + "/confirm", "");
  all_at_once("/v1/deposits", deposit_body("TRN-32", "790.00"));
  all_at_once("/v1/remittances", remittance_body("TRN-32", "CLM-32", "790.00"));
  const Book book = book_of(api);
  BOOST_TEST(book.posted_in("funding_cash") == -64000);
  BOOST_TEST(book.posted_in("deposit_clearing") == 79000);
  BOOST_TEST(book.posted_in("provider_payable:") == -13720);
  BOOST_TEST(book.posted_sum == 0);
}

BOOST_DATA_TEST_CASE(a_settlement_is_funded_once_whatever_the_key, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string target = "/v1/settlements/" + advance(api, "CLM-ONCE") + "/confirm";
  const Answer first = api.post_nothing(target, {{"Idempotency-Key", "first"}});
  expect_ok(first);
  const Answer keyless = api.post_nothing(target);
  BOOST_TEST(keyless.body == first.body);
  BOOST_TEST(keyless.header("Idempotent-Replayed") == "true");
  expect_error(api.post_nothing(target, {{"Idempotency-Key", "second"}}), 409, "settlement_already_funded");
  BOOST_TEST(book_of(api).posted_in("funding_cash") == -64000);
}

BOOST_AUTO_TEST_CASE(a_key_has_one_scope_whatever_the_spelling_of_the_path) {
  World world;
  const ApiClient& api = *world.api;
  expect_ok(api.post("/v1/claims/reviews", claim_body("A:1")));
  const Headers key{{"Idempotency-Key", "one-scope"}};
  const std::string body = R"({"status":"submitted"})";
  const Answer first = api.patch("/v1/claims/A%3A1/status", body, key);
  expect_ok(first);
  const Answer again = api.patch("/v1/claims/A:1/status", body, key);
  BOOST_TEST(again.header("Idempotent-Replayed") == "true");
  BOOST_TEST(again.body == first.body);
  expect_error(api.patch("/v1/claims/A:1/status", R"({"status":"voided"})", key), 422, "idempotency_key_reused");
}

BOOST_AUTO_TEST_CASE(a_deposit_is_known_by_its_external_id) {
  World world;
  const ApiClient& api = *world.api;
  const Json first = expect_ok(api.post("/v1/deposits", deposit_body("TRN-X", "10.00", "bank-1")));
  const Answer again = api.post("/v1/deposits", deposit_body("TRN-X", "10.00", "bank-1"));
  BOOST_TEST(expect_ok(again).text("/deposit_id") == first.text("/deposit_id"));
  BOOST_TEST(again.header("Idempotent-Replayed") == "true");
  const Json taken =
      expect_error(api.post("/v1/deposits", deposit_body("TRN-X", "11.00", "bank-1")), 409, "external_id_in_use");
  BOOST_TEST(taken.text("/details/deposit_id") == first.text("/deposit_id"));
  BOOST_TEST(taken.has("/details/fields/external_id"));
  BOOST_TEST(book_of(api).posted_in("deposit_clearing") == 1000);
}

BOOST_AUTO_TEST_CASE(a_webhook_secret_is_shown_once_and_not_kept_with_the_answer) {
  World world;
  const std::string body = R"({"url":"http://127.0.0.1:9/hook","events":["settlement.funded"]})";
  const Answer first = world.api->post("/v1/webhooks/endpoints", body, {{"Idempotency-Key", "hook"}});
  BOOST_TEST(expect_ok(first).text("/secret").starts_with("whsec_"));
  const Answer repeated = world.api->post("/v1/webhooks/endpoints", body, {{"Idempotency-Key", "hook"}});
  BOOST_TEST(repeated.header("Idempotent-Replayed") == "true");
  BOOST_TEST(expect_ok(repeated).text("/id") == Json(first.body).text("/id"));
  BOOST_TEST(!Json(repeated.body).has("/secret"));
  const std::string place = "/v1/webhooks/endpoints/" + Json(first.body).text("/id");
  const Json shown = expect_ok(world.api->get(place));
  BOOST_TEST(shown.text("/url") == "http://127.0.0.1:9/hook");
  BOOST_TEST(shown.text("/events/0") == "settlement.funded");
  BOOST_TEST(shown.text("/status") == "enabled");
  BOOST_TEST(!shown.has("/secret"));
  expect_ok(world.api->remove(place));
  expect_error(world.api->get(place), 404, "not_found");
  expect_error(world.api->get("/v1/webhooks/endpoints/nonsense"), 404, "not_found");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
