// What HTTP promises on every operation: methods, headers, bodies and cursors.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

struct Shared {
  Shared() { world.emplace(); }
  ~Shared() { world.reset(); }
  static std::optional<World> world;
};
std::optional<World> Shared::world;

struct Semantics {
  const ApiClient& api = *Shared::world->api;

  std::string first_cursor(const std::string& list) const {
    return expect_ok(api.get(list + (list.find('?') == std::string::npos ? "?" : "&") + "limit=1"))
        .text("/next_cursor");
  }
};

BOOST_AUTO_TEST_SUITE(http_semantics, *boost::unit_test::fixture<Shared>())

BOOST_FIXTURE_TEST_CASE(a_cursor_is_good_for_its_list_and_its_filters_only, Semantics) {
  for (const char* name : {"CUR-1", "CUR-2", "CUR-3"}) expect_ok(api.post("/v1/claims/reviews", claim_body(name)));
  const auto cursor = first_cursor("/v1/reviews?payer_id=SAMPLE-80");
  expect_ok(api.get("/v1/reviews?payer_id=SAMPLE-80&limit=2&cursor=" + cursor));
  for (const std::string other : {"/v1/reviews?", "/v1/reviews?payer_id=60054&", "/v1/deposits?", "/v1/events?",
                                  "/v1/tasks?", "/v1/audit?", "/v1/metadata/payers?", "/v1/ledger/balances?"}) {
    const Json refusal = expect_error(api.get(other + "cursor=" + cursor), 400, "invalid_cursor");
    BOOST_TEST(refusal.has("/details/fields/cursor"), other);
  }
  for (const char* damaged : {"rev_01", "%21", "AAAA"})
    expect_error(api.get(std::string("/v1/reviews?payer_id=SAMPLE-80&cursor=") + damaged), 400, "invalid_cursor");
}

BOOST_FIXTURE_TEST_CASE(a_body_that_an_operation_does_not_use_is_reported, Semantics) {
  const auto settlement = advance(api, "UNUSED-1");
  const std::string confirm = "/v1/settlements/" + settlement + "/confirm";
  const Json strict =
      expect_error(api.post(confirm, R"({"amount":5})", {{"Prefer", "handling=strict"}}), 400, "validation_error");
  BOOST_TEST(strict.has("/details/fields/amount"));
  BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement)).text("/status") == "pending_confirmation");
  const Answer confirmed = api.post(confirm, R"({"amount":5,"rail":"WIRE"})");
  expect_ok(confirmed);
  BOOST_TEST(confirmed.header("X-Ignored-Fields") == "amount, rail");
  const Answer again = api.send("POST", confirm, {{"Content-Type", "text/plain"}}, "junk");
  expect_ok(again);
  BOOST_TEST(again.header("X-Ignored-Fields") == "body");
  BOOST_TEST(api.post_nothing(confirm).header("X-Ignored-Fields").empty());
}

BOOST_FIXTURE_TEST_CASE(a_header_that_counts_once_is_refused_twice, Semantics) {
  const auto refused = [&](const std::string& name, const std::string& one, const std::string& other) {
    const Json refusal =
        expect_error(api.send("POST", "/v1/claims/reviews", {{name, one}, {name, other}}, claim_body("TWICE")), 400,
                     "invalid_parameter");
    BOOST_TEST(refusal.has("/details/fields/" + name), name);
  };
  refused("Idempotency-Key", "k1", "k2");
  refused("Content-Type", "application/json", "text/plain");
  refused("Authorization", "Bearer " + api.token(), "Bearer x");
}

BOOST_FIXTURE_TEST_CASE(a_coded_body_is_a_415_that_names_the_header, Semantics) {
  const Json refusal =
      expect_error(api.send("POST", "/v1/claims/reviews", {{"Content-Encoding", "gzip"}}, "\x1f\x8b\x08"), 415,
                   "unsupported_media_type");
  BOOST_TEST(refusal.has("/details/fields/Content-Encoding"));
  expect_ok(api.post("/v1/claims/reviews", claim_body("PLAIN-1"), {{"Content-Encoding", "identity"}}));
}

