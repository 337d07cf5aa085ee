#include "tests/fault/driver/test_service.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "core/clock/new_york_time.hpp"
#include "core/clock/ulid_source.hpp"
#include "core/crypto/key_ring.hpp"
#include "core/crypto/lasting_digest.hpp"
#include "core/crypto/ring_cipher.hpp"
#include "core/crypto/ring_credentials.hpp"
#include "core/events/deliverer.hpp"
#include "core/events/publisher.hpp"
#include "core/events/webhook_url.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/pipeline.hpp"
#include "core/http/wire/operations/event_json.hpp"
#include "core/jobs/payload_decoder.hpp"
#include "core/journal/file_journal.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/store/integrity/checkpoint_file.hpp"
#include "core/usecases/audit/verify_audit.hpp"
#include "core/usecases/audit/verify_ledger.hpp"
#include "core/usecases/funding/replay_journal.hpp"
#include "core/usecases/funding/resolve_disbursements.hpp"
#include "core/usecases/imports/run_import.hpp"
#include "tests/fakes/fake_payers.hpp"
#include "tests/fakes/fake_rules.hpp"
#include "tests/fakes/fixed_clock.hpp"
#include "tests/fakes/line_format.hpp"

namespace tideover::fault {
namespace {

/// Longer than every wait of the resolver and every lease.
constexpr std::chrono::seconds kRound{4000};
constexpr int kMostRounds = 12;
constexpr int kMostDeliveryRounds = 2000;
constexpr std::chrono::milliseconds kSubmitTimeout{100};

const auto kTenant = domain::TenantId::of({1, 1});
const auto kClient = domain::ClientId::of({1, 2});

template <class Value>
Value need(domain::Result<Value> result, const char* what) {
  if (!result) throw std::runtime_error(std::string(what) + ": " + result.error().message);
  return std::move(*result);
}

void need(const domain::Status& status, const char* what) {
  if (!status) throw std::runtime_error(std::string(what) + ": " + status.error().message);
}

crypto::KeyRing key_ring(const Site& site) {
  auto ring = crypto::KeyRing::open_or_create(site.folder / "keys");
  if (auto* error = std::get_if<crypto::KeyRingError>(&ring)) throw std::runtime_error(error->message);
  return std::get<crypto::KeyRing>(std::move(ring));
}

std::unique_ptr<store::SqlStore> open_store(const Site& site, const ports::EventEncoder& encoder,
                                            const ports::FieldCipher& cipher) {
  return need(store::SqlStore::open(site.store, encoder, cipher), "opening the store");
}

std::unique_ptr<plugin_host::PluginHost> load_rail(const Site& site, const ports::Clock& clock,
                                                   const ports::BankTime& bank_time) {
  const auto rail_named = [&](const char* id, const char* rail,
                              const std::filesystem::path& bank) -> plugin_host::PluginSpec {
    return {TIDEOVER_FAULT_RAIL,
            "funding_rail",
            id,
            {{"folder", bank.string()},
             {"rail", rail},
             {"recall", site.recall},
             {"final_on_accept", site.final_on_accept ? "1" : "0"},
             {"silence_ms", "0"}}};
  };
  std::vector<plugin_host::PluginSpec> rails{rail_named("fault", kRail, site.bank())};
  if (site.has_fallback) rails.push_back(rail_named("other", kOtherRail, site.other_bank()));
  return need(plugin_host::PluginHost::load(rails, {clock, bank_time, {}, {}}), "loading the rail");
}

/// A database of one process knows no nodes.
std::string node_of(const Site& site) {
  return site.store.driver == store::StoreOptions::Driver::sqlite ? "" : site.store.node;
}

/// The caller waits, and does the work of a worker meanwhile.
class CallInProgress final : public http::Exchange {
 public:
  explicit CallInProgress(http::Request request) : request_(std::move(request)) {}
  const http::Request& request() const override { return request_; }
  std::string take_body() override { return std::move(request_.body); }
  void answer(const http::Response& response) override {
    const std::lock_guard guard(mutex_);
    answered_ = response;
    changed_.notify_one();
  }
  void resume(std::function<void()> rest) override {
    const std::lock_guard guard(mutex_);
    rest_.push_back(std::move(rest));
    changed_.notify_one();
  }
  http::Response wait() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return answered_ || !rest_.empty(); });
      if (answered_) return *answered_;
      const auto rest = std::move(rest_.front());
      rest_.pop_front();
      lock.unlock();
      rest();
      lock.lock();
    }
  }

 private:
  http::Request request_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> rest_;
  std::optional<http::Response> answered_;
};

