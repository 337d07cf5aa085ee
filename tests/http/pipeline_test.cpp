// What the pipeline decides before and around a handler.
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <memory>

#include "core/http/pipeline.hpp"
#include "core/http/wire/event_json.hpp"
#include "core/store/sql/database.hpp"
#include "core/store/sql_store.hpp"
#include "tests/fakes/plain_cipher.hpp"
#include "tests/crypto/temp_folder.hpp"
#include "tests/fakes/counting_ids.hpp"
#include "tests/fakes/fixed_clock.hpp"

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
  void keep_secret(domain::Client&, std::string_view) const override {}
  bool secret_matches(const domain::Client*, std::string_view) const override { return false; }
  std::string seal_token(const ports::TokenClaims&) const override { return {}; }
  std::variant<ports::TokenClaims, ports::TokenFault> open_token(std::string_view token, std::int64_t) const override {
    if (token == "good") return good;
    return token == "expired" ? ports::TokenFault::expired : ports::TokenFault::invalid;
  }
  std::string new_webhook_secret() const override { return {}; }

  ports::TokenClaims good;
};

struct Bench {
  static http::RouteTable routes() {
    http::RouteTable table;
    table.add({.method = "POST", .pattern = "/v1/files", .scope = std::nullopt, .body = http::BodyKind::json, .handler = {}, .carries_file = true});
    table.add({.method = "POST", .pattern = "/v1/things", .scope = std::nullopt, .body = http::BodyKind::json, .handler = {}});
    table.add({.method = "GET", .pattern = "/v1/ledger", .scope = Scope::reconciliation_read, .handler = {}});
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
  http::Pipeline pipeline{routes(), auth, store, clock, ids, {domain::Environment::sandbox, 1000, 50'000}, [](const http::Served&) {}};
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
  /// The audit log has no reading port: nothing in the service reads it back.
  std::vector<std::string> audit() const {
    const auto database = sql::Database::open({.engine = sql::SqliteOptions{.file = file}});
    std::vector<std::string> rows;
    const auto reader = database->reader();
    for (const sql::Row& row : reader->query("SELECT client_id, operation, outcome FROM audit_rows"))
      rows.push_back(row.text(0) + " " + row.text(1) + " " + row.text(2));
    return rows;
  }

  testing::TempFolder folder;
  std::filesystem::path file = folder.path() / "store" / "tideover.db";
  wire::EventJson encoder;
  fakes::PlainCipher cipher;
  fakes::FixedClock clock;
  fakes::CountingIds ids;
  TwoTokens credentials;
  std::unique_ptr<store::SqlStore> sql = opened(file, encoder, cipher);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(http_pipeline, Bench)

BOOST_AUTO_TEST_CASE(only_a_token_of_ours_opens_the_way_for_a_large_body) {
  BOOST_TEST(limit_of("/v1/files", "Bearer good") == 50'000u);
  BOOST_TEST(limit_of("/v1/files", "bearer good") == 50'000u);
  BOOST_TEST(limit_of("/v1/files", "Bearer expired") == 50'000u);  // to be told so
  for (const char* header : {"", "Bearer", "Bearer ", "Bearer forged", "Basic good"}) BOOST_TEST(limit_of("/v1/files", header) == 1000u, header);
}

BOOST_AUTO_TEST_CASE(where_no_file_is_expected_a_token_changes_nothing) {
  BOOST_TEST(limit_of("/v1/things", "Bearer good") == 1000u);
  BOOST_TEST(limit_of("/v1/nowhere", "Bearer good") == 1000u);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_is_denied_for_its_scope_is_on_record, StoredBench) {
  http::Auth auth{*sql, credentials, clock, domain::Environment::sandbox};
  http::Pipeline pipeline{Bench::routes(), auth, *sql, clock, ids, {}, [](const http::Served&) {}};
  http::Request request;
  request.method = "GET";
  request.path = "/v1/ledger";
  request.headers.add("Authorization", "Bearer good");
  const std::string client = credentials.good.client.text();
  BOOST_TEST(pipeline.handle(request).status == 403);
  sql.reset();
  BOOST_TEST(audit() == std::vector<std::string>{client + " GET /v1/ledger insufficient_scope"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