BOOST_FIXTURE_TEST_CASE(options_lists_the_methods, Semantics) {
  const Answer options = api.send("OPTIONS", "/v1/health", {{"Authorization", ""}});
  BOOST_TEST(options.status == 204);
  BOOST_TEST(options.header("Allow") == "GET, HEAD, OPTIONS");
  BOOST_TEST(options.body.empty());
  const Answer all = api.send("OPTIONS", "*", {});
  BOOST_TEST(all.status == 204);
  BOOST_TEST(all.header("Allow").find("PATCH") != std::string::npos);
  expect_error(api.send("OPTIONS", "/v1/nothing", {}), 404, "route_not_found");
  const Answer refused = api.post("/v1/health", "{}");
  expect_error(refused, 405, "method_not_allowed");
  BOOST_TEST(refused.header("Allow") == "GET, HEAD, OPTIONS");
}

BOOST_FIXTURE_TEST_CASE(a_claim_may_be_named_like_a_path, Semantics) {
  expect_ok(api.post("/v1/claims/reviews", claim_body("reviews")));
  BOOST_TEST(expect_ok(api.get("/v1/claims/reviews")).text("/claim_identifier") == "reviews");
  BOOST_TEST(expect_ok(api.get("/v1/claims/reviews/status")).text("/claim_identifier") == "reviews");
  expect_ok(api.get("/v1/%68ealth"));
}

BOOST_FIXTURE_TEST_CASE(an_object_that_the_client_has_is_a_304, Semantics) {
  const Json review = expect_ok(api.post("/v1/claims/reviews", claim_body("TAG-1")));
  const auto settlement =
      expect_ok(api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))))
          .text("/settlement_id");
  for (const std::string& target :
       {std::string("/v1/claims/TAG-1"), std::string("/v1/claims/TAG-1/status"), "/v1/reviews/" + review.text("/id"),
        "/v1/settlements/" + settlement, std::string("/v1/openapi.json"), std::string("/v1/openapi.yaml"),
        std::string("/docs/errors")}) {
    BOOST_TEST_CONTEXT(target) {
      const Answer read = api.get(target);
      BOOST_TEST(read.status == 200);
      const auto tag = read.header("ETag");
      BOOST_REQUIRE(tag.size() > 2u);
      const auto opaque = tag.substr(tag.find('"'));
      for (const auto& known : {tag, opaque, "W/" + opaque, "\"other\", " + tag, std::string("*")}) {
        const Answer unchanged = api.get(target, {{"If-None-Match", known}});
        BOOST_TEST(unchanged.status == 304, known);
        BOOST_TEST(unchanged.body == "");
        BOOST_TEST(unchanged.header("ETag") == tag);
        BOOST_TEST(unchanged.header("Content-Type") == "");
        BOOST_TEST(unchanged.header("X-Request-Id") != "");
      }
      BOOST_TEST(api.send("HEAD", target, {{"If-None-Match", tag}}).status == 304);
      for (const char* other : {"\"other\"", "other", ""})
        BOOST_TEST(api.get(target, {{"If-None-Match", other}}).body == read.body, other);
    }
  }
  const auto old = api.get("/v1/claims/TAG-1").header("ETag");
  expect_ok(api.patch("/v1/claims/TAG-1/status", R"({"status":"submitted"})"));
  expect_ok(api.get("/v1/claims/TAG-1", {{"If-None-Match", old}}));
  BOOST_TEST(api.get("/v1/claims/TAG-1/status", {{"If-None-Match", "\"v1\""}}).header("ETag") == "\"v2\"");
  expect_error(api.get("/v1/claims/TAG-0", {{"If-None-Match", "*"}}), 404, "claim_not_found");
}

BOOST_FIXTURE_TEST_CASE(a_change_happens_to_a_version_that_the_client_names, Semantics) {
  expect_ok(api.post("/v1/claims/reviews", claim_body("VER-1")));
  const auto moved = [&](const std::string& status, const std::string& if_match) {
    return api.patch("/v1/claims/VER-1/status", R"({"status":")" + status + "\"}", {{"If-Match", if_match}});
  };
  for (const char* outdated : {"\"v2\"", "W/\"v1\"", "\"x\", \"v3\""})
    BOOST_TEST(expect_error(moved("submitted", outdated), 412, "version_conflict").text("/details/version") == "v1");
  const Json malformed = expect_error(moved("submitted", "v1"), 400, "invalid_parameter");
  BOOST_TEST(malformed.has("/details/fields/If-Match"));
  const Answer submitted = moved("submitted", "\"v1\", \"v3\"");
  expect_ok(submitted);
  BOOST_TEST(submitted.header("ETag") == "\"v2\"");
  expect_ok(moved("accepted", "*"));

  const std::string settlement = "/v1/settlements/" + advance(api, "VER-2");
  const auto read = api.get(settlement).header("ETag");
  const auto change = [&](const std::string& if_match) {
    return api.patch(settlement + "/funding", R"({"payout_account_token":"tok_other"})", {{"If-Match", if_match}});
  };
  expect_error(change("\"v1\""), 412, "version_conflict");
  const Answer changed = change(read);
  expect_ok(changed);
  BOOST_TEST(changed.header("ETag") == api.get(settlement).header("ETag"));
  expect_ok(api.patch(settlement + "/funding", R"({"rail":"SAME_DAY"})"));
  expect_error(change(read), 412, "version_conflict");
}