class StartedClock final : public fakes::FixedClock {
 public:
  explicit StartedClock(domain::Timestamp now) { advance_s((now.ms() - FixedClock::now().ms()) / 1000); }
};

class NoRemittanceFiles final : public ports::RemittanceFormats {
 public:
  ports::RemittanceFormat* find(std::string_view) override { return nullptr; }
  std::vector<std::string> names() const override { return {}; }
};

fakes::FakePayers one_payer() {
  fakes::FakePayers payers;
  domain::Payer payer;
  payer.payer_id = "PAYER";
  payer.rates = {0, 8000, 0, 21, 30};  // 1000.00 submitted, 800.00 expected, 640.00 advanced for 12.80
  payers.payers.push_back(payer);
  return payers;
}

/// The text behind `"name":"`, of an answer of the service.
std::string text_of(const std::string& json, const std::string& name) {
  const auto at = json.find('"' + name + "\":\"");
  if (at == std::string::npos) throw std::runtime_error("no " + name + " in: " + json);
  const auto from = at + name.size() + 4;
  return json.substr(from, json.find('"', from) - from);
}

}  // namespace

struct TestService::Parts {
  Parts(const Site& site, domain::Timestamp now)
      : clock(now),
        keys(key_ring(site)),
        node(node_of(site)),
        folder(site.folder),
        fallback(site.has_fallback ? R"(,"fallback":["OTHER"])" : ""),
        store(open_store(site, event_json, cipher)),
        plugins(load_rail(site, clock, bank_time)),
        journal(need(journal::FileJournal::open({site.folder / "rail-journal"}, clock), "opening the journal")) {}

  StartedClock clock;
  clock::NewYorkTime bank_time;
  clock::UlidSource ids{clock};
  crypto::KeyRing keys;
  crypto::RingCipher cipher{keys};
  crypto::LastingDigest digests{keys};
  crypto::RingCredentials credentials{keys};
  wire::EventJson event_json;
  const std::string node;
  const std::filesystem::path folder;
  const std::string fallback;  // member of `funding` in adjudications
  std::unique_ptr<store::SqlStore> store;
  std::unique_ptr<plugin_host::PluginHost> plugins;
  std::unique_ptr<journal::FileJournal> journal;
  fakes::FakePayers payers = one_payer();
  fakes::FakeRules rules;
  fakes::LineFormats import_formats;
  NoRemittanceFiles remittance_formats;
  jobs::PayloadDecoder decoder{{}};
  std::vector<domain::ReasonCode> reason_codes{
      {"29", "CARC", "Filed too late", {"CO"}, "timely_filing", "denial", "Appeal with proof", "", true, "", ""}};
  events::EgressPolicy egress{true, {443}};

