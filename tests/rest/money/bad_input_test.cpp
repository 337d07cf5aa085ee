// Whatever a client sends: one clear refusal, nothing stored, and the service goes on.
#include <algorithm>
#include <set>
#include <sstream>

#include "tests/rest/money/changed_json.hpp"
#include "tests/support/gzip.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

/// One service for the whole suite.
struct Shared {
  Shared() { world.emplace(); }
  ~Shared() { world.reset(); }
  static std::optional<World> world;
};
std::optional<World> Shared::world;

/// After each test the service is still there, well, and has moved no money.
struct BadInput {
  World& world = *Shared::world;
  const ApiClient& api = *world.api;
  std::vector<std::string> ledger_before = ledger_of(api);

  ~BadInput() {
    BOOST_TEST(world.service->is_running());
    BOOST_TEST(api.get("/v1/health").status == 200);
    BOOST_TEST((ledger_of(api) == ledger_before));
  }
};

const std::string kCsv =
    "claim_identifier,chart_identifier,servicer_npi,billing_npi,patient_primary_payor_id,submitted_amount,cpt,units,"
    "amount\n";

/// The finished job.
Json wait_for_import(const ApiClient& api, const std::string& job) {
  const auto finished = [&] {
    const std::string status = expect_ok(api.get("/v1/imports/claims/" + job)).text("/status");
    return status == "succeeded" || status == "failed";
  };
  BOOST_REQUIRE(eventually(finished));
  return expect_ok(api.get("/v1/imports/claims/" + job));
}

BOOST_AUTO_TEST_SUITE(bad_input, *boost::unit_test::fixture<Shared>())

BOOST_FIXTURE_TEST_CASE(malformed_json_is_located, BadInput) {
  const Json refusal = expect_error(api.post("/v1/claims/reviews", "{\n  \"claim_identifier\": \"A\",\n  oops\n}"), 400,
                                    "malformed_json");
  BOOST_TEST(refusal.integer("/details/line") == 3);
  BOOST_TEST(refusal.integer("/details/column") == 3);
  BOOST_TEST(refusal.text("/details/fields/body/0").starts_with("line 3, column 3: "));
  for (const std::string body : {"{", "[1,", "\"", "{\"a\":1,\"a\":2}", "{\"a\":01}", "{\"a\":NaN}", "\xEF\xBB\xBF{}",
                                 "{\"a\":\"\xff\"}", "{}x", "{\"a\":\"\\u0000\"}"})
    expect_error(api.post("/v1/claims/reviews", body), 400, "malformed_json");
  expect_error(api.post("/v1/claims/reviews", std::string(40, '[')), 400, "malformed_json");
  expect_error(api.post("/v1/claims/reviews", "[]"), 400, "validation_error");
  expect_error(api.post("/v1/claims/reviews", ""), 415, "unsupported_media_type");
  expect_error(api.post("/v1/claims/reviews", "", {{"Content-Type", "application/json"}}), 400, "malformed_json");
}

BOOST_FIXTURE_TEST_CASE(all_missing_fields_are_named_at_once, BadInput) {
  const Json refusal = expect_error(api.post("/v1/claims/reviews", "{}"), 400, "validation_error");
  std::vector<std::string> missing;
  for (const auto& name : refusal.at("/details/missing").GetArray()) missing.emplace_back(name.GetString());
  std::sort(missing.begin(), missing.end());
  const std::vector<std::string> required{"billing_npi",      "chart_identifier",
                                          "claim_identifier", "patient_primary_payor_id",
                                          "servicer_npi",     "submitted_amount"};
  BOOST_TEST(missing == required, boost::test_tools::per_element());
  for (const auto& name : required) BOOST_TEST(first_fault(refusal, name) == "required");

  const Json mixed = expect_error(
      api.post("/v1/claims/reviews", with(without(claim_body("X"), "billing_npi"), "/servicer_npi", "\"12\"")), 400,
      "validation_error");
  BOOST_TEST(mixed.size("/details/missing") == 1u);
  BOOST_TEST(mixed.has("/details/fields/billing_npi"));
  BOOST_TEST(mixed.has("/details/fields/servicer_npi"));
}