BOOST_FIXTURE_TEST_CASE(endpoints_and_clients_change_from_the_version_that_the_client_read, Semantics) {
  const auto endpoint =
      "/v1/webhooks/endpoints/" +
      expect_ok(api.post("/v1/webhooks/endpoints", R"({"url":"http://127.0.0.1:1/","events":["event.ping"]})"))
          .text("/id");
  const auto client = "/v1/clients/" +
                      expect_ok(api.post("/v1/clients", R"({"name":"a","scopes":["claims:read"]})")).text("/client_id");
  const auto check = [&](const std::string& path, const std::string& first, const std::string& second) {
    const auto read = api.get(path).header("ETag");
    BOOST_TEST(read.starts_with('"'), path);
    BOOST_TEST(api.get(path, {{"If-None-Match", read}}).status == 304);
    const Answer changed = api.patch(path, first, {{"If-Match", read}});
    expect_ok(changed);
    BOOST_TEST(changed.header("ETag") != read);
    BOOST_TEST(changed.header("ETag") == api.get(path).header("ETag"));
    for (const auto& outdated : {read, "W/" + changed.header("ETag")})
      expect_error(api.patch(path, second, {{"If-Match", outdated}}), 412, "version_conflict");
    expect_error(api.patch(path, second, {{"If-Match", "v1"}}), 400, "invalid_parameter");
    BOOST_TEST(api.get(path).header("ETag") == changed.header("ETag"));
    expect_ok(api.patch(path, second, {{"If-Match", "*"}}));
  };
  check(endpoint, R"({"description":"first"})", R"({"description":"second"})");
  check(client, R"({"name":"first"})", R"({"name":"second"})");
}

BOOST_FIXTURE_TEST_CASE(a_client_that_waits_before_its_body_learns_of_a_refusal_first, Semantics) {
  const auto answered = [&](const std::string& path, const std::string& token, const std::string& type) {
    RawClient client(Shared::world->service->port());
    client.send("POST " + path + " HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer " + token +
                "\r\nContent-Type: " + type + "\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    const RawResponse first = client.read_response();
    if (first.status != 100) return std::to_string(first.status) + ' ' + first.header("Connection");
    client.send("{}");
    return "100 " + std::to_string(client.read_response().status);
  };
  const std::string reviews = "/v1/claims/reviews", json = "application/json";
  BOOST_TEST(answered(reviews, "forged", json) == "401 close");
  BOOST_TEST(answered(reviews, api.token(), "text/plain") == "415 close");
  BOOST_TEST(answered("/v1/nowhere", api.token(), json) == "404 close");
  BOOST_TEST(answered("/v1/audit", api.token(), json) == "405 close");
  BOOST_TEST(answered(reviews, api.token(), json) == "100 400");  // the body lacks what a review needs
}

BOOST_FIXTURE_TEST_CASE(a_refusal_of_a_value_names_its_field, Semantics) {
  BOOST_TEST(expect_error(api.get("/v1/events?limit=%00"), 400, "invalid_parameter").has("/details/fields/limit"));
  BOOST_TEST(expect_error(api.post("/v1/claims/reviews", claim_body("K"), {{"Idempotency-Key", "a b"}}), 400,
                          "invalid_idempotency_key")
                 .has("/details/fields/Idempotency-Key"));
  BOOST_TEST(expect_error(api.post("/v1/remittances", file_body("no_such", "x")), 400, "unsupported_format")
                 .has("/details/fields/format"));
  const Json number =
      expect_error(api.post("/v1/claims/reviews", R"({"submitted_amount":1e400})"), 400, "malformed_json");
  BOOST_TEST(number.text("/message").find("number is out of range") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_manual_review_shows_its_task_and_the_task_its_settlement, Semantics) {
  const Json review = expect_ok(api.post("/v1/claims/reviews", claim_body("MAN-1", "TEST-REVIEW")));
  const Json terms =
      expect_ok(api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
  const auto settlement = terms.text("/settlement_id");
  const auto task = terms.text("/task_id");
  BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement)).text("/task_id") == task);
  BOOST_TEST(expect_error(api.post_nothing("/v1/settlements/" + settlement + "/confirm"), 409, "manual_review_pending")
                 .text("/details/task_id") == task);
  const Json tasks = expect_ok(api.get("/v1/tasks?object_id=" + settlement));
  BOOST_TEST(tasks.size("/data") == 1u);
  BOOST_TEST(tasks.text("/data/0/task_id") == task);
  const Json view = expect_ok(api.get("/v1/tasks/" + task));
  BOOST_TEST(view.text("/settlement/claim_identifier") == "MAN-1");
  BOOST_TEST(view.cents("/settlement/submitted_amount") == 100000);
  BOOST_TEST(view.text("/settlement/decision_reasons/0") == "sandbox_trigger");

  const auto read = api.get("/v1/tasks/" + task).header("ETag");
  BOOST_TEST(api.get("/v1/tasks/" + task + "?explain=true").header("ETag") == "");
  const auto decide = [&](const std::string& if_match) {
    return api.post("/v1/tasks/" + task + "/decide", R"({"decision":"approve"})", {{"If-Match", if_match}});
  };
  expect_error(decide("\"v1\""), 412, "version_conflict");
  BOOST_TEST(api.get("/v1/tasks/" + task).header("ETag") == read);
  BOOST_TEST(expect_ok(decide(read)).text("/status") == "closed");
}

BOOST_FIXTURE_TEST_CASE(terms_that_a_reviewer_approved_outlive_a_review_of_the_same_claim, Semantics) {
  const Json review = expect_ok(api.post("/v1/claims/reviews", claim_body("KEEP-1", "TEST-REVIEW")));
  const Json terms =
      expect_ok(api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
  const auto settlement = terms.text("/settlement_id");
  const ApiClient reviewer(Shared::world->service->port(), Shared::world->folder.create_client({"--role", "reviewer"}));
  expect_ok(reviewer.post("/v1/tasks/" + terms.text("/task_id") + "/decide", R"({"decision":"approve"})"));
  const Json newer = expect_ok(api.post("/v1/claims/reviews", claim_body("KEEP-1", "TEST-REVIEW")));
  BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement)).text("/status") == "approved");
  BOOST_TEST(expect_error(api.post("/v1/claims/adjudications", adjudication_body(newer.text("/authorization_id"))), 409,
                          "claim_already_advanced")
                 .text("/details/settlement_id") == settlement);
  expect_ok(api.post("/v1/claims/reviews", R"({"claim_identifier":"KEEP-1","chart_identifier":"CH-9",)"
                                           R"("servicer_npi":"1234567893","billing_npi":"1999999984",)"
                                           R"("patient_primary_payor_id":"TEST-REVIEW","submitted_amount":25.00})"));
  BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement)).text("/status") == "canceled");
}

