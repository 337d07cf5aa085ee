// What the pipeline decides before and around a handler.
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <memory>

#include "core/http/pipeline.hpp"
#include "core/http/wire/operations/event_json.hpp"
#include "core/http/wire/operations/rules_version.hpp"
#include "core/store/sql/database.hpp"
#include "core/store/sql_store.hpp"
#include "tests/crypto/temp_folder.hpp"
#include "tests/fakes/counting_ids.hpp"
#include "tests/fakes/fixed_clock.hpp"
#include "tests/fakes/plain_cipher.hpp"
#include "tests/fakes/plain_digest.hpp"
#include "tests/http/local_exchange.hpp"

using namespace tideover;
using domain::Scope;

namespace {

/// Nothing is stored, nothing is found.
class EmptyStore final : public ports::Store {
 public:
  domain::Status read(const std::function<void(const ports::Records&)>&) override { return {}; }
  domain::Status commit(const Unit&, ports::Priority) override { return {}; }
};

/// The tokens are "good" and "expired".
class TwoTokens final : public ports::Credentials {
 public:
  std::string new_client_secret(domain::Environment) const override { return {}; }
  void keep_secret(domain::ClientSecret&, std::string_view) const override {}
  bool secret_matches(const domain::ClientSecret*, std::string_view) const override { return false; }
  std::string seal_token(const ports::TokenClaims&) const override { return {}; }
  std::variant<ports::TokenClaims, ports::TokenFault> open_token(std::string_view token, std::int64_t) const override {
    ++opened;
    if (token == "good") return good;
    return token == "expired" ? ports::TokenFault::expired : ports::TokenFault::invalid;
  }
  std::string new_webhook_secret() const override { return {}; }

  ports::TokenClaims good;
  mutable int opened = 0;  // how often a token was
};

struct Bench {
  static http::RouteTable routes() {
    http::RouteTable table;
    table.add({.method = "POST",
               .pattern = "/v1/files",
               .scope = std::nullopt,
               .body = http::BodyKind::json,
               .handler = {},
               .carries_file = true});
    table.add({.method = "POST",
               .pattern = "/v1/things",
               .scope = std::nullopt,
               .body = http::BodyKind::json,
               .handler = {}});
    table.add({.method = "GET", .pattern = "/v1/ledger", .scope = Scope::reconciliation_read, .handler = {}});
    table.add({.method = "GET",
               .pattern = "/v1/patients/{id}",
               .scope = std::nullopt,
               .handler = [](http::Context&) -> domain::Result<http::Reply> { return http::Reply{"{}"}; },
               .shows_patients = true});
    return table;
  }
  std::size_t limit_of(const std::string& path, const std::string& authorization = "") const {
    http::Request head;
    head.method = "POST";
    head.path = path;
    if (!authorization.empty()) head.headers.add("Authorization", authorization);
    return pipeline.body_limit(head);
  }

  EmptyStore store;
  TwoTokens credentials;
  fakes::FixedClock clock;
  fakes::CountingIds ids;
  http::Auth auth{store, credentials, clock, domain::Environment::sandbox};
  fakes::PlainDigest digests;
  http::AccessTrail trail{store, digests, clock, ids};
  http::Pipeline pipeline{routes(),
                          auth,
                          trail,
                          store,
                          clock,
                          ids,
                          {domain::Environment::sandbox, 1000, 50'000},
                          [](const http::Served&) {}};
};

/// A pipeline over a store with one client, whose token carries no scope.
struct StoredBench {
  StoredBench() {
    const domain::Tenant tenant{ids.next<domain::TenantId>(), "tenant"};
    domain::Client client;
    client.id = ids.next<domain::ClientId>();
    client.tenant = tenant.id;
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      records.clients().insert_tenant(tenant, clock.now());
      records.clients().insert(client);
      return {};
    })));
    credentials.good.tenant = tenant.id;
    credentials.good.client = client.id;
  }
  static std::unique_ptr<store::SqlStore> opened(const std::filesystem::path& file, const ports::EventEncoder& encoder,
                                                 const ports::FieldCipher& cipher) {
    store::StoreOptions options;
    options.sqlite_path = file;
    options.on_failure = [](std::string_view what) { BOOST_ERROR(what); };
    return std::move(*store::SqlStore::open(options, encoder, cipher));
  }
  int asks(const std::string& path, const std::string& authorization) {
    http::Request request;
    request.method = "GET";
    request.path = path;
    if (!authorization.empty()) request.headers.add("Authorization", authorization);
    return tests::answer_of(pipeline, request).status;
  }
  /// What the database holds, past the store, which ends here.
  std::vector<std::string> rows(sql::Sql query) {
    sql.reset();
    const auto database = sql::Database::open({.engine = sql::SqliteOptions{.file = file}});
    std::vector<std::string> rows;
    const auto reader = database->reader();
    for (const sql::Row& row : reader->query(query)) rows.push_back(row.text(0));
    return rows;
  }
  std::vector<std::string> audit() {
    return rows(
        "SELECT client_id || ' ' || operation || ' ' || outcome || ' ' || times FROM audit_rows ORDER BY position");
  }
  std::vector<std::string> objects() { return rows("SELECT object_id FROM audit_rows ORDER BY position"); }

  testing::TempFolder folder;
  std::filesystem::path file = folder.path() / "store" / "tideover.db";
  wire::EventJson encoder;
  fakes::PlainCipher cipher;
  fakes::FixedClock clock;
  fakes::CountingIds ids;
  fakes::PlainDigest digests;
  TwoTokens credentials;
  std::unique_ptr<store::SqlStore> sql = opened(file, encoder, cipher);
  http::Auth auth{*sql, credentials, clock, domain::Environment::sandbox};
  http::AccessTrail trail{*sql, digests, clock, ids};
  http::Pipeline pipeline{Bench::routes(), auth, trail, *sql, clock, ids, {}, [](const http::Served&) {}};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(http_pipeline, Bench)