BOOST_FIXTURE_TEST_CASE(each_wrong_value_is_named_by_its_field, BadInput) {
  const std::string good = claim_body("CLM-WRONG");
  struct Case {
    const char* pointer;
    const char* value;
    const char* field;
  };
  for (const auto& [pointer, value, field] : std::vector<Case>{
           {"/claim_identifier", "7", "claim_identifier"},
           {"/claim_identifier", "\"\"", "claim_identifier"},
           {"/claim_identifier", "\"a\\u0001b\"", "claim_identifier"},
           {"/submitted_amount", "\"100\"", "submitted_amount"},
           {"/submitted_amount", "-1", "submitted_amount"},
           {"/submitted_amount", "1.001", "submitted_amount"},
           {"/submitted_amount", "100000000.00", "submitted_amount"},
           {"/servicer_npi", "1234567893", "servicer_npi"},
           {"/servicer_npi", "\"123456789\"", "servicer_npi"},
           {"/date_of_service", "\"2026-02-30\"", "date_of_service"},
           {"/date_of_service", "\"01/02/2026\"", "date_of_service"},
           {"/date_of_service", "\"2999-01-01\"", "date_of_service"},
           {"/currency", "\"CAD\"", "currency"},
           {"/service_lines/0/currency", "\"EUR\"", "service_lines[0].currency"},
           {"/service_lines", "{}", "service_lines"},
           {"/service_lines/0/units", "0", "service_lines[0].units"},
           {"/service_lines/0/amount", "\"x\"", "service_lines[0].amount"},
           {"/service_lines/1/cpt", "\"12345678901\"", "service_lines[1].cpt"},
       }) {
    const Answer answer = api.post("/v1/claims/reviews", with(good, pointer, value));
    const Json refusal = expect_error(answer, 400, "validation_error");
    BOOST_TEST(refusal.has(std::string("/details/fields/") + field), field << " " << value << ": " << answer.body);
  }
  const Json order =
      expect_error(api.post("/v1/claims/reviews", with(good, "/date_of_submission", "\"" + day(-9) + "\"")), 400,
                   "validation_error");
  BOOST_TEST(order.has("/details/fields/date_of_submission"));
}

BOOST_FIXTURE_TEST_CASE(a_missing_object_is_a_404_or_a_400, BadInput) {
  expect_error(api.post_nothing("/v1/settlements/stl_01M7WPEP1G0000000000000003/confirm"), 404, "settlement_not_found");
  expect_error(api.post_nothing("/v1/settlements/nonsense/confirm"), 404, "settlement_not_found");
  expect_error(api.get("/v1/settlements/nonsense/reconciliation"), 404, "settlement_not_found");
  expect_error(api.get("/v1/claims/NO-SUCH-CLAIM"), 404, "claim_not_found");
  expect_error(api.get("/v1/claims/NO-SUCH-CLAIM/status"), 404, "claim_not_found");
  expect_error(api.patch("/v1/claims/NO-SUCH-CLAIM/status", R"({"status":"submitted"})"), 404, "claim_not_found");
  expect_error(api.get("/v1/imports/claims/imp_01M7WPEP1G0000000000000003"), 404, "not_found");
  expect_error(api.remove("/v1/webhooks/endpoints/whe_01M7WPEP1G0000000000000003"), 404, "not_found");
  expect_error(api.post("/v1/claims/adjudications", adjudication_body("auth_01M7WPEP1G0000000000000003")), 400,
               "validation_error");
  expect_error(api.post("/v1/claims/adjudications", adjudication_body("nonsense")), 400, "validation_error");
  BOOST_TEST(expect_error(api.post("/v1/claims/adjudications", adjudication_body("nonsense", "RTP", "")), 400,
                          "validation_error")
                 .has("/details/fields/payout_account_token"));
  expect_error(api.get("/v2/claims/X"), 404, "route_not_found");
  expect_error(api.get("/"), 404, "route_not_found");
  const Json no_uri = expect_error(api.get("/v1/claims/%ZZ"), 400, "invalid_request");
  BOOST_TEST(first_fault(no_uri, "request") == no_uri.text("/message"));
}

