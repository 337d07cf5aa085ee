// Lists that the API offers: their plans on SQLite name an index in the order of the list.
#include "core/store/records/claims/claim_store.hpp"
#include "core/store/records/claims/review_store.hpp"
#include "core/store/records/funding/settlement_store.hpp"
#include "core/store/records/operations/client_store.hpp"
#include "core/store/records/operations/event_store.hpp"
#include "core/store/records/operations/task_store.hpp"
#include "core/store/records/reconciliation/remittance_store.hpp"
#include "tests/store/records/support/plan_world.hpp"

using namespace tideover;
using namespace tideover::tests;

BOOST_FIXTURE_TEST_SUITE(store_query_plans, PlanWorld)

BOOST_AUTO_TEST_CASE(tasks_about_an_object_are_found_by_it) {
  (void)store::TaskStore(session).list(kTenant, {TaskStatus::open, kMatchAmbiguous, "dep_1"}, {"", 1});
  BOOST_TEST(
      plan().find("USING INDEX tasks_by_object (tenant=? AND object_id=? AND id>? AND id<?)") != std::string::npos,
      plan());
}

BOOST_AUTO_TEST_CASE(remittances_of_a_status_are_found_by_it) {
  (void)store::RemittanceStore(session, cells).list(kTenant, {RemittanceStatus::received}, {"", 9});
  BOOST_TEST(
      plan().find("USING INDEX remittances_by_status (tenant=? AND status=? AND id>? AND id<?)") != std::string::npos,
      plan());
}

BOOST_AUTO_TEST_CASE(reviews_of_a_claim_are_found_by_it) {
  (void)store::ReviewStore(session, cells).list(kTenant, {id_of<ClaimId>(1)}, {"", 9});
  BOOST_TEST(plan().find("USING INDEX reviews_by_claim (tenant=? AND claim_id=?)") != std::string::npos, plan());
}

BOOST_AUTO_TEST_CASE(deliveries_of_an_endpoint_are_found_by_state_and_by_kind) {
  const KindEncoder encoder;
  const store::EventStore events(session, encoder, cells);
  const std::string found = "SEARCH deliveries USING INDEX ";
  ports::DeliveryQuery query{id_of<WebhookEndpointId>(1), {}, {}, {}, 9};
  const auto expect = [&](const std::string& index) {
    (void)events.deliveries(kTenant, query);
    BOOST_TEST(plan() == found + index + '\n');
  };
  const std::string by_state = "deliveries_by_state (tenant=? AND endpoint_id=? AND state=? AND event_id<?)";
  const std::string by_kind = "deliveries_by_kind (tenant=? AND endpoint_id=? AND kind=? AND state=? AND event_id<?)";
  expect(by_state);
  query.state = ports::Delivery::State::dead;
  expect(by_state);
  query.kind = "event.ping";
  expect(by_kind);
  query.state.reset();
  expect(by_kind);
  query.order = domain::ListOrder::oldest_first;
  expect("deliveries_by_kind (tenant=? AND endpoint_id=? AND kind=? AND state=? AND event_id>?)");
}

BOOST_AUTO_TEST_CASE(a_list_of_settlements_is_read_along_an_index_that_ends_with_the_id) {
  using enum domain::ListOrder;
  const store::SettlementStore settlements(session, cells);
  const auto plan_of = [&](const ports::SettlementFilter& filter, domain::ListOrder order) {
    (void)settlements.list(kTenant, filter, {"", 9, order});
    return plan();
  };
  const std::vector<std::pair<ports::SettlementFilter, std::string>> plans{
      {{.claim = id_of<ClaimId>(1)}, "settlements_by_claim (tenant=? AND claim_id=? AND id>? AND id<?)"},
      {{.payer_id = "PAYER-A"}, "settlements_by_payer (tenant=? AND payer_id=? AND id>? AND id<?)"},
      {{.status = SettlementStatus::funded}, "settlements_by_status (tenant=? AND status=? AND id>? AND id<?)"},
      {{.funding_status = FundingStatus::unknown},
       "settlements_by_funding (tenant=? AND funding_status=? AND id>? AND id<?)"},
      {{.decision = Decision::declined}, "(tenant=? AND id>? AND id<?)"},
      {{}, "(tenant=? AND id>? AND id<?)"}};
  for (const auto& [filter, index] : plans)
    for (const auto order : {oldest_first, newest_first}) {
      const auto steps = plan_of(filter, order);
      BOOST_TEST(steps.find(index) != std::string::npos, steps);
      BOOST_TEST(steps.find("TEMP B-TREE") == std::string::npos, steps);
    }
}

BOOST_AUTO_TEST_CASE(payouts_of_a_practice_are_found_by_it) {
  (void)store::SettlementStore(session, cells)
      .practice_payouts(kTenant, "1999999984", {"", 9, domain::ListOrder::newest_first});
  BOOST_TEST(plan().find("(tenant=? AND settlement_id=? AND purpose=?)") != std::string::npos, plan());
  BOOST_TEST(plan().find("TEMP B-TREE") == std::string::npos, plan());
}

BOOST_AUTO_TEST_CASE(a_list_of_claims_is_read_along_an_index_that_ends_with_the_id) {
  using enum domain::ListOrder;
  const store::ClaimStore claims(session, cells);
  const std::vector<std::pair<ports::ClaimFilter, std::string>> plans{
      {{.payer_id = "PAYER-A"}, "claims_by_payer (tenant=? AND payer_id=? AND id>? AND id<?)"},
      {{.status = ClaimStatus::voided}, "claims_by_status (tenant=? AND status=? AND id>? AND id<?)"},
      {{.payer_id = "PAYER-A", .status = ClaimStatus::voided},
       "claims_by_status (tenant=? AND status=? AND id>? AND id<?)"},
      {{}, "(tenant=? AND id>? AND id<?)"}};
  for (const auto& [filter, index] : plans)
    for (const auto order : {oldest_first, newest_first}) {
      (void)claims.list(kTenant, filter, {"", 9, order});
      BOOST_TEST(plan().find(index) != std::string::npos, plan());
      BOOST_TEST(plan().find("TEMP B-TREE") == std::string::npos, plan());
    }
}

BOOST_AUTO_TEST_CASE(the_clients_of_a_tenant_and_their_secrets_are_found_by_it) {
  const store::ClientStore clients(session, cells);
  for (const auto order : {domain::ListOrder::oldest_first, domain::ListOrder::newest_first}) {
    (void)clients.list(kTenant, {"", 9, order});
    BOOST_TEST(plan().find("clients_by_tenant (tenant=? AND id>? AND id<?)") != std::string::npos, plan());
    BOOST_TEST(plan().find("TEMP B-TREE") == std::string::npos, plan());
  }
  (void)clients.secrets(kTenant, id_of<ClientId>(1), id_of<ClientId>(9));
  BOOST_TEST(plan().find("SEARCH client_secrets USING PRIMARY KEY (client_id=?)") != std::string::npos, plan());
  BOOST_TEST(plan().find("clients_by_tenant (tenant=? AND id>? AND id<?)") != std::string::npos, plan());
}

BOOST_AUTO_TEST_CASE(the_history_of_a_status_is_read_along_its_key) {
  (void)store::ClaimStore(session, cells)
      .replaced_statuses(kTenant, id_of<ClaimId>(1), std::nullopt, domain::ListOrder::newest_first, 9);
  BOOST_TEST(plan().find("PRIMARY KEY (tenant=? AND claim_id=? AND version>? AND version<?)") != std::string::npos,
             plan());
}

BOOST_AUTO_TEST_SUITE_END()