BOOST_AUTO_TEST_CASE(only_a_token_of_this_service_permits_a_large_body) {
  BOOST_TEST(limit_of("/v1/files", "Bearer good") == 50'000u);
  BOOST_TEST(limit_of("/v1/files", "bearer good") == 50'000u);
  BOOST_TEST(limit_of("/v1/files", "Bearer expired") == 50'000u);  // so that the refusal says so
  for (const char* header : {"", "Bearer", "Bearer ", "Bearer forged", "Basic good"})
    BOOST_TEST(limit_of("/v1/files", header) == 1000u, header);
}

BOOST_AUTO_TEST_CASE(a_token_changes_nothing_where_no_file_is_expected) {
  BOOST_TEST(limit_of("/v1/things", "Bearer good") == 1000u);
  BOOST_TEST(limit_of("/v1/nowhere", "Bearer good") == 1000u);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_is_denied_for_its_scope_is_on_record, StoredBench) {
  BOOST_TEST(asks("/v1/ledger", "Bearer good") == 403);
  BOOST_TEST(
      audit() == std::vector<std::string>{credentials.good.client.text() + " GET /v1/ledger insufficient_scope 1"},
      boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_call_without_a_good_token_is_on_record_for_no_tenant, StoredBench) {
  for (const char* header : {"", "Bearer expired", "Bearer forged"}) BOOST_TEST(asks("/v1/ledger", header) == 401);
  BOOST_TEST(audit() == (std::vector<std::string>{" GET /v1/ledger unauthorized 1", " GET /v1/ledger token_expired 1",
                                                  " GET /v1/ledger token_invalid 1"}),
             boost::test_tools::per_element());
}

namespace {

http::Request post_head(const std::string& path, const std::string& token, const std::string& type) {
  http::Request head;
  head.method = "POST";
  head.path = path;
  if (!token.empty()) head.headers.add("Authorization", "Bearer " + token);
  head.headers.add("Content-Type", type);
  return head;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_head_is_refused_as_its_whole_request_would_be, StoredBench) {
  const std::string json = "application/json";
  const auto status_of = [&](const http::Request& head) {
    const auto judged = pipeline.judge_head(head);
    return judged ? judged->status : 0;
  };
  BOOST_TEST(status_of(post_head("/v1/things", "", json)) == 401);
  BOOST_TEST(status_of(post_head("/v1/things", "forged", json)) == 401);
  BOOST_TEST(status_of(post_head("/v1/nowhere", "good", json)) == 404);
  BOOST_TEST(status_of(post_head("/v1/ledger", "good", json)) == 405);
  BOOST_TEST(status_of(post_head("/v1/things", "good", "text/plain")) == 415);
  auto parameter = post_head("/v1/things", "good", json);
  parameter.query = "unknown=1";
  BOOST_TEST(status_of(parameter) == 400);
  auto reads = post_head("/v1/ledger", "good", json);
  reads.method = "GET";
  BOOST_TEST(status_of(reads) == 403);
  // The body decides about these, and a key is taken with it.
  auto keyed = post_head("/v1/things", "good", json);
  keyed.headers.add("Idempotency-Key", "key");
  for (int i = 0; i < 2; ++i) BOOST_TEST(status_of(keyed) == 0);
  const auto whole = tests::answer_of(pipeline, post_head("/v1/things", "", json));
  const auto refused = pipeline.judge_head(post_head("/v1/things", "", json));
  BOOST_TEST(*refused->headers.find("WWW-Authenticate") == *whole.headers.find("WWW-Authenticate"));
  BOOST_TEST(*refused->headers.find("Content-Type") == "application/json");
}

BOOST_FIXTURE_TEST_CASE(a_token_is_opened_for_its_first_call_and_not_again_until_it_expires, StoredBench) {
  credentials.good.expires_at_s = clock.now().seconds() + 60;
  for (int i = 0; i < 3; ++i) BOOST_TEST(asks("/v1/patients/1", "Bearer good") == 200);
  BOOST_TEST(credentials.opened == 1);
  BOOST_TEST(asks("/v1/patients/1", "Bearer gooD") == 401);
  BOOST_TEST(credentials.opened == 2);
  clock.advance_s(60);
  (void)asks("/v1/patients/1", "Bearer good");
  BOOST_TEST(credentials.opened == 3);
}

BOOST_FIXTURE_TEST_CASE(a_token_of_a_revoked_secret_or_an_expired_client_is_refused, StoredBench) {
  const auto& good = credentials.good;
  domain::ClientSecret revoked;
  revoked.id = ids.next<domain::ClientSecretId>();
  revoked.number = 3;
  revoked.digest = std::string(32, 'd');
  revoked.revoked_at = clock.now();
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    records.clients().insert_secret(good.client, revoked);
    return {};
  })));
  const auto fresh_status = [&] {
    http::Auth fresh{*sql, credentials, clock, domain::Environment::sandbox};
    const std::string header = "Bearer good";
    return bool(fresh.caller_of(&header));
  };
  credentials.good.secret_number = 2;
  BOOST_TEST(fresh_status());
  credentials.good.secret_number = 3;
  BOOST_TEST(!fresh_status());
  credentials.good.secret_number = 2;
  credentials.good.expires_at_s = clock.now().seconds() + 60;
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    auto client = records.clients().find(good.client);
    client->expires_at = clock.now().plus_ms(10'000);
    BOOST_TEST(records.clients().update(*client));
    return {};
  })));
  BOOST_TEST(fresh_status());
  clock.advance_s(10);
  BOOST_TEST(!fresh_status());
}