BOOST_FIXTURE_TEST_CASE(all_faults_of_an_endpoint_are_named_at_once, BadInput) {
  for (const char* body : {R"({"events":["nope"]})", R"({"url":"http://example.org/hook","events":["nope"]})"}) {
    const Json refused = expect_error(api.post("/v1/webhooks/endpoints", body), 400, "validation_error");
    BOOST_TEST(refused.has("/details/fields/url"), body);
    BOOST_TEST(refused.has("/details/fields/events"), body);
    BOOST_TEST(refused.has("/details/allowed/0"), body);
  }
  BOOST_TEST(
      expect_error(api.post("/v1/webhooks/endpoints", "{}"), 400, "validation_error").text("/details/missing/0") ==
      "url");
}

BOOST_FIXTURE_TEST_CASE(explain_is_true_or_false, BadInput) {
  for (const char* path : {"/v1/tasks/x", "/v1/remittances/x", "/v1/deposits/x", "/v1/settlements/x/reconciliation"})
    BOOST_TEST(expect_error(api.get(std::string(path) + "?explain=banana"), 400, "invalid_parameter")
                   .has("/details/fields/explain"),
               path);
}

BOOST_FIXTURE_TEST_CASE(a_method_that_a_path_does_not_take_is_a_405, BadInput) {
  const Answer refused = api.send("PUT", "/v1/claims/X/status", {}, "{}");
  expect_error(refused, 405, "method_not_allowed");
  BOOST_TEST(refused.header("Allow").find("GET") != std::string::npos);
  BOOST_TEST(refused.header("Allow").find("PATCH") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_the_client_would_not_take_is_a_406, BadInput) {
  expect_error(api.get("/v1/health", {{"Accept", "text/html"}}), 406, "not_acceptable");
  BOOST_TEST(api.get("/v1/health", {{"Accept", "text/html, */*;q=0.1"}}).status == 200);
  const Answer problem = api.get("/v1/claims/NONE", {{"Accept", "application/problem+json"}});
  BOOST_TEST(problem.status == 404);
  BOOST_TEST(problem.header("Content-Type") == "application/problem+json");
}

BOOST_FIXTURE_TEST_CASE(another_content_type_is_a_415, BadInput) {
  expect_error(api.post("/v1/claims/reviews", claim_body("X"), {{"Content-Type", "text/plain"}}), 415,
               "unsupported_media_type");
  expect_error(api.post("/v1/claims/reviews", claim_body("X"), {{"Content-Type", ""}}), 415, "unsupported_media_type");
}

BOOST_FIXTURE_TEST_CASE(a_body_beyond_its_limit_is_a_413, BadInput) {
  const std::string large = R"({"note":")" + std::string(1100 * 1024, 'x') + "\"}";
  expect_error(api.post("/v1/claims/reviews", large), 413, "payload_too_large");
  expect_error(api.get("/v1/claims/" + std::string(9000, 'a')), 414, "uri_too_long");
  expect_error(api.get("/v1/health", {{"X-Long", std::string(17 * 1024, 'a')}}), 431, "headers_too_large");
}

BOOST_FIXTURE_TEST_CASE(query_parameters_are_checked, BadInput) {
  const Json refusal = expect_error(api.get("/v1/metadata/payers?q=a&system=klingon"), 400, "invalid_parameter");
  BOOST_TEST(refusal.size("/details/allowed") >= 9u);
  for (const char* limit : {"0", "101", "-1", "x", "1.5", ""})
    expect_error(api.get(std::string("/v1/metadata/payers?limit=") + limit), 400, "invalid_parameter");
  for (const char* query : {"q=%FF", "q=%00", "%C3%28=1"})
    expect_error(api.get(std::string("/v1/metadata/payers?") + query), 400, "invalid_parameter");
  expect_error(api.get("/v1/metadata/payers?limit=%GG"), 400, "invalid_request");
  expect_error(api.get("/v1/metadata/payers?cursor=" + std::string(200, 'c')), 400, "invalid_cursor");
  expect_error(api.get("/v1/reviews?cursor=%C3%A9"), 400, "invalid_cursor");
}

BOOST_FIXTURE_TEST_CASE(unknown_fields_are_named_or_refused, BadInput) {
  const std::string body =
      with(with(claim_body("CLM-EXTRA"), "/patient_nickname", "\"x\""), "/service_lines/0/color", "\"red\"");
  const Answer lenient = api.post("/v1/claims/reviews", body);
  expect_ok(lenient);
  BOOST_TEST(lenient.header("X-Ignored-Fields").find("patient_nickname") != std::string::npos);
  BOOST_TEST(lenient.header("X-Ignored-Fields").find("service_lines[0].color") != std::string::npos);
  const Json strict =
      expect_error(api.post("/v1/claims/reviews", body, {{"Prefer", "handling=strict"}}), 400, "validation_error");
  BOOST_TEST(strict.has("/details/fields/patient_nickname"));
  BOOST_TEST(strict.has("/details/fields/service_lines[0].color"));
}

BOOST_FIXTURE_TEST_CASE(an_idempotency_key_is_checked, BadInput) {
  for (const auto& key : {std::string("with blank"), std::string(256, 'k'), std::string("k\xc3\xa4")})
    expect_error(api.post("/v1/claims/reviews", claim_body("X"), {{"Idempotency-Key", key}}), 400,
                 "invalid_idempotency_key");
  expect_ok(api.post("/v1/claims/reviews", claim_body("CLM-KEY"), {{"Idempotency-Key", std::string(255, 'k')}}));
  const Json reused = expect_error(
      api.post("/v1/claims/reviews", claim_body("CLM-OTHER"), {{"Idempotency-Key", std::string(255, 'k')}}), 422,
      "idempotency_key_reused");
  BOOST_TEST(!reused.has("/details/claim_identifier"));
  expect_error(api.get("/v1/claims/CLM-OTHER"), 404, "claim_not_found");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_read_is_refused_at_once, BadInput) {
  const auto import = [&](const std::string& body) { return api.post("/v1/imports/claims", body); };
  expect_error(import(R"({"format":"csv","payload":"not base64!"})"), 400, "validation_error");
  expect_error(import(R"({"format":"csv","payload":""})"), 400, "invalid_payload");
  expect_error(import(file_body("xls", "x")), 400, "unsupported_format");
  expect_error(import(file_body("csv", "x", R"(,"encoding":"zip")")), 400, "validation_error");
  expect_error(import(file_body("csv", "no gzip", R"(,"encoding":"gzip")")), 400, "invalid_payload");
  expect_error(import(file_body("csv", "no zstd", R"(,"encoding":"zstd")")), 400, "invalid_payload");
  expect_error(import(file_body("csv", "no such coding", R"(,"encoding":"deflate")")), 400, "validation_error");
  const std::string packed = gzip(kCsv + "CLM-GZ,CH-1,1234567893,1999999984,SAMPLE-80,10.00,99213,1,10.00\n");
  expect_error(import(file_body("csv", packed.substr(0, packed.size() - 5), R"(,"encoding":"gzip")")), 400,
               "invalid_payload");
  std::string damaged = packed;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);
  expect_error(import(file_body("csv", damaged, R"(,"encoding":"gzip")")), 400, "invalid_payload");
  expect_error(import(file_body("csv", gzip(std::string(4 << 20, 'x')), R"(,"encoding":"gzip")")), 413,
               "payload_too_large");
  expect_error(import(file_body("csv", "claim_identifier\nX\n")), 400, "invalid_payload");
  const Json unknown =
      expect_error(import(file_body("csv", kCsv, R"(,"mapping":{"no_such_field":"x"})")), 400, "validation_error");
  BOOST_TEST(first_fault(unknown, "mapping") == unknown.text("/message"));
  BOOST_TEST(unknown.text("/details/unknown/0") == "no_such_field");
  expect_error(api.post("/v1/remittances", file_body("x12_999", "x")), 400, "unsupported_format");
  expect_error(api.post("/v1/remittances", file_body("x12_835", "hello")), 400, "invalid_payload");
}