BOOST_FIXTURE_TEST_CASE(a_replaced_authorization_names_the_newer_one, Semantics) {
  const Json old = expect_ok(api.post("/v1/claims/reviews", claim_body("NEWER-1")));
  const Json newer = expect_ok(api.post("/v1/claims/reviews", claim_body("NEWER-1")));
  const Json refusal =
      expect_error(api.post("/v1/claims/adjudications", adjudication_body(old.text("/authorization_id"))), 409,
                   "authorization_expired");
  BOOST_TEST(refusal.text("/details/reason") == "superseded");
  BOOST_TEST(refusal.text("/details/authorization_id") == newer.text("/authorization_id"));
  BOOST_TEST(!refusal.has("/details/expires_at"));
}

BOOST_FIXTURE_TEST_CASE(a_settlement_without_an_advance_expects_no_payment, Semantics) {
  const Json review = expect_ok(api.post("/v1/claims/reviews", claim_body("NONE-1", "TEST-DECLINE")));
  const Json declined =
      expect_ok(api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
  const auto canceled = advance(api, "NONE-2");
  expect_ok(api.post_nothing("/v1/settlements/" + canceled + "/cancel"));
  for (const auto& settlement : {declined.text("/settlement_id"), canceled}) {
    const Json whole = expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation"));
    BOOST_TEST(whole.text("/final_status") == "not_funded");
    BOOST_TEST(whole.cents("/expected_payment") == 0);
    BOOST_TEST(whole.cents("/fee_estimated") == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