BOOST_FIXTURE_TEST_CASE(a_flood_of_forged_tokens_costs_two_rows_a_minute, StoredBench) {
  for (int minute = 0; minute < 2; ++minute) {
    for (int call = 0; call < 500; ++call) asks("/v1/ledger", "Bearer forged");
    clock.advance_s(60);
  }
  trail.write_counted();
  BOOST_TEST(
      audit() == (std::vector<std::string>{" GET /v1/ledger token_invalid 1", " GET /v1/ledger token_invalid 499",
                                           " GET /v1/ledger token_invalid 1", " GET /v1/ledger token_invalid 499"}),
      boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_read_of_patient_data_records_the_client_and_not_the_patient, StoredBench) {
  BOOST_TEST(asks("/v1/patients/CLM-77", "Bearer good") == 200);
  const auto rows = audit();
  BOOST_TEST(rows == std::vector<std::string>{credentials.good.client.text() + " GET /v1/patients/{id} ok 1"},
             boost::test_tools::per_element());
  BOOST_TEST(objects() == std::vector<std::string>{digests.digest("audit-object-v1",
                                                                  credentials.good.tenant.text() + "\nCLM-77")},
             boost::test_tools::per_element());
}

namespace {

/// A route that keeps its answer as reviews do, or refuses once `refuses` is set.
struct KeptAnswers : StoredBench {
  bool refuses = false;
  int runs = 0;
  std::string fixed_body = "";  // in place of the number of the run
  int kept_days = 1;

  http::RouteTable routes() {
    http::RouteTable table;
    http::Route route{"POST", "/v1/things", std::nullopt, http::BodyKind::none, {}};
    route.names_rules = true;
    route.answer_retention_days = kept_days;
    route.starter = [this](http::Context& context,
                           const http::Later& later) -> std::optional<domain::Result<http::Reply>> {
      const std::string run = "run " + std::to_string(++runs);
      const std::string body = fixed_body.empty() ? run : fixed_body;
      if (refuses) return domain::Error::of(domain::ErrorCode::validation_error, "no longer");
      const auto done = sql->commit([&](ports::Records& records) -> domain::Status {
        usecases::leave_trace(records, context.request_context, ids, "thing", body);
        return {};
      });
      http::Reply answer{body};
      answer.rules_version = "of run " + std::to_string(runs);
      later(done ? domain::Result<http::Reply>(answer) : done.error());
      return std::nullopt;
    };
    table.add(std::move(route), {"other"});
    return table;
  }
  http::Response post(http::Pipeline& asked, const std::string& path_query = "") {
    http::Request request;
    request.method = "POST";
    request.path = "/v1/things";
    request.query = path_query;
    request.headers.add("Authorization", "Bearer good");
    request.headers.add("Idempotency-Key", "key");
    return tests::answer_of(asked, request);
  }
  /// One that has seen no key yet, as after a restart.
  std::unique_ptr<http::Pipeline> fresh() {
    return std::make_unique<http::Pipeline>(routes(), auth, trail, *sql, clock, ids, http::PipelineOptions{},
                                            [](const http::Served&) {});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_key_that_this_process_knows_is_looked_up_before_the_work, KeptAnswers) {
  const auto one = fresh();
  BOOST_TEST(post(*one).body == "run 1");
  const auto again = post(*one);
  BOOST_TEST(again.body == "run 1");
  BOOST_TEST(*again.headers.find("Idempotent-Replayed") == "true");
  BOOST_TEST(runs == 1);
}

BOOST_FIXTURE_TEST_CASE(a_key_of_another_life_collides_and_gets_its_answer, KeptAnswers) {
  BOOST_TEST(post(*fresh()).body == "run 1");
  const auto again = post(*fresh());
  BOOST_TEST(again.body == "run 1");
  BOOST_TEST(*again.headers.find("Idempotent-Replayed") == "true");
  BOOST_TEST(runs == 2);
}

BOOST_FIXTURE_TEST_CASE(a_completed_request_is_replayed_even_if_it_would_be_refused_now, KeptAnswers) {
  BOOST_TEST(post(*fresh()).body == "run 1");
  refuses = true;
  const auto again = post(*fresh());
  BOOST_TEST(again.status == 200);
  BOOST_TEST(again.body == "run 1");
  const auto other = post(*fresh(), "other=1");
  BOOST_TEST(other.status == 422);
}

BOOST_FIXTURE_TEST_CASE(an_answer_is_kept_for_the_days_of_its_route, KeptAnswers) {
  for (const int days : {1, 30}) {
    kept_days = days;
    const int runs_before = runs;
    BOOST_TEST(post(*fresh()).status == 200);
    BOOST_TEST(runs == runs_before + 1);
    clock.advance_s(days * std::int64_t{86'400} - 1);
    BOOST_TEST(*post(*fresh()).headers.find("Idempotent-Replayed") == "true");
    clock.advance_s(1);
    const auto after = post(*fresh());
    BOOST_TEST(after.status == 200);
    BOOST_TEST(!after.headers.find("Idempotent-Replayed"));
    clock.advance_days(days);
  }
}

BOOST_FIXTURE_TEST_CASE(rules_version_is_the_value_of_the_handler_and_on_a_replay_that_of_the_stored_body,
                        KeptAnswers) {
  fixed_body = R"({"claim":"\"rules_version\":\"x\"","details":{"rules_version":"x"},"model":{"rules_version":"7"}})";
  BOOST_TEST(*post(*fresh()).headers.find("Rules-Version") == "of run 1");
  const auto again = post(*fresh());
  BOOST_TEST(*again.headers.find("Idempotent-Replayed") == "true");
  BOOST_TEST(*again.headers.find("Rules-Version") == "7");
}

namespace {

/// Two reads in a burst, then one per second; one request at a time.
struct Limited : StoredBench {
  static http::RateLimits reads() {
    http::RateLimits limits;
    limits.rates[static_cast<std::size_t>(http::RateClass::read)] = {1, 2};
    limits.in_flight = 1;
    return limits;
  }
  http::Response get(const std::string& path, const std::string& authorization) {
    http::Request request;
    request.method = "GET";
    request.path = path;
    request.headers.add("Authorization", authorization);
    return tests::answer_of(limited, request);
  }
  std::string header(const http::Response& response, std::string_view name) {
    const auto* value = response.headers.find(name);
    return value ? *value : "";
  }

  http::RateLimiter limiter{reads(), {}};
  http::RouteTable routes() {
    auto table = Bench::routes();
    table.add({.method = "GET",
               .pattern = "/v1/nested",
               .scope = std::nullopt,
               .handler = [this](http::Context&) -> domain::Result<http::Reply> {
                 nested = get("/v1/patients/2", "Bearer good");
                 return http::Reply{"{}"};
               }});
    return table;
  }
  http::Response nested{0, {}, {}};
  http::Pipeline limited{routes(),
                         auth,
                         trail,
                         *sql,
                         clock,
                         ids,
                         {domain::Environment::sandbox, 1000, 1000, &limiter},
                         [](const http::Served&) {}};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_client_beyond_its_rate_is_refused_with_the_headers_of_its_limits, Limited) {
  const auto first = get("/v1/patients/1", "Bearer good");
  BOOST_TEST(header(first, "RateLimit-Policy") == R"("read";q=1;w=1)");
  BOOST_TEST(header(first, "RateLimit") == R"("read";r=1;t=1)");
  BOOST_TEST(get("/v1/patients/1", "Bearer good").status == 200);
  const auto refused = get("/v1/patients/1", "Bearer good");
  BOOST_TEST(refused.status == 429);
  BOOST_TEST(header(refused, "RateLimit").starts_with(R"("read";r=0;t=)"));
  BOOST_TEST(header(refused, "Retry-After") == "1");
  for (const char* part : {R"("error":"rate_limited")", R"("reason":"rate")", R"("retryable":true)"})
    BOOST_TEST(refused.body.find(part) != std::string::npos, part);
}

BOOST_FIXTURE_TEST_CASE(a_response_without_a_caller_names_the_policy_and_takes_no_token, Limited) {
  for (int i = 0; i < 5; ++i) {
    const auto refused = get("/v1/patients/1", "Bearer forged");
    BOOST_TEST(refused.status == 401);
    BOOST_TEST(header(refused, "RateLimit-Policy") == R"("read";q=1;w=1)");
    BOOST_TEST(header(refused, "RateLimit") == "");
  }
  BOOST_TEST(get("/v1/patients/1", "Bearer good").status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_judged_head_is_counted_when_it_is_refused, Limited) {
  http::Request head;
  head.method = "GET";
  head.path = "/v1/patients/1";
  head.headers.add("Authorization", "Bearer good");
  for (int i = 0; i < 5; ++i) BOOST_TEST(!limited.judge_head(head));
  head.path = "/v1/ledger";  // lacks the scope
  const auto refused = limited.judge_head(head);
  BOOST_TEST_REQUIRE(refused.has_value());
  BOOST_TEST(refused->status == 403);
  BOOST_TEST(header(*refused, "RateLimit") == R"("read";r=1;t=1)");
}

BOOST_FIXTURE_TEST_CASE(a_request_during_another_of_its_client_is_refused_and_the_next_is_not, Limited) {
  BOOST_TEST(get("/v1/nested", "Bearer good").status == 200);
  BOOST_TEST(nested.status == 429);
  BOOST_TEST(nested.body.find(R"("reason":"concurrency")") != std::string::npos);
  BOOST_TEST(get("/v1/patients/1", "Bearer good").status == 200);
}

BOOST_FIXTURE_TEST_CASE(without_a_limiter_no_response_has_rate_headers, StoredBench) {
  http::Request request;
  request.method = "GET";
  request.path = "/v1/patients/1";
  request.headers.add("Authorization", "Bearer good");
  const auto response = tests::answer_of(pipeline, request);
  BOOST_TEST(response.status == 200);
  for (const char* name : {"RateLimit-Policy", "RateLimit"}) BOOST_TEST(!response.headers.find(name), name);
}

BOOST_AUTO_TEST_CASE(a_stored_body_names_its_rules_at_the_place_of_its_kind) {
  BOOST_TEST(wire::rules_version_of(R"({"id":"r","model":{"rules_version":"7"}})") == "7");
  BOOST_TEST(wire::rules_version_of(R"({"settlement_id":"s","rules_version":"8"})") == "8");
  for (const char* body : {R"({"claim":"\"rules_version\":\"x\""})", R"({"details":{"rules_version":"x"}})",
                           R"({"rules_version":7})", R"(["rules_version"])", "run 1", ""})
    BOOST_TEST(wire::rules_version_of(body) == "", body);
}

BOOST_AUTO_TEST_SUITE_END()