BOOST_AUTO_TEST_CASE(an_import_with_the_clients_own_key_is_made_once) {
  World world;
  const auto import = [&](const std::string& identifier, const std::string& external_id) {
    return world.api->post(
        "/v1/imports/claims",
        file_body("csv", kCsv + identifier + ",CH-1,1234567893,1999999984,SAMPLE-80,10.00,99213,1,10.00\n",
                  R"(,"external_id":")" + external_id + "\""));
  };
  const Json first = expect_ok(import("EXT-1", "file-1"));
  BOOST_TEST(first.text("/external_id") == "file-1");
  wait_for_import(*world.api, first.text("/job_id"));
  const Answer again = import("EXT-1", "file-1");
  BOOST_TEST(expect_ok(again).text("/job_id") == first.text("/job_id"));
  BOOST_TEST(again.json().text("/status") == "succeeded");
  BOOST_TEST(again.header("Idempotent-Replayed") == "true");
  const Json taken = expect_error(import("EXT-2", "file-1"), 409, "external_id_in_use");
  BOOST_TEST(taken.text("/details/job_id") == first.text("/job_id"));
  BOOST_TEST(taken.has("/details/fields/external_id"));
  BOOST_TEST(expect_ok(world.api->get("/v1/imports/claims")).size("/data") == 1u);
}

