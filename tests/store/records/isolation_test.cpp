// A tenant sees and changes nothing of another's, through any finder or writer that takes a tenant.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

void fill(ports::Records& records) {
  records.claims().insert(kTenant, sample_claim(1));
  records.reviews().insert(kTenant, sample_review(1));
  records.settlements().insert(kTenant, sample_settlement(1));
  records.settlements().insert_attempt(kTenant, sample_attempt(1, 1));
  records.ledger().append(kTenant, sample_transaction(1));
  records.deposits().insert(kTenant, sample_deposit(1));
  records.remittances().insert(kTenant, sample_remittance(1));
  records.reconciliations().insert(kTenant, sample_record(1, 2));
  records.matches().insert(kTenant, {id_of<MatchCandidateId>(1),
                                     id_of<DepositId>(1).text(),
                                     {},
                                     MatchStep::trace_number,
                                     id_of<RemittanceId>(1).text(),
                                     MatchVerdict::taken,
                                     {},
                                     kNow});
  records.imports().insert(kTenant, id_of<ClientId>(1), sample_job(1));
  records.imports().add_row(kTenant, id_of<ImportJobId>(1),
                            {1, 2, RowOutcome::accepted, id_of<ClaimId>(1), std::nullopt});
  records.imports().add_fault(kTenant, id_of<ImportJobId>(1), sample_fault(2));
  records.answers().insert(kTenant, "scope", sample_answer(), kNow);
  records.events().append(kTenant, sample_event(1));
  records.events().publish({{kTenant, id_of<EventId>(1), "event.ping", 1, "{}", kNow}});
  records.events().insert_delivery(sample_delivery(1, 1));
  records.webhooks().insert(kTenant, sample_endpoint(1));
  records.tasks().open(kTenant, sample_task(1));
  records.audit().append(kTenant, sample_audit_row(1));
}

