// What the pipeline decides before and around a handler.
#include <boost/test/unit_test.hpp>

#include "core/http/pipeline.hpp"
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
    if (token == "good") return ports::TokenClaims{};
    return token == "expired" ? ports::TokenFault::expired : ports::TokenFault::invalid;
  }
  std::string new_webhook_secret() const override { return {}; }
};

struct Bench {
  static http::RouteTable routes() {
    http::RouteTable table;
    table.add({.method = "POST", .pattern = "/v1/files", .scope = std::nullopt, .body = http::BodyKind::json, .handler = {}, .carries_file = true});
    table.add({.method = "POST", .pattern = "/v1/things", .scope = std::nullopt, .body = http::BodyKind::json, .handler = {}});
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

BOOST_AUTO_TEST_SUITE_END()