BOOST_AUTO_TEST_CASE(more_rows_than_one_import_takes_are_refused_at_once) {
  World world(stores().front(), [](ServiceFolder& folder) { folder.set("limits.import_rows", "3"); });
  const auto import = [&](int rows, const std::string& format) {
    std::string text;
    for (int i = 0; i < rows; ++i) text += claim_body("ROW-" + std::to_string(i)) + "\n";
    return world.api->post("/v1/imports/claims", file_body(format, text));
  };
  expect_ok(import(3, "ndjson"));
  BOOST_TEST(expect_error(import(4, "ndjson"), 413, "payload_too_large").integer("/details/max_rows") == 3);
  BOOST_TEST(expect_ok(world.api->get("/v1/imports/claims")).size("/data") == 1u);
}

BOOST_FIXTURE_TEST_CASE(unknown_query_parameters_are_named, BadInput) {
  const Json refusal = expect_error(api.get("/v1/deposits?stauts=unmatched&limit=5"), 400, "invalid_parameter");
  BOOST_TEST(refusal.text("/message").find("stauts") != std::string::npos);
  BOOST_TEST(refusal.has("/details/fields/stauts"));
  BOOST_TEST(refusal.size("/details/allowed") == 8u);
  expect_error(api.post("/v1/claims/reviews?dry_run=true", claim_body("CLM-QUERY")), 400, "invalid_parameter");
  expect_error(api.get("/v1/claims/CLM-QUERY"), 404, "claim_not_found");
}

BOOST_FIXTURE_TEST_CASE(a_trial_run_is_never_done_for_real, BadInput) {
  const std::string rows = kCsv + "DRY-1,CH-1,1234567893,1999999984,SAMPLE-80,10.00,99213,1,10.00\n";
  const Json trial = expect_ok(api.post("/v1/imports/claims", file_body("csv", rows, R"(,"dry_run":true)")));
  const Json tried = wait_for_import(api, trial.text("/job_id"));
  BOOST_TEST(tried.integer("/accepted_rows") == 1);
  BOOST_TEST(tried.flag("/dry_run"));
  expect_error(api.get("/v1/claims/DRY-1"), 404, "claim_not_found");
  const Json started = expect_ok(api.post("/v1/imports/claims", file_body("csv", rows, R"(,"dry_run":false)")));
  BOOST_TEST(wait_for_import(api, started.text("/job_id")).integer("/accepted_rows") == 1);

  expect_ok(api.post("/v1/claims/reviews?what_if=true", claim_body("CLM-WHAT-IF")));
  expect_error(api.get("/v1/claims/CLM-WHAT-IF"), 404, "claim_not_found");
}

