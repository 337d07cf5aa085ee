// Two live secrets per client, rotation, revocation and expiry, over a real store.
#include "core/usecases/access/clients.hpp"
#include "core/usecases/access/issue_token.hpp"
#include "tests/fakes/plain_credentials.hpp"
#include "tests/usecases/world.hpp"

namespace tideover::tests {
namespace {

using domain::ErrorCode;
using domain::Scope;
using domain::ScopeSet;
using usecases::ClientChange;
using usecases::ClientWithSecrets;

constexpr std::int64_t kHour = 3600;

struct Bench {
  Bench() {
    caller.id = ids.next<domain::ClientId>();
    caller.tenant = tenant.id;
    caller.scopes = ScopeSet::all();
    commit([&](ports::Records& records) {
      records.clients().insert_tenant(tenant, clock.now());
      records.clients().insert(caller);
    });
  }
  void commit(const std::function<void(ports::Records&)>& unit) {
    BOOST_REQUIRE(bool(store->commit([&](ports::Records& records) -> domain::Status {
      unit(records);
      return {};
    })));
  }
  static std::unique_ptr<store::SqlStore> opened(const std::filesystem::path& file, const ports::EventEncoder& encoder,
                                                 const ports::FieldCipher& cipher) {
    store::StoreOptions options;
    options.sqlite_path = file;
    options.on_failure = [](std::string_view what) { BOOST_ERROR(what); };
    return std::move(*store::SqlStore::open(options, encoder, cipher));
  }
  usecases::RequestContext context(ScopeSet scopes = ScopeSet::all()) {
    usecases::RequestContext made;
    made.caller = {tenant.id, caller.id, domain::Environment::sandbox, tenant.profile, scopes};
    made.request_id = "req";
    made.operation = "test";
    made.now = clock.now();
    return made;
  }
  /// The last rendered client, with its secret.
  usecases::Clients::RenderClient keep() {
    return [this](const ClientWithSecrets& rendered) {
      last = rendered;
      return std::string("{}");
    };
  }
  /// A new client; its secret.
  std::string create(ScopeSet scopes = ScopeSet::from_bits(1)) {
    ClientChange wanted;
    wanted.name = "new";
    wanted.scopes = scopes;
    BOOST_REQUIRE(bool(clients.create(context(), wanted, keep())));
    client = last.client.id;
    return last.plain_secret;
  }
  domain::Result<usecases::StoredResponse> rotate(std::int64_t overlap_s) {
    return clients.rotate(context(), client.text(), overlap_s, keep());
  }
  std::optional<ErrorCode> token(const std::string& secret) {
    const auto issued = issue_token(context(), {client.text(), secret, "client_credentials", ""});
    return issued ? std::nullopt : std::optional(issued.error().code);
  }
  std::vector<domain::ClientSecret> secrets() {
    return *fetch(*store, [&](const ports::Records& records) { return records.clients().secrets(client); });
  }