  usecases::ReviewClaim review_claim{*store, payers, rules, digests, ids, reason_codes, 7};
  usecases::CreateAdjudication create_adjudication{
      *store, payers, rules, plugins->rails(), ids, digests, domain::TermsLimits{}, 7};
  usecases::Disburse disburse{
      *store, plugins->rails(), *journal, clock, ids, digests, {kSubmitTimeout, {5}, std::chrono::seconds(60), node}};
  usecases::ConfirmSettlement confirm_settlement{*store, rules, disburse, ids, {std::chrono::milliseconds(1), 1}};
  usecases::PayResidual pay_residual{*store, disburse, ids, true};
  usecases::CancelSettlement cancel_settlement{*store, ids};
  usecases::ChangeFunding change_funding{*store, payers, rules, plugins->rails(), ids, false};
  usecases::GetReconciliation get_reconciliation{*store};
  usecases::GetSettlement get_settlement{*store};
  usecases::StartImport start_import{*store, import_formats, decoder, digests, ids, 500'000};
  usecases::CancelImport cancel_import{*store, ids};
  usecases::ReadImports read_imports{*store};
  usecases::RunImport run_import{
      *store, review_claim, import_formats, decoder, clock, ids, {domain::Environment::sandbox, 3, 500'000, 60}};
  usecases::PostDeposit post_deposit{*store, payers, ids};
  usecases::ReturnDeposit return_deposit{*store, ids};
  usecases::PostRemittance post_remittance{*store, payers, remittance_formats, digests, ids};
  usecases::WebhookEndpoints webhook_endpoints{
      *store, credentials, ids, [this](std::string_view url) { return events::check_webhook_url(url, egress); }, 20};
  usecases::WebhookDeliveries webhook_deliveries{*store, ids};
  usecases::ResolveDisbursements resolve_disbursements{*store, disburse, clock, node};
  usecases::ReplayJournal replay_journal{*store, disburse, plugins->rails(), *journal, clock, ids, kSubmitTimeout};
  events::DispatcherOptions dispatching;
  events::DispatcherObserver observer;

  http::Auth auth{*store, credentials, clock, domain::Environment::sandbox};
  http::AccessTrail trail{*store, digests, clock, ids};
  http::Pipeline pipeline{routes(), auth, trail, *store, clock, ids, {}, [](const http::Served&) {}};
  std::string token;

  http::RouteTable routes() {
    http::RouteTable table;
    http::add_review_routes(table, review_claim);
    http::add_adjudication_routes(table, create_adjudication, plugins->rails());
    http::add_settlement_routes(table, confirm_settlement, cancel_settlement, get_settlement, get_reconciliation,
                                plugins->rails());
    http::add_funding_routes(table, change_funding, plugins->rails());
    http::add_payout_route(table, pay_residual, plugins->rails());
    http::add_import_routes(table, start_import, cancel_import, read_imports);
    http::add_deposit_routes(table, post_deposit, return_deposit);
    http::add_remittance_routes(table, post_remittance, decoder);
    http::add_webhook_routes(table, webhook_endpoints, webhook_deliveries);
    return table;
  }

  bool is_anything_open() {
    bool open = false;
    // Far enough in the future, whatever is open is due.
    need(store->read([&](const ports::Records& records) {
      open = !records.settlements().attempts_due(node, clock.now().plus_days(3650), 1).empty();
    }),
         "reading what is open");
    return open;
  }
};

TestService::TestService(const Site& site, domain::Timestamp now) : parts_(std::make_unique<Parts>(site, now)) {
  ports::TokenClaims claims;
  claims.client = kClient;
  claims.tenant = kTenant;
  claims.scopes = domain::ScopeSet::all();
  claims.issued_at_s = now.seconds();
  claims.expires_at_s = now.plus_days(30).seconds();
  parts_->token = parts_->credentials.seal_token(claims);
  parts_->dispatching.environment = domain::Environment::sandbox;
  parts_->dispatching.egress = parts_->egress;
}

TestService::~TestService() = default;

void TestService::settle_in() {
  need(parts_->store->commit([&](ports::Records& records) -> domain::Status {
    if (records.clients().tenant(kTenant)) return {};
    records.clients().insert_tenant({kTenant, "tenant", domain::ValidationProfile::lenient}, parts_->clock.now());
    domain::Client client;
    client.id = kClient;
    client.tenant = kTenant;
    client.name = "client";
    client.scopes = domain::ScopeSet::all();
    records.clients().insert(client);
    return {};
  }),
       "settling in");
}

http::Response TestService::call(const std::string& method, const std::string& path, const std::string& body,
                                 const std::string& key) {
  http::Request request;
  request.method = method;
  request.path = path;
  request.body = body;
  request.headers.add("Authorization", "Bearer " + parts_->token);
  if (!body.empty()) request.headers.add("Content-Type", "application/json");
  if (!key.empty()) request.headers.add("Idempotency-Key", key);
  const auto call = std::make_shared<CallInProgress>(std::move(request));
  parts_->pipeline.handle(call);
  return call->wait();
}

std::vector<Advance> TestService::advances(int count) {
  const auto expect = [](const http::Response& response) {
    if (response.status != 200) throw std::runtime_error("preparing failed: " + response.body);
    return response.body;
  };
  const std::string service_day = format_date(parts_->clock.now().utc_date().plus(-2));
  std::vector<Advance> advances;
  for (int i = 0; i < count; ++i) {
    const std::string claim = domain::ulid_text(parts_->ids.next_ulid());
    const auto review = expect(
        call("POST", "/v1/claims/reviews",
             R"({"claim_identifier":")" + claim + R"(","chart_identifier":"CH-)" + claim + R"(","date_of_service":")" +
                 service_day +
                 R"(","servicer_npi":"1234567893","billing_npi":"1999999984","patient_primary_payor_id":"PAYER",)"
                 R"("submitted_amount":1000.00})"));
    const auto terms =
        expect(call("POST", "/v1/claims/adjudications",
                    R"({"authorization_id":")" + text_of(review, "authorization_id") +
                        R"(","funding":{"rail":"FAULT")" + parts_->fallback + R"(},"payout_account_token":"tok_ok"})"));
    advances.push_back({text_of(terms, "settlement_id"), claim});
  }
  return advances;
}