BOOST_FIXTURE_TEST_CASE(a_remittance_is_checked, BadInput) {
  const std::string good = remittance_body("TRN-CHECKED", "CLM-NONE", "10.00");
  for (const char* status : {"", "0", "5", "24", "1 ", "A"}) {
    const Json refusal = expect_error(api.post("/v1/remittances", with(good, "/claims/0/status", quoted(status))), 400,
                                      "validation_error");
    BOOST_TEST(refusal.has("/details/fields/claims[0].status"), status);
  }
  std::string umlauts;
  for (int i = 0; i < 64; ++i) umlauts += "\xc3\xa4";
  expect_ok(api.post("/v1/remittances", with(good, "/claims/0/claim_identifier", test::quoted(umlauts))));
  expect_error(api.post("/v1/remittances", with(good, "/claims/0/claim_identifier", test::quoted(umlauts + "a"))), 400,
               "validation_error");

  std::string claims = "{}";
  for (int i = 1; i <= 10'000; ++i) claims += ",{}";
  expect_error(api.post("/v1/remittances", with(good, "/claims", "[" + claims + "]")), 413, "payload_too_large");

  std::string large(33 << 20, 'a');
  std::uint32_t dice = 1;
  for (char& c : large) c = static_cast<char>('a' + ((dice = dice * 1664525 + 1013904223) >> 31));
  expect_error(api.post("/v1/remittances", file_body("x12_835", gzip(large), R"(,"encoding":"gzip")")), 413,
               "payload_too_large");
}

BOOST_FIXTURE_TEST_CASE(amounts_in_another_currency_are_refused_wherever_they_stand, BadInput) {
  const std::string remittance =
      R"({"payer_id":"SAMPLE-80","trace_number":"TRN-CUR","payment_date":")" + day(0) +
      R"(","payment_amount":8.00,"currency":"USD","claims":[)" +
      R"({"claim_identifier":"CLM-CUR","status":"1","charge_amount":10.00,"paid_amount":8.00,"currency":"USD",)"
      R"("service_lines":[)" +
      R"({"cpt":"99213","charge_amount":10.00,"paid_amount":8.00,"currency":"USD","adjustments":[{"group":"CO",)"
      R"("code":"45","amount":2.00,"currency":"USD"}]}]}],)" +
      R"("provider_adjustments":[{"code":"WO","amount":0.00,"currency":"USD"}]})";
  for (const std::string place : {"", "/claims/0", "/claims/0/service_lines/0",
                                  "/claims/0/service_lines/0/adjustments/0", "/provider_adjustments/0"}) {
    const Answer answer = api.post("/v1/remittances", with(remittance, (place + "/currency").c_str(), "\"CAD\""));
    const Json refusal = expect_error(answer, 400, "validation_error");
    BOOST_TEST(answer.body.find("currency") != std::string::npos, place << ": " << answer.body);
    BOOST_TEST(answer.body.find("must be USD") != std::string::npos, place << ": " << answer.body);
  }
  expect_ok(api.post("/v1/remittances", remittance));
  const std::string deposit =
      R"({"payer_id":"SAMPLE-80","amount":8.00,"received_date":")" + day(0) + R"(","currency":"EUR"})";
  const Json refusal = expect_error(api.post("/v1/deposits", deposit), 400, "validation_error");
  BOOST_TEST(refusal.has("/details/fields/currency"));
}