  TemporaryFolder folder;
  KindEncoder encoder;
  fakes::PlainCipher cipher;
  fakes::FixedClock clock;
  fakes::CountingIds ids;
  fakes::PlainCredentials credentials;
  std::unique_ptr<store::SqlStore> store = opened(folder / "store.db", encoder, cipher);
  domain::Tenant tenant{ids.next<domain::TenantId>(), "tenant"};
  domain::Client caller;
  domain::ClientId client;
  ClientWithSecrets last;
  usecases::FailedAuthentications failures{{0, 1}};
  usecases::IssueToken issue_token{*store, credentials, clock, ids, failures, domain::Environment::sandbox, 3600};
  usecases::Clients clients{*store, credentials, clock, ids};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(client_secrets, Bench)

BOOST_AUTO_TEST_CASE(both_secrets_obtain_tokens_until_the_overlap_ends) {
  const auto first = create();
  BOOST_TEST(bool(rotate(24 * kHour)));
  const auto second = last.plain_secret;
  BOOST_TEST(second != first);
  BOOST_TEST(!token(first));
  BOOST_TEST(!token(second));
  clock.advance_s(24 * kHour - 1);
  BOOST_TEST(!token(first));
  clock.advance_s(1);
  BOOST_TEST((token(first) == ErrorCode::invalid_client));
  BOOST_TEST(!token(second));
}

BOOST_AUTO_TEST_CASE(at_most_two_secrets_are_live) {
  create();
  BOOST_TEST(bool(rotate(kHour)));
  const auto third = rotate(kHour);
  BOOST_REQUIRE(!third);
  BOOST_TEST((third.error().code == ErrorCode::invalid_state));
  clock.advance_s(kHour);
  BOOST_TEST(bool(rotate(0)));
  BOOST_TEST(secrets().size() == 3u);
  BOOST_TEST(secrets().back().number == 2);
  BOOST_TEST(!secrets()[1].is_live(clock.now()));
}

BOOST_AUTO_TEST_CASE(a_rotation_does_not_prolong_an_earlier_expiry) {
  create();
  BOOST_TEST(bool(rotate(kHour)));
  const auto revoked = clients.revoke(context(), client.text(), secrets()[1].id.text(), keep());
  BOOST_TEST(bool(revoked));
  const auto end = *secrets()[0].expires_at;
  BOOST_TEST(bool(rotate(48 * kHour)));
  BOOST_TEST((*secrets()[0].expires_at == end));
}

BOOST_AUTO_TEST_CASE(a_revoked_secret_obtains_no_token_and_the_other_one_still_does) {
  const auto first = create();
  BOOST_TEST(bool(rotate(kHour)));
  const auto second = last.plain_secret;
  BOOST_TEST(bool(clients.revoke(context(), client.text(), secrets()[0].id.text(), keep())));
  BOOST_TEST((token(first) == ErrorCode::invalid_client));
  BOOST_TEST(!token(second));
  const auto unknown = clients.revoke(context(), client.text(), "sec_01M7WNTFJ00000000000000009", keep());
  BOOST_REQUIRE(!unknown);
  BOOST_TEST((unknown.error().code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(the_last_use_is_written_once_an_hour) {
  const auto secret = create();
  const auto used = [&] { return secrets()[0].last_used_at; };
  BOOST_TEST(!used().has_value());
  const auto start = clock.now();
  BOOST_TEST(!token(secret));
  BOOST_TEST((used() == start));
  clock.advance_s(kHour - 1);
  BOOST_TEST(!token(secret));
  BOOST_TEST((used() == start));
  clock.advance_s(1);
  BOOST_TEST(!token(secret));
  BOOST_TEST((used() == clock.now()));
}

BOOST_AUTO_TEST_CASE(an_expired_client_obtains_no_token_and_no_token_outlives_it) {
  const auto secret = create();
  ClientChange change;
  change.expires_at = clock.now().plus_ms(100'000);
  BOOST_TEST(bool(clients.update(context(), client.text(), change, keep())));
  const auto issued = issue_token(context(), {client.text(), secret, "client_credentials", ""});
  BOOST_REQUIRE(bool(issued));
  BOOST_TEST(issued->expires_in_s == 100);
  clock.advance_s(100);
  BOOST_TEST((token(secret) == ErrorCode::invalid_client));
  change.expires_at = clock.now();
  const auto past = clients.update(context(), client.text(), change, keep());
  BOOST_REQUIRE(!past);
  BOOST_TEST(past.error().fields.front().path == "expires_at");
}

BOOST_AUTO_TEST_CASE(no_client_gives_or_takes_over_scopes_that_it_lacks) {
  create(ScopeSet::from_bits(3));
  const auto narrow = context(ScopeSet::from_bits(1));
  ClientChange wanted;
  wanted.name = "wide";
  wanted.scopes = ScopeSet::from_bits(3);
  const auto code_of = [](const auto& result) { return result ? std::nullopt : std::optional(result.error().code); };
  BOOST_TEST((code_of(clients.create(narrow, wanted, keep())) == ErrorCode::insufficient_scope));
  BOOST_TEST((code_of(clients.rotate(narrow, client.text(), 0, keep())) == ErrorCode::insufficient_scope));
  BOOST_TEST((code_of(clients.update(narrow, client.text(), {}, keep())) == ErrorCode::insufficient_scope));
  const auto first = secrets()[0].id.text();
  BOOST_TEST((code_of(clients.revoke(narrow, client.text(), first, keep())) == ErrorCode::insufficient_scope));
  BOOST_TEST(secrets().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_lost_scope_and_a_disabled_client_end_the_tokens_and_a_new_scope_does_not) {
  create(ScopeSet::from_bits(3));
  const auto epoch_after = [&](const ClientChange& change) {
    BOOST_TEST(bool(clients.update(context(), client.text(), change, keep())));
    return last.client.epoch;
  };
  ClientChange more, less, off, on;
  more.scopes = ScopeSet::from_bits(7);
  less.scopes = ScopeSet::from_bits(1);
  off.enabled = false;
  on.enabled = true;
  BOOST_TEST(epoch_after(more) == 0);
  BOOST_TEST(epoch_after(less) == 1);
  BOOST_TEST(epoch_after(off) == 2);
  BOOST_TEST(epoch_after(on) == 2);
}

BOOST_AUTO_TEST_CASE(a_client_whose_access_ends_gives_no_access_that_lasts_longer) {
  create(ScopeSet::from_bits(1));
  const auto lasting = client;
  const auto end = clock.now().plus_ms(100'000);
  caller.expires_at = end;
  commit([&](ports::Records& records) { BOOST_REQUIRE(records.clients().update(caller)); });
  ClientChange wanted;
  wanted.name = "successor";
  wanted.scopes = ScopeSet::from_bits(1);
  const auto refused_field = [](const auto& result) {
    return result || result.error().fields.empty() ? "" : result.error().fields.front().path;
  };
  BOOST_TEST(refused_field(clients.create(context(), wanted, keep())) == "expires_at");
  wanted.expires_at = end.plus_ms(1);
  BOOST_TEST(refused_field(clients.create(context(), wanted, keep())) == "expires_at");
  wanted.expires_at = end;
  BOOST_TEST(bool(clients.create(context(), wanted, keep())));

  ClientChange never, later, rename, wider;
  never.never_expires = true;
  later.expires_at = end.plus_ms(1);
  rename.name = "renamed";
  wider.scopes = ScopeSet::from_bits(3);
  for (const auto& change : {never, later})
    for (const auto& id : {caller.id, last.client.id, lasting})
      BOOST_TEST(refused_field(clients.update(context(), id.text(), change, keep())) == "expires_at");
  BOOST_TEST(bool(clients.update(context(), lasting.text(), rename, keep())));
  // Otherwise a second client would outlive the first with all that the first one may do.
  const auto code_of = [](const auto& result) { return result ? std::nullopt : std::optional(result.error().code); };
  BOOST_TEST((code_of(clients.update(context(), lasting.text(), wider, keep())) == ErrorCode::invalid_state));
  BOOST_TEST((code_of(clients.rotate(context(), lasting.text(), 0, keep())) == ErrorCode::invalid_state));
  wider.expires_at = end;
  BOOST_TEST(bool(clients.update(context(), lasting.text(), wider, keep())));
  BOOST_TEST(bool(clients.rotate(context(), lasting.text(), 0, keep())));
}

BOOST_AUTO_TEST_CASE(a_client_that_a_command_disabled_is_enabled_by_a_command_only) {
  create();
  commit([&](ports::Records& records) { BOOST_REQUIRE(records.clients().disable(client)); });
  ClientChange on;
  on.enabled = true;
  const auto refused = clients.update(context(), client.text(), on, keep());
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::invalid_state));
}

BOOST_AUTO_TEST_CASE(only_a_request_with_the_right_secret_is_counted_against_the_client) {
  const auto secret = create();
  std::vector<domain::ClientId> admitted;
  const auto ask = [&](const std::string& given, domain::Status answer) {
    return issue_token(context(), {client.text(), given, "client_credentials", ""}, [&](const domain::ClientId& id) {
      admitted.push_back(id);
      return answer;
    });
  };
  for (int i = 0; i < 5; ++i) BOOST_TEST(!ask("cs_test_wrong", {}));
  BOOST_TEST(admitted.empty());
  BOOST_TEST(bool(ask(secret, {})));
  BOOST_TEST((admitted == std::vector{client}));
  const auto refused = ask(secret, domain::Error::of(ErrorCode::rate_limited, "later"));
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::rate_limited));
}

BOOST_AUTO_TEST_CASE(an_unknown_id_is_refused_as_a_known_one) {
  usecases::FailedAuthentications counted{{1, 60}};
  const usecases::IssueToken issue{*store, credentials, clock, ids, counted, domain::Environment::sandbox, 3600};
  create();
  const auto refusals_of = [&](const std::string& id) {
    std::vector<ErrorCode> codes;
    for (int i = 0; i < 3; ++i)
      codes.push_back(issue(context(), {id, "cs_test_wrong", "client_credentials", ""}).error().code);
    return codes;
  };
  const std::vector expected{ErrorCode::invalid_client, ErrorCode::rate_limited, ErrorCode::rate_limited};
  for (int i = 0; i < 9; ++i)
    BOOST_TEST((refusals_of("cli_01M7WNTFJ0000000000000000" + std::to_string(i)) == expected));
  BOOST_TEST((refusals_of(client.text()) == expected));
}

BOOST_AUTO_TEST_CASE(a_client_cannot_disable_itself) {
  ClientChange off;
  off.enabled = false;
  const auto refused = clients.update(context(), caller.id.text(), off, keep());
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::invalid_state));
}

BOOST_AUTO_TEST_CASE(clients_of_another_tenant_do_not_exist) {
  create();
  auto foreign = context();
  foreign.caller.tenant = ids.next<domain::TenantId>();
  const auto refused = clients.rotate(foreign, client.text(), 0, keep());
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::not_found));
  BOOST_TEST(!clients.one(foreign.caller.tenant, client.text()));
  BOOST_TEST(clients.list(foreign.caller.tenant, {"", 9})->empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tideover::tests
