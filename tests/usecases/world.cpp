#include "tests/usecases/world.hpp"

#include <sqlite3.h>

#include <cstdlib>
#include <future>

#include "core/usecases/audit/verify_audit.hpp"
#include "core/usecases/audit/verify_ledger.hpp"

namespace tideover::tests {
namespace {

const char* kDatabase = "tideover.db";

std::string review_body(const domain::Review& review) {
  return review.authorization_id.text();
}
std::string confirmation_body(const usecases::Confirmation& confirmation) {
  return "funded " + confirmation.settlement.id.text() + ' ' + format_money(*confirmation.settlement.funded_amount) +
         ' ' + format_timestamp(*confirmation.settlement.funded_at) + ' ' + confirmation.transfer.text();
}
std::string refusal_body(const domain::Error& error) {
  return "refused " + std::string(name_of(error.code));
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tideover-usecases-XXXXXX").string();
  BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

domain::PostingSizes posting_sizes_of_environment() {
  const char* given = std::getenv("TIDEOVER_TEST_CHUNK");
  if (!given) return {};
  const std::size_t size = std::stoul(given);
  return {size, size};
}

World::World(domain::PostOn post_on, const domain::PostingSizes& sizes) : database_(folder / kDatabase) {
  store::StoreOptions options;
  options.sqlite_path = database_;
  options.on_failure = [](std::string_view what) { BOOST_TEST_MESSAGE("store: " << what); };
  auto opened = store::SqlStore::open(options, encoder, cipher);
  BOOST_REQUIRE_MESSAGE(opened, "the store does not open");
  sql = std::move(*opened);
  store = std::make_unique<fakes::InterruptedStore>(*sql);

  const domain::Tenant tenant{ids.next<domain::TenantId>(), "tenant", domain::ValidationProfile::lenient, post_on};
  caller = {tenant.id, ids.next<domain::ClientId>(), domain::Environment::sandbox, tenant.profile,
            domain::ScopeSet::all()};
  const auto kept = sql->commit([&](ports::Records& records) -> domain::Status {
    records.clients().insert_tenant(tenant, clock.now());
    return {};
  });
  BOOST_REQUIRE(bool(kept));

  // Pays everything that it allows, within 30 days: 1000.00 submitted, 800.00 expected, 640.00 advanced for 12.80.
  domain::Payer payer;
  payer.payer_id = "PAYER";
  payer.aliases = {"ALIAS"};
  payer.rates = {0, 8000, 0, 21, 30};
  payers.payers.push_back(payer);

  const usecases::RunImportOptions import_options{domain::Environment::sandbox, 3, 500'000, 60};
  review_claim = std::make_unique<usecases::ReviewClaim>(*store, payers, rules, digests, ids, reason_codes, 7);
  create_adjudication = std::make_unique<usecases::CreateAdjudication>(*store, payers, rules, rails, ids, digests,
                                                                       domain::TermsLimits{}, 7);
  usecases::DisburseOptions disburse_options;
  disburse_options.rules = &rules;
  disburse = std::make_unique<usecases::Disburse>(*store, rails, journal, clock, ids, digests, disburse_options);
  confirm_settlement = std::make_unique<usecases::ConfirmSettlement>(
      *store, rules, *disburse, ids, usecases::ConfirmOptions{std::chrono::milliseconds(0)});
  resolve_disbursements = std::make_unique<usecases::ResolveDisbursements>(*store, *disburse, clock, "");
  post_in_chunks = std::make_unique<usecases::PostInChunks>(*store, ids, &rules, sizes);
  post_deposit = std::make_unique<usecases::PostDeposit>(*store, payers, ids, &rules, sizes);
  post_remittance =
      std::make_unique<usecases::PostRemittance>(*store, payers, remittance_formats, digests, ids, &rules, sizes);
  update_claim_status = std::make_unique<usecases::UpdateClaimStatus>(*store, ids);
  start_import = std::make_unique<usecases::StartImport>(*store, import_formats, decoder, digests, ids, 500'000);
  run_import =
      std::make_unique<usecases::RunImport>(*store, *review_claim, import_formats, decoder, clock, ids, import_options);
}

void World::teardown() {
  domain::Money posted, open;
  for (const auto& balance :
       seen([&](const ports::Records& records) { return records.ledger().balances(caller.tenant, "", 10'000); })) {
    posted += balance.posted;
    open += balance.pending;
  }
  BOOST_TEST(posted == domain::Money{}, "the posted ledger does not sum to zero");
  BOOST_TEST(open == domain::Money{}, "the pending ledger does not sum to zero");
  for (const auto* rail : {&same_day, &rtp})
    for (const auto& [key, payment] : rail->payments())
      BOOST_TEST(payment.count == 1, "one key was paid more than once");
  verify();
}

usecases::OwnWitness World::own_witness() {
  return {
      [this] { return domain::Result(std::shared_ptr<const ports::RailJournal>(std::shared_ptr<void>(), &journal)); },
      clock, ""};
}

void World::verify() {
  const auto ledger = usecases::VerifyLedger(*sql, checkpoints, own_witness())();
  const auto audit = usecases::VerifyAudit(*sql, checkpoints)();
  for (const auto* found : {&ledger, &audit}) {
    BOOST_REQUIRE_MESSAGE(*found, "verifying failed: " << why(*found));
    for (const auto& breach : (*found)->first_breaches) BOOST_ERROR(breach.where << ": " << breach.what);
  }
}

usecases::RequestContext World::context(const std::string& operation, const std::string& key) {
  usecases::RequestContext context{caller, "req", operation, clock.now(), std::nullopt};
  if (!key.empty())
    context.idempotency = usecases::IdempotencyClaim{key, operation + ' ' + key, std::string(64, 'f'), 30};
  return context;
}

domain::ClaimDraft World::draft(const std::string& identifier, std::int64_t cents) {
  domain::ClaimDraft claim;
  claim.claim_identifier = identifier;
  claim.chart_identifier = domain::Sensitive<std::string>("CHART-" + identifier);
  claim.servicer_npi = claim.billing_npi = "1234567893";
  claim.payer_id = "PAYER";
  claim.submitted_amount = domain::Money::cents(cents);
  claim.date_of_service = clock.now().utc_date().plus(-2);
  return claim;
}

domain::Result<usecases::StoredResponse> World::try_review(const domain::ClaimDraft& claim, const std::string& key) {
  std::promise<domain::Result<usecases::StoredResponse>> answer;
  const auto started = review_claim->start(context("review", key), claim, review_body,
                                           [&](auto given) { answer.set_value(std::move(given)); });
  if (!started) return started.error();
  return answer.get_future().get();
}

domain::Review World::review(const domain::ClaimDraft& claim, const std::string& key) {
  const auto answer = try_review(claim, key);
  BOOST_REQUIRE_MESSAGE(answer, "the review was refused: " << why(answer));
  return *seen([&](const ports::Records& records) {
    return records.reviews().find(caller.tenant, *domain::AuthorizationId::parse(answer->body));
  });
}

domain::Result<usecases::StoredResponse> World::try_adjudicate(const std::string& authorization,
                                                               const std::string& rail, const std::string& key) {
  return (*create_adjudication)(context("adjudicate", key),
                                {authorization, rail, std::nullopt, domain::Sensitive<std::string>("tok_ok")},
                                [](const usecases::SettlementView& view) { return view.settlement.id.text(); });
}

domain::Settlement World::adjudicate(const domain::Review& review, const std::string& rail) {
  const auto answer = try_adjudicate(review.authorization_id.text(), rail);
  BOOST_REQUIRE_MESSAGE(answer, "the adjudication was refused: " << why(answer));
  return settlement(*domain::SettlementId::parse(answer->body));
}

domain::Result<usecases::StoredResponse> World::try_confirm(const domain::SettlementId& id, const std::string& key) {
  return (*confirm_settlement)(context("confirm " + id.text(), key), id.text(), confirmation_body, refusal_body);
}

domain::Settlement World::funded(const std::string& identifier, std::int64_t cents) {
  const auto terms = adjudicate(review(draft(identifier, cents)));
  const auto confirmed = try_confirm(terms.id);
  BOOST_REQUIRE_MESSAGE(confirmed, "the confirmation was refused: " << why(confirmed));
  return settlement(terms.id);
}

void World::shift_clock_days(int days) {
  const std::int64_t ms = days * std::int64_t{86'400'000};
  clock.shift(caller.tenant, ms);
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    records.clients().set_clock_shift(caller.tenant, ms);
    return {};
  })));
}

void World::resolve() {
  clock.advance_s(3601);
  const auto looked = (*resolve_disbursements)();
  BOOST_REQUIRE_MESSAGE(looked, "resolving failed: " << why(looked));
}

domain::Settlement World::settlement(const domain::SettlementId& id) {
  const auto stored =
      seen([&](const ports::Records& records) { return records.settlements().find(caller.tenant, id); });
  BOOST_REQUIRE(stored.has_value());
  return stored->settlement;
}

domain::DisbursementAttempt World::attempt(const domain::SettlementId& id, domain::Purpose purpose) {
  const auto last = seen(
      [&](const ports::Records& records) { return records.settlements().latest_attempt(caller.tenant, id, purpose); });
  BOOST_REQUIRE(last.has_value());
  return *last;
}

domain::Reconciliation World::reconciliation(const domain::SettlementId& id) {
  auto whole = usecases::GetReconciliation(*sql)(caller.tenant, id.text());
  BOOST_REQUIRE(bool(whole));
  return *whole;
}

domain::ClaimStatusRecord World::claim_status(const std::string& identifier) {
  auto status = usecases::GetClaim(*sql).status(caller.tenant, identifier);
  BOOST_REQUIRE(bool(status));
  return *status;
}

std::vector<domain::Task> World::tasks(const std::string& kind) {
  return seen([&](const ports::Records& records) {
    return records.tasks().list(caller.tenant, {domain::TaskStatus::open, kind, ""}, {"", 1000});
  });
}

int World::events(const std::string& kind) {
  int count = 0;
  for (const auto& row : seen([](const ports::Records& records) { return records.events().unpublished(10'000); }))
    count += row.kind == kind;
  return count;
}

domain::Money World::balance(const std::string& account) {
  for (const auto& balance :
       seen([&](const ports::Records& records) { return records.ledger().balances(caller.tenant, "", 10'000); }))
    if (balance.account == account) return balance.posted;
  return {};
}

domain::Money World::pending(const std::string& account) {
  for (const auto& balance :
       seen([&](const ports::Records& records) { return records.ledger().balances(caller.tenant, "", 10'000); }))
    if (balance.account == account) return balance.pending;
  return {};
}

std::map<std::string, domain::Money> World::books() {
  std::map<std::string, domain::Money> books;
  for (const auto& balance :
       seen([&](const ports::Records& records) { return records.ledger().balances(caller.tenant, "", 10'000); }))
    if (!balance.posted.is_zero()) books[balance.account] = balance.posted;
  return books;
}

// The audit log has no reading port: nothing in the service reads it back.
int World::audit_rows(const std::string& outcome) {
  sqlite3* reader = nullptr;
  sqlite3_stmt* query = nullptr;
  BOOST_REQUIRE(sqlite3_open_v2(database_.c_str(), &reader, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  BOOST_REQUIRE(sqlite3_prepare_v2(reader, "SELECT COUNT(*) FROM audit_rows WHERE outcome = ?", -1, &query, nullptr) ==
                SQLITE_OK);
  sqlite3_bind_text(query, 1, outcome.c_str(), -1, SQLITE_TRANSIENT);
  BOOST_REQUIRE(sqlite3_step(query) == SQLITE_ROW);
  const int count = sqlite3_column_int(query, 0);
  sqlite3_finalize(query);
  sqlite3_close(reader);
  return count;
}

std::optional<ports::StoredAnswer> World::answer_under(const std::string& operation, const std::string& key) {
  return seen(
      [&](const ports::Records& records) { return records.answers().find(caller.tenant, operation + ' ' + key); });
}

}  // namespace tideover::tests