BOOST_FIXTURE_TEST_CASE(a_status_update_is_checked, BadInput) {
  expect_ok(api.post("/v1/claims/reviews", claim_body("CLM-NOTED")));
  const auto update = [&](const std::string& more) {
    return api.patch("/v1/claims/CLM-NOTED/status", R"({"status":"submitted")" + more + "}");
  };
  for (const char* note : {"patient 123-45-6789 called", "123-45-6789", "mail to a.b+c@example.org", "<x@y.zz>"}) {
    const Json refusal = expect_error(update(R"(,"note":)" + quoted(note)), 400, "validation_error");
    BOOST_TEST(refusal.has("/details/fields/note"), note);
  }
  for (const char* moment : {"2026-11-20T25:00:00Z", "2026-11-20T10:00:00", "2026-11-20 10:00", "yesterday"}) {
    const Json refusal = expect_error(update(R"(,"effective_at":)" + quoted(moment)), 400, "validation_error");
    BOOST_TEST(refusal.has("/details/fields/effective_at"), moment);
  }
  BOOST_TEST(expect_error(update(R"(,"source":"system")"), 400, "validation_error").has("/details/fields/source"));
  for (const char* code : {"99999", "CO-45", "npi_check_digit", "denied by the payer"}) {
    const Json refusal =
        expect_error(update(R"(,"reason_code":)" + quoted(code) + R"(,"source":"x")"), 400, "validation_error");
    BOOST_TEST(refusal.has("/details/fields/reason_code"), code);
    BOOST_TEST(refusal.has("/details/fields/source"), code);
  }

  const std::string harmless = R"(,"note":"ref 1123-45-67890, 2 @ 5.00, 123-456-7890")";
  const Json moved =
      expect_ok(update(harmless + R"(,"reason_code":"NPI_CHECK_DIGIT","effective_at":"2026-11-20T02:30:00+02:00")"));
  BOOST_TEST(moved.text("/effective_at") == "2026-11-20T00:30:00.000Z");
  BOOST_TEST(moved.text("/reason_code") == "NPI_CHECK_DIGIT");
  expect_ok(update(R"(,"effective_at":)" + quoted(moved.text("/effective_at"))));
}

BOOST_FIXTURE_TEST_CASE(broken_rows_fail_alone, BadInput) {
  const std::string rows = kCsv +
                           "CSV-1,CH-1,1234567893,1999999984,SAMPLE-80,10.00,99213,1,10.00\n"
                           "CSV-2,CH-1,123,1999999984,SAMPLE-80,10.00,99213,1,10.00\n"
                           "CSV-3,CH-1,1234567893\n"
                           "CSV-4,CH-1,1234567893,1999999984,SAMPLE-80,ten,99213,1,10.00\n"
                           "CSV-5,CH-1,1234567893,1999999984,SAMPLE-80,10.00,99213,1,10.00\n";
  const Json started = expect_ok(api.post("/v1/imports/claims", file_body("csv", rows)));
  BOOST_TEST(started.text("/status") == "queued");
  const Json job = wait_for_import(api, started.text("/job_id"));
  BOOST_TEST(job.text("/status") == "succeeded");
  BOOST_TEST(job.integer("/total_rows") == 5);
  BOOST_TEST(job.integer("/accepted_rows") == 2);
  BOOST_TEST(job.integer("/rejected_rows") == 3);
  BOOST_REQUIRE_EQUAL(job.size("/errors"), 3u);
  std::set<std::int64_t> lines;
  for (const auto& error : job.at("/errors").GetArray()) lines.insert(error["details"]["line"].GetInt64());
  BOOST_TEST((lines == std::set<std::int64_t>{3, 4, 5}));
  expect_ok(api.get("/v1/claims/CSV-5"));
  expect_error(api.get("/v1/claims/CSV-2"), 404, "claim_not_found");

  const std::string of_job = "/v1/imports/claims/" + started.text("/job_id");
  const Answer errors = api.get(of_job + "/errors?limit=2");
  BOOST_TEST(errors.header("Content-Type") == "application/x-ndjson");
  BOOST_TEST(errors.header("Link") == '<' + of_job + "/errors?after_row=3&limit=2>; rel=\"next\"");
  BOOST_TEST(std::count(errors.body.begin(), errors.body.end(), '\n') == 2);
  const Answer results = api.get(of_job + "/results?after_row=3");
  BOOST_TEST(results.header("Link") == "");
  std::vector<Json> lines_left;
  for (std::istringstream text(results.body); text.peek() != std::char_traits<char>::eof();) {
    std::string line;
    std::getline(text, line);
    lines_left.emplace_back(line);
  }
  BOOST_REQUIRE_EQUAL(lines_left.size(), 2u);
  BOOST_TEST(lines_left[0].text("/error/error") == "validation_error");
  BOOST_TEST(lines_left[0].text("/error/details/field") == "submitted_amount");
  BOOST_TEST(lines_left[1].text("/review/claim_identifier") == "CSV-5");
  expect_error(api.get(of_job + "/results?limit=0"), 400, "invalid_parameter");
  expect_error(api.post(of_job + "/cancel", ""), 409, "invalid_state");
  BOOST_TEST(api.get("/v1/imports/claims?limit=100").body.find(started.text("/job_id")) != std::string::npos);

  const std::string all_bad = kCsv + "CSV-9,CH-1,123,1999999984,SAMPLE-80,10.00,99213,1,10.00\n";
  const Json failed =
      wait_for_import(api, expect_ok(api.post("/v1/imports/claims", file_body("csv", all_bad))).text("/job_id"));
  BOOST_TEST(failed.text("/status") == "failed");
}