http::Response TestService::ask(Errand errand, const std::string& settlement, const std::string& key) {
  return call("POST", "/v1/settlements/" + settlement + (errand == Errand::confirm ? "/confirm" : "/payouts"), "", key);
}

void TestService::pay_for(const Advance& advance) {
  const std::string day = format_date(parts_->clock.now().utc_date()), trace = "T" + advance.claim;
  const auto expect = [](const http::Response& response) {
    if (response.status != 200) throw std::runtime_error("preparing failed: " + response.body);
  };
  expect(confirm(advance.settlement, ""));
  expect(call(
      "POST", "/v1/deposits",
      R"({"payer_id":"PAYER","amount":800.00,"received_date":")" + day + R"(","trace_number":")" + trace + R"("})"));
  expect(call("POST", "/v1/remittances",
              R"({"payer_id":"PAYER","trace_number":")" + trace + R"(","payment_date":")" + day +
                  R"(","payment_amount":800.00,"claims":[{"claim_identifier":")" + advance.claim +
                  R"(","status":"1","charge_amount":1000.00,"paid_amount":800.00}]})"));
}

bool TestService::recover() {
  for (int round = 0; round < kMostRounds; ++round) {
    pass(kRound);
    const auto replayed = need(parts_->replay_journal(), "replaying the journal");
    (void)need(parts_->resolve_disbursements(), "resolving");
    if (replayed.undecided == 0 && !parts_->is_anything_open()) return true;
  }
  return false;
}

void TestService::work_on_imports() {
  for (int round = 0; round < kMostRounds; ++round) {
    pass(kRound);
    if (!need(parts_->run_import([] { return false; }), "importing")) return;
  }
  throw std::runtime_error("the import never ends");
}

void TestService::deliver_events() {
  events::Publisher publisher(*parts_->store, parts_->clock, parts_->dispatching);
  events::Deliverer deliverer(*parts_->store, parts_->clock, parts_->ids, parts_->dispatching, parts_->observer);
  while (need(publisher.publish_batch(), "publishing").events != 0) {
  }
  const auto is_anything_waiting = [&] {
    bool waiting = false;
    need(parts_->store->read([&](const ports::Records& records) {
      waiting = !records.events().due(parts_->clock.now().plus_days(3650), 1).empty();
    }),
         "reading deliveries");
    return waiting;
  };
  for (int round = 0; is_anything_waiting(); ++round) {
    if (round == kMostDeliveryRounds) throw std::runtime_error("deliveries never end");
    pass(std::chrono::minutes(1));  // behind the lease of a deliverer that was killed in a try
    deliverer.round(std::chrono::milliseconds(5));
    deliverer.finish(std::chrono::seconds(5));
  }
}

std::vector<std::string> TestService::events_of(const std::string& settlement) {
  std::vector<std::string> kinds;
  need(parts_->store->read([&](const ports::Records& records) {
    for (const auto& row : records.events().unpublished(1'000'000))
      if (row.data.find(settlement) != std::string::npos) kinds.push_back(row.kind);
  }),
       "reading events");
  return kinds;
}

std::vector<std::string> TestService::verify() {
  const store::CheckpointFile none(parts_->folder / "checkpoints", crypto::SigningKey(std::string(32, 'k')));
  std::vector<std::string> broken;
  for (const auto& found : {need(usecases::VerifyLedger(*parts_->store, none)(), "verifying the ledger"),
                            need(usecases::VerifyAudit(*parts_->store, none)(), "verifying the audit trail")})
    for (const auto& breach : found.first_breaches) broken.push_back(breach.where + ": " + breach.what);
  return broken;
}

void TestService::pass(std::chrono::seconds time) {
  parts_->clock.advance_s(time.count());
}

std::unique_ptr<sql::Database> open_past_the_store(const Site& site) {
  sql::DatabaseOptions options;
  if (site.store.driver == store::StoreOptions::Driver::sqlite)
    options.engine = sql::SqliteOptions{site.store.sqlite_path};
  else
    options.engine = site.store.mysql;
  return sql::Database::open(options);
}

}  // namespace tideover::fault