/// What a tenant finds, one text per finder.
std::vector<std::string> found_by(const ports::Records& records, const TenantId& tenant) {
  const auto settlement = id_of<SettlementId>(1);
  const auto claim = id_of<ClaimId>(1);
  const auto deposit = sample_deposit(1);
  const auto remittance = sample_remittance(1);
  return {
      shown(records.claims().find(tenant, "claim-1")),
      shown(records.claims().find(tenant, claim.text())),
      shown(records.claims().count_duplicates(tenant, sample_claim(9).claim)),
      shown(records.reviews().find(tenant, id_of<AuthorizationId>(1))),
      shown(records.reviews().latest_of(tenant, id_of<ClaimId>(7))),
      shown(records.settlements().find(tenant, settlement)),
      shown(records.settlements().live_of(tenant, claim)),
      shown(records.settlements().latest_of(tenant, claim)),
      shown(records.settlements().awaiting_payment(tenant, "PAYER-A", MoneyRange::just(Money::cents(80'000)),
                                                   std::nullopt, 9)),
      shown(records.settlements().latest_attempt(tenant, settlement, domain::Purpose::advance)),
      shown(records.ledger().find(tenant, id_of<LedgerTransactionId>(1))),
      shown(records.ledger().balances(tenant, "", 9)),
      shown(records.ledger().list(tenant, {}, "", 9)),
      shown(records.ledger().list(tenant, {settlement}, "", 9)),
      shown(records.ledger().list(tenant, {std::nullopt, "fee_income"}, "", 9)),
      shown(records.deposits().find(tenant, deposit.id)),
      shown(records.deposits().find_external(tenant, deposit.external_id)),
      shown(records.deposits().waiting_with_trace(tenant, deposit.trace_number, MoneyRange::any(), 9)),
      shown(records.deposits().waiting_of_payer(tenant, deposit.payer_id, MoneyRange::just(deposit.amount),
                                                std::nullopt, 9)),
      shown(records.deposits().list(tenant, {}, {"", 9})),
      shown(records.remittances().find(tenant, remittance.id)),
      shown(records.remittances().find_same(tenant, remittance)),
      shown(records.remittances().waiting_with_trace(tenant, "TRACE-A", MoneyRange::any(), 9)),
      shown(records.remittances().waiting_of_payer(tenant, "PAYER-A", MoneyRange::just(remittance.draft.payment_amount),
                                                   std::nullopt, 9)),
      shown(records.reconciliations().of(tenant, id_of<SettlementId>(2))),
      shown(records.reconciliations().of_deposit(tenant, deposit.id)),
      shown(records.remittances().another_with_trace(tenant, sample_remittance(9), std::nullopt)),
      shown(records.matches().of_subject(tenant, deposit.id.text(), std::nullopt, 9)),
      shown(records.matches().of_candidate(tenant, remittance.id.text(), 9)),
      shown(records.imports().find(tenant, id_of<ImportJobId>(1))),
      shown(records.imports().is_known(tenant, id_of<ImportJobId>(1))),
      shown(records.imports().list(tenant, {"", 9})),
      shown(records.imports().rows(tenant, id_of<ImportJobId>(1), 0, 9)),
      shown(records.imports().faults(tenant, id_of<ImportJobId>(1), -1, 9)),
      shown(records.answers().find(tenant, "scope")),
      shown(records.events().last_sequence(tenant)),
      shown(records.events().find(tenant, id_of<EventId>(1))),
      shown(records.events().find_to_send(tenant, id_of<EventId>(1)).has_value()),
      shown(records.events().list(tenant, "", 0, 9)),
      shown(records.events().between(tenant, kNow.plus_days(-1), kNow.plus_days(1), {}, 9)),
      shown(records.webhooks().find(tenant, id_of<WebhookEndpointId>(1))),
      shown(records.webhooks().list(tenant, {"", 9})),
      shown(records.webhooks().count(tenant)),
      shown(records.webhooks().health(tenant, id_of<WebhookEndpointId>(1))),
      shown(records.events().find_delivery(tenant, id_of<EventId>(1), id_of<WebhookEndpointId>(1))),
      shown(records.events().deliveries(tenant, {id_of<WebhookEndpointId>(1), {}, {}, {}, 9})),
      shown(records.tasks().list(tenant, {}, {"", 9})),
      shown(records.audit().list(tenant, {}, {}, 9).rows.size()),
  };
}

std::vector<std::string> found_by(StoreUnderTest& store, const TenantId& tenant) {
  return store.seen([&](const ports::Records& records) { return found_by(records, tenant); });
}

/// Every writer that names a tenant and an object; says whether one claims to have found it.
bool change(ports::Records& records, const TenantId& tenant) {
  auto status = sample_claim(1).status;
  status.version += 1;
  auto claim = sample_claim(1).claim;
  claim.draft.facility = "changed";
  auto attempt = sample_attempt(1, 1);
  attempt.reason = "changed";
  auto deposit = sample_deposit(1);
  deposit.matched_amount = Money::cents(77);
  auto remittance_claim = sample_remittance(1).claims[1];
  remittance_claim.state = RemittanceClaimRecord::State::posted;
  auto delivery = sample_delivery(1, 1);
  delivery.tenant = tenant;
  records.deposits().update_match(tenant, deposit);
  records.remittances().link_deposit(tenant, id_of<RemittanceId>(1), id_of<DepositId>(9));
  records.remittances().update_claim(tenant, id_of<RemittanceId>(1), remittance_claim);
  bool found = records.webhooks().set_health(tenant, id_of<WebhookEndpointId>(1), sample_endpoint(1).health, {});
  found |= records.claims().move(tenant, status);
  found |= records.claims().replace(tenant, sample_claim(1), claim, kNow);
  found |= records.settlements().update(tenant, sample_settlement(1));
  found |= records.settlements().update_attempt(tenant, attempt, attempt.epoch, attempt.state);
  found |= records.events().update_delivery(delivery);
  found |= records.imports().cancel(tenant, id_of<ImportJobId>(1), kNow);
  found |= records.webhooks().disable(tenant, id_of<WebhookEndpointId>(1), {}, DisabledReason::requested, kNow);
  found |= records.webhooks().update(tenant, sample_endpoint(1));
  found |= records.webhooks().remove(tenant, id_of<WebhookEndpointId>(1));
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_isolation)

BOOST_DATA_TEST_CASE(a_tenant_finds_nothing_of_another, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto nothing = found_by(store, kOtherTenant);
  store.write(fill);
  BOOST_TEST(found_by(store, kOtherTenant) == nothing, boost::test_tools::per_element());
  const auto own = found_by(store, kTenant);
  for (std::size_t finder = 0; finder < own.size(); ++finder) BOOST_TEST(own[finder] != nothing[finder]);
}

BOOST_DATA_TEST_CASE(a_tenant_changes_nothing_of_another, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write(fill);
  const auto before = found_by(store, kTenant);
  const auto change_as = [&](const TenantId& tenant) {
    return store.written([&](ports::Records& records) { return change(records, tenant); });
  };
  BOOST_TEST(!change_as(kOtherTenant));
  BOOST_TEST(found_by(store, kTenant) == before, boost::test_tools::per_element());
  const auto due = [&] {
    return store.seen([](const ports::Records& records) { return records.events().due(kNow.plus_ms(99), 9).size(); });
  };
  BOOST_TEST(due() == 1);
  BOOST_TEST(change_as(kTenant));
  BOOST_TEST((found_by(store, kTenant) != before));
}

BOOST_AUTO_TEST_SUITE_END()