BOOST_FIXTURE_TEST_CASE(a_row_in_another_currency_fails_alone, BadInput) {
  std::string header = kCsv;
  header.insert(header.size() - 1, ",currency");
  const std::string row = ",CH-1,1234567893,1999999984,SAMPLE-80,10.00,99213,1,10.00,";
  const Json started = expect_ok(
      api.post("/v1/imports/claims", file_body("csv", header + "CUR-1" + row + "CAD\nCUR-2" + row + "usd\n")));
  const Json job = wait_for_import(api, started.text("/job_id"));
  BOOST_TEST(job.integer("/accepted_rows") == 1);
  BOOST_TEST(job.integer("/rejected_rows") == 1);
  BOOST_TEST(text_of(job.root()).find("must be USD") != std::string::npos, text_of(job.root()));
  expect_error(api.get("/v1/claims/CUR-1"), 404, "claim_not_found");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cut_files)

BOOST_DATA_TEST_CASE(a_cut_835_stores_nothing, boost::unit_test::data::make(stores()), store) {
  std::string today = day(0);  // of the deposit below
  std::erase(today, '-');
  const std::string whole =
      "ISA*00*          *00*          *ZZ*SAMPLE80       *ZZ*PROVIDER       *260101*0000*^*00501*000000001*0*T*:~"
      "GS*HP*SAMPLE80*PROVIDER*20260105*0000*1*X*005010X221A1~ST*835*0001~BPR*I*790*C*ACH*CCP*01*999999992*DA*1*"
      "1999999984**01*"
      "999999992*DA*2*" +
      today +
      "~TRN*1*TRN-CUT*1999999984~N1*PR*SAMPLE "
      "PAYER*XV*SAMPLE-80~LX*1~CLP*CLM-CUT*1*1000*790**12*PCN1~"
      "SVC*HC:99213*1000*790**1~SE*7*0001~GE*1*1~IEA*1*000000001~";
  World world(store);
  const ApiClient& api = *world.api;
  fund(api, "CLM-CUT");
  expect_ok(api.post("/v1/deposits", deposit_body("TRN-CUT", "790.00")));
  const auto ledger = ledger_of(api);
  const Book book = book_of(api);
  for (const std::size_t at : {std::size_t{1}, std::size_t{50}, std::size_t{106}, whole.find("BPR") + 5,
                               whole.find("CLP"), whole.find("CLP") + 9, whole.find("SVC") + 4, whole.find("SE*"),
                               whole.find("GE*"), whole.find("IEA"), whole.size() - 2}) {
    BOOST_TEST_CONTEXT("cut after byte " << at)
    expect_error(api.post("/v1/remittances", file_body("x12_835", whole.substr(0, at))), 400, "invalid_payload");
  }
  BOOST_TEST((ledger_of(api) == ledger));
  BOOST_TEST((book_of(api).posted == book.posted));
  BOOST_TEST(book_of(api).posted_in("suspense_unmatched") == -79000);

  BOOST_TEST(expect_ok(api.post("/v1/remittances", file_body("x12_835", whole))).size("/records") == 1u);
  BOOST_TEST(book_of(api).posted_in("suspense_unmatched") == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
