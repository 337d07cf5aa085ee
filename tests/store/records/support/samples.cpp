#include "tests/store/records/support/samples.hpp"

namespace tideover::tests {

using namespace domain;

namespace {

/// What a codec, a driver or a character set might get wrong.
const std::string kAwkward = "Zo\xC3\xAB '\"\\ \x1e\x1f\n;-- \xF0\x9F\x92\xB6 ";

std::string text(const char* what, std::uint64_t n) {
  return std::string(what) + "-" + std::to_string(n);
}
Timestamp later(std::int64_t ms) {
  return kNow.plus_ms(ms);
}
Date sample_day(int days) {
  return Date::from_days(20'000 + days);
}

Finding sample_finding(const std::string& name, Finding::Effect effect) {
  Finding finding;
  finding.effect = effect;
  finding.rule_id = name + ".rule";
  finding.code = name + " code";
  finding.group = "CO";
  finding.family = name + " family";
  finding.field = "service_lines[0].cpt";
  finding.description = name + kAwkward;
  finding.fix = name + " fix";
  finding.probability_bps = 8123;
  finding.confidence_cap_bps = 7500;
  finding.line = 3;
  finding.amount_at_risk = Money::cents(4567);
  return finding;
}

RemittanceClaim sample_remittance_claim(const std::string& name) {
  RemittanceClaim claim;
  claim.claim_identifier = name;
  claim.status = "19";
  claim.charge_amount = Money::cents(30'000);
  claim.paid_amount = Money::cents(20'000);
  claim.patient_responsibility = Money::cents(1'500);
  claim.payer_claim_number = name + " at the payer";
  claim.date_of_service = sample_day(1);
  claim.received_date = sample_day(2);
  claim.adjustments = {{"CO", "45", Money::cents(-8'500)}, {"PR", kAwkward, Money::cents(3)}};
  RemittanceLine line;
  line.cpt = "99213";
  line.modifier = "25:59";
  line.units = "1.5";
  line.submitted_cpt = "99214";
  line.submitted_modifier = kAwkward;
  line.charge_amount = Money::cents(17'000);
  line.allowed_amount = Money::cents(16'000);
  line.paid_amount = Money::cents(15'000);
  line.date_of_service = sample_day(3);
  line.adjustments = {{"OA", "23", Money::cents(12)}, {"PI", kAwkward, Money::cents(-13)}};
  claim.lines = {line, RemittanceLine{}};
  claim.billing_npi = "1999999984";
  return claim;
}

/// Codes have a form of their own; the store keeps any text.
InstitutionalDetails sample_institutional() {
  return {"0131",
          sample_day(10),
          sample_day(12),
          sample_day(9),
          sample_day(13),
          "1",
          "7 " + kAwkward,
          "30",
          "1234567893",
          "1999999984",
          "470",
          {"Y", "", "N"},
          {"09", kAwkward},
          {{"11", sample_day(8)}, {"A1", sample_day(7)}},
          {{"74", sample_day(5), sample_day(6)}},
          {{"80", Money::cents(300)}, {"A2", Money::cents(12'345)}}};
}

}  // namespace

Tenant sample_tenant(const TenantId& id) {
  return {id, "tenant " + id.text(), ValidationProfile::strict, PostOn::remittance};
}

Client sample_client(std::uint64_t n) {
  Client client;
  client.id = id_of<ClientId>(n);
  client.tenant = kTenant;
  client.name = text("client", n);
  client.environment = Environment::production;
  client.scopes = ScopeSet::from_bits(0b1011);
  client.epoch = 4;
  client.enabled = true;
  client.created_at = later(1);
  client.expires_at = later(9);
  client.locked = true;
  client.version = 6;
  return client;
}

domain::ClientSecret sample_secret(std::uint64_t n) {
  domain::ClientSecret secret;
  secret.id = id_of<domain::ClientSecretId>(n);
  secret.number = static_cast<int>(n);
  secret.key_id = "key-7";
  secret.digest = std::string("\0\xff\x80 binary digest of 32 bytes\x1f\n", 32);
  secret.created_at = later(2);
  secret.expires_at = later(3);
  secret.last_used_at = later(4);
  secret.revoked_at = later(5);
  return secret;
}

ports::StoredClaim sample_claim(std::uint64_t n) {
  ports::StoredClaim stored;
  auto& claim = stored.claim;
  auto& status = stored.status;
  claim.id = id_of<ClaimId>(n);
  claim.draft.facility = "North " + kAwkward;
  claim.draft.claim_identifier = text("claim", n);
  claim.draft.chart_identifier = Sensitive<std::string>(text("chart", n));
  claim.draft.date_of_service = sample_day(10);
  claim.draft.date_of_submission = sample_day(11);
  claim.draft.servicer_npi = "1234567893";
  claim.draft.billing_npi = "1999999984";
  claim.draft.payer_id = "PAYER-A";
  claim.draft.submitted_amount = Money::cents(123'456);
  claim.draft.service_lines = {{"99213", "25:59", 1'500, Money::cents(100'000), "0450"},
                               {"bad code " + kAwkward, "", 1, {}}};
  claim.draft.details = {{"E119", "odd " + kAwkward},
                         "11",
                         domain::AgeBand{40, 49},
                         "F",
                         false,
                         "7",
                         "secondary",
                         Money::cents(60'001),
                         Money::cents(0),
                         true,
                         false,
                         false,
                         true,
                         std::nullopt,
                         sample_institutional()};
  claim.duplicate_key = "same service";
  status.claim = claim.id;
  status.claim_identifier = claim.draft.claim_identifier;
  status.status = ClaimStatus::reviewed;
  status.previous = ClaimStatus::received;
  status.version = 3;
  status.source = StatusSource::payer;
  status.reason_code = "A1";
  status.note = "noted " + kAwkward;
  status.effective_at = later(2);
  status.updated_at = later(3);
  stored.created_at = later(4);
  return stored;
}

Review sample_review(std::uint64_t n) {
  Review review;
  review.id = id_of<ReviewId>(n);
  review.authorization_id = id_of<AuthorizationId>(n);
  review.claim_id = id_of<ClaimId>(7);
  review.claim_identifier = "claim-7";
  review.forecast = {6123, true, Money::cents(90'001), Money::cents(34'002), sample_day(40), 8765};
  review.denial_reasons = {sample_finding("first", Finding::Effect::reason), Finding{}};
  review.warnings = {sample_finding("second", Finding::Effect::warning)};
  review.rule_faults = {{"denial.broken", "line 3: " + kAwkward}};
  review.rules = {"rules 12", std::string(64, 'a')};
  review.submitted_amount = Money::cents(123'456);
  review.payer_id = "PAYER-A";
  review.payer_known = false;
  review.created_at = later(4);
  review.expires_at = later(5);
  review.learned =
      LearnedForecast{101, 9'902, Money::cents(3), Money::cents(40'004), Money::cents(50'005), 66, 7'777, true};
  review.cash = CashOdds::all_or_nothing(321);
  for (int step = 0; step < CashOdds::kSteps; ++step)
    review.cash.below_bps[static_cast<std::size_t>(step)] += 37 * step;
  review.basis = {3,
                  "edition " + kAwkward,
                  ValidationProfile::strict,
                  2,
                  4'321,
                  8'765,
                  "est:7:0123456789abcdef",
                  {},
                  {0.1F, -9.0F, 1e-30F},
                  {{domain::Money::cents(88'95), 0}, {std::nullopt, 90}, {}},
                  "62308 " + kAwkward};
  review.basis.fired = {{"denial.one", "family " + kAwkward, "29", 0, 6'500, 30, true, false, true},
                        {"denial.two", "", "B7", {}, 1, 2, false, true, false}};
  return review;
}

ports::StoredSettlement sample_settlement(std::uint64_t n) {
  ports::StoredSettlement stored;
  auto& settlement = stored.settlement;
  settlement.id = id_of<SettlementId>(n);
  settlement.claim_id = id_of<ClaimId>(n);
  settlement.claim_identifier = text("claim", n);
  settlement.payer_id = "PAYER-A";
  settlement.authorization_id = id_of<AuthorizationId>(n);
  settlement.review_id = id_of<ReviewId>(n);
  settlement.decision = Decision::approved;
  settlement.decision_reasons = {"within limits", kAwkward};
  settlement.status = SettlementStatus::funded;
  settlement.cancel_reason = "superseded";
  settlement.terms = {8000, Money::cents(64'000), 200, Money::cents(1'280)};
  settlement.terms.fee_steps = {{0, Money::cents(1'280)}, {31, Money::cents(1'920)}};
  settlement.terms.hold_days = 7;
  settlement.terms.reserve_bps = 1'000;
  settlement.terms.reserve_days = 60;
  settlement.expected_reimbursement = Money::cents(80'000);
  settlement.expected_payment_date = sample_day(50);
  settlement.funding = {"SAME_DAY", sample_day(51), sample_day(52), true, later(6)};
  settlement.fallback = {"RTP", "FUTURE_DATE"};
  settlement.funding_status = FundingStatus::submitted;
  settlement.payout_status = FundingStatus::rejected;
  settlement.payout_account_token = Sensitive<std::string>("tok_ok");
  settlement.rules = {"rules 12", std::string(64, 'b')};
  settlement.funded_amount = Money::cents(63'999);
  settlement.funded_at = later(7);
  settlement.version = 5;
  settlement.created_at = later(8);
  settlement.expires_at = later(9);
  settlement.billed = billed_of(sample_claim(n).claim.draft);
  stored.confirm_key = text("confirm", n);
  return stored;
}

DisbursementAttempt sample_attempt(std::uint64_t settlement, int number) {
  DisbursementAttempt attempt;
  const auto n = settlement * 100 + static_cast<std::uint64_t>(number);
  attempt.id = id_of<TransferId>(n);
  attempt.subject = id_of<SettlementId>(settlement);
  attempt.number = number;
  attempt.state = AttemptState::unknown;
  attempt.rail = "RTP";
  attempt.rail_key = text("rail-key", n);
  attempt.amount = Money::cents(64'000);
  attempt.effective_date = sample_day(52);
  attempt.request_key = text("payout-key", n);
  attempt.sent_by = "node-a";
  attempt.epoch = 2;
  attempt.rail_reference = "reference";
  attempt.reason_code = "AC04";
  attempt.reason = "closed " + kAwkward;
  attempt.pending_entry = id_of<LedgerTransactionId>(n);
  attempt.resolve_tries = 6;
  attempt.next_resolve_at = later(10);
  attempt.in_progress = true;
  attempt.created_at = later(11);
  attempt.updated_at = later(12);
  return attempt;
}

LedgerTransaction sample_transaction(std::uint64_t n) {
  LedgerTransaction transaction;
  transaction.id = id_of<LedgerTransactionId>(n);
  transaction.phase = LedgerPhase::posted;
  transaction.cause_kind = "disbursement";
  transaction.cause_id = id_of<TransferId>(n).text();
  transaction.settlement = id_of<SettlementId>(n);
  transaction.at = later(13);
  transaction.effective_on = Date::from_days(14);
  transaction.occurred_on = Date::from_days(13);
  transaction.debit(account::purchased_receivable(id_of<SettlementId>(n)), Money::cents(1'000));
  transaction.credit(std::string(account::kFundingCash), Money::cents(900));
  transaction.credit(std::string(account::kFeeIncome), Money::cents(100), {"PAYER-A", "1999999984"});
  return transaction;
}

Deposit sample_deposit(std::uint64_t n) {
  Deposit deposit;
  deposit.id = id_of<DepositId>(n);
  deposit.payer_id = "PAYER-A";
  deposit.amount = Money::cents(79'000);
  deposit.received_date = sample_day(60);
  deposit.effective_date = sample_day(61);
  deposit.trace_number = "TRACE-A";
  deposit.external_id = text("external", n);
  deposit.addenda = "TRN*1*" + kAwkward;
  deposit.originator = "1512345678";
  deposit.status = MatchState::unmatched;
  deposit.matched_amount = Money::cents(1);
  deposit.payer_said = "the payer";
  deposit.channel = "bai2";
  deposit.released = Money::cents(3);
  deposit.created_at = later(14);
  return deposit;
}

Remittance sample_remittance(std::uint64_t n) {
  Remittance remittance;
  remittance.id = id_of<RemittanceId>(n);
  auto& draft = remittance.draft;
  draft.payer_id = "PAYER-A";
  draft.payer_name = "The payer's own name";
  draft.trace_number = "TRACE-A";
  draft.originator_id = "1512345678";
  draft.payee_npi = "1234567893";
  draft.payee_tax_id = "51-2345678";
  draft.payee_assigned_id = "P-7";
  draft.payment_date = sample_day(70);
  draft.payment_amount = Money::cents(79'000);
  draft.payment_method = "ACH";
  draft.claims = {sample_remittance_claim("claim-1"), RemittanceClaim{}};
  draft.provider_adjustments = {{"WO", "ref " + kAwkward, Money::cents(-250), "1999999984"}};
  draft.warnings = {"a warning", ""};
  remittance.content_sha256 = text("sha256 of", n);
  remittance.payerless_sha256 = text("notice", n);
  remittance.carried = Money::cents(251);
  remittance.paid_to_provider = Money::cents(252);
  remittance.withheld = Money::cents(253);
  remittance.created_at = later(15);
  RemittanceClaimRecord first{0, draft.claims[0], RemittanceClaimRecord::State::posted, id_of<SettlementId>(1),
                              id_of<ReconciliationId>(1)};
  RemittanceClaimRecord second{1, draft.claims[1], RemittanceClaimRecord::State::duplicate, {}, {}};
  remittance.claims = {first, second};
  return remittance;
}

ReconciliationRecord sample_record(std::uint64_t n, std::uint64_t settlement) {
  ReconciliationRecord record;
  record.id = id_of<ReconciliationId>(n);
  record.settlement = id_of<SettlementId>(settlement);
  record.number = static_cast<int>(n);
  record.payer_payment = Money::cents(-60'000);
  record.charge = Money::cents(-100'000);
  record.split = {Money::cents(1), Money::cents(2), Money::cents(3),           Money::cents(4),
                  Money::cents(5), Money::cents(6), FinalStatus::settled_short};
  record.matched_by = "trace_number";
  record.deposit = id_of<DepositId>(1);
  record.remittance = id_of<RemittanceId>(1);
  record.trace_number = "TRACE-A";
  record.posted_at = later(16);
  return record;
}

ImportJob sample_job(std::uint64_t n) {
  ImportJob job;
  job.id = id_of<ImportJobId>(n);
  job.status = ImportStatus::queued;
  job.format = "csv";
  job.encoding = "gzip";
  job.mapping = {{"claim_identifier", "Claim #"}, {"facility", kAwkward}};
  job.abort_on_error = true;
  job.auto_review = false;
  job.dry_run = true;
  job.external_id = "file-" + std::to_string(n);
  job.content_digest = std::string(64, 'c');
  job.payload_bytes = 7;
  job.bytes_read = 6;
  job.total_rows = 1;
  job.accepted_rows = 2;
  job.rejected_rows = 3;
  job.duplicate_rows = 4;
  job.errors_truncated = true;
  job.submitted_at = later(17);
  job.started_at = later(18);
  job.finished_at = later(19);
  job.canceled_at = later(20);
  return job;
}

ImportFault sample_fault(std::int64_t row) {
  return {row, row + 1, "submitted_amount", "claim-1", ErrorCode::claim_locked, "the claim moved on " + kAwkward};
}

ports::StoredAnswer sample_answer() {
  return {std::string(64, 'c'), "rail_rejected", "{\"body\":\"" + kAwkward + "\"}", later(20), "stl_1"};
}

ports::AuditRow sample_audit_row(std::uint64_t n) {
  return {id_of<AuditId>(n), id_of<ClientId>(1), "req-1", "POST /v1/claims/reviews", "auth_1", "ok", later(21), 3};
}

Event sample_event(std::uint64_t n) {
  return {id_of<EventId>(n), later(22), Ping{id_of<WebhookEndpointId>(n), 7}};
}

ports::PublishedEvent published(const ports::OutboxRow& row, std::int64_t sequence) {
  return {row.tenant, row.id, row.kind, sequence, "{\"data\":" + row.data + "}", row.created_at};
}

ports::Delivery sample_delivery(std::uint64_t event, std::uint64_t endpoint) {
  ports::Delivery delivery;
  delivery.tenant = kTenant;
  delivery.event = id_of<EventId>(event);
  delivery.endpoint = id_of<WebhookEndpointId>(endpoint);
  delivery.attempts = 3;
  delivery.state = ports::Delivery::State::waiting;
  delivery.next_try_at = later(23);
  delivery.last_status = 503;
  delivery.last_error = "timeout " + kAwkward;
  delivery.last_try_at = later(25);
  delivery.kind = "event.ping";
  delivery.revision = 6;
  return delivery;
}

WebhookEndpoint sample_endpoint(std::uint64_t n) {
  WebhookEndpoint endpoint;
  endpoint.id = id_of<WebhookEndpointId>(n);
  endpoint.url = "https://example.test/hook?" + kAwkward;
  endpoint.events = {"review.completed", "event.ping"};
  endpoint.description = "for tests";
  endpoint.secret = Sensitive<std::string>("whsec_c2VjcmV0");
  endpoint.previous_secrets = {{Sensitive<std::string>("whsec_bmV3ZXI="), later(26)},
                               {Sensitive<std::string>("whsec_b2xkZXI="), later(27)}};
  endpoint.enabled = true;
  endpoint.disabled_reason = DisabledReason::gone;
  endpoint.disabled_at = later(28);
  endpoint.health = {later(29), 2, later(30), later(31)};
  endpoint.revision = 5;
  endpoint.created_at = later(24);
  return endpoint;
}

domain::Task sample_task(std::uint64_t n) {
  return {id_of<TaskId>(n),   "manual_review", id_of<SettlementId>(n).text(),
          "look " + kAwkward, later(25),       id_of<ClientId>(n)};
}

}  // namespace tideover::tests
