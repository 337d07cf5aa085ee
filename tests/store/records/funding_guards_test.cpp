// What is asked before an advance is paid or its funding changes: who changed it, and open tasks on its claim.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

struct GuardedStore : StoreUnderTest {
  using StoreUnderTest::StoreUnderTest;

  bool has_changed(const TenantId& tenant, std::uint64_t settlement, std::uint64_t client) {
    return seen([&](const ports::Records& records) {
      return records.settlements().has_changed_funding(tenant, id_of<SettlementId>(settlement),
                                                       id_of<ClientId>(client));
    });
  }
  std::optional<TaskId> open_on_claim(std::uint64_t claim, std::string_view kind, const std::string& except = "") {
    return seen([&](const ports::Records& records) {
      return records.tasks().open_on_claim(kTenant, id_of<ClaimId>(claim), kind, except);
    });
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(store_funding_guards)

BOOST_DATA_TEST_CASE(every_client_that_changed_the_funding_stays_known, bdata::make(engines()), engine) {
  GuardedStore store(engine);
  store.write([&](ports::Records& records) {
    auto& settlements = records.settlements();
    for (const std::uint64_t client : {1, 2, 1})  // a second change of a client adds nothing
      settlements.note_funding_change(kTenant, id_of<SettlementId>(1), id_of<ClientId>(client), kNow);
  });
  BOOST_TEST(store.has_changed(kTenant, 1, 1));
  BOOST_TEST(store.has_changed(kTenant, 1, 2));
  BOOST_TEST(!store.has_changed(kTenant, 1, 3));
  BOOST_TEST(!store.has_changed(kTenant, 2, 1));
  BOOST_TEST(!store.has_changed(kOtherTenant, 1, 1));
}

BOOST_DATA_TEST_CASE(an_open_task_on_a_claim_is_found_by_any_of_its_settlements, bdata::make(engines()), engine) {
  GuardedStore store(engine);
  auto ended = sample_settlement(1), live = sample_settlement(2);
  ended.settlement.status = SettlementStatus::canceled;
  ended.settlement.claim_id = live.settlement.claim_id = id_of<ClaimId>(7);
  auto disagreement = sample_task(1), closed = sample_task(2);
  disagreement.kind = closed.kind = kRailDisagreement;
  disagreement.object_id = closed.object_id = ended.settlement.id.text();
  disagreement.status = TaskStatus::open;
  closed.status = TaskStatus::closed;
  store.write([&](ports::Records& records) {
    for (const auto& stored : {ended, live, sample_settlement(3)}) records.settlements().insert(kTenant, stored);
    records.tasks().open(kTenant, closed);
  });
  BOOST_TEST(!store.open_on_claim(7, kRailDisagreement));
  store.write([&](ports::Records& records) { records.tasks().open(kTenant, disagreement); });
  BOOST_TEST((store.open_on_claim(7, kRailDisagreement) == disagreement.id));
  BOOST_TEST(!store.open_on_claim(7, kPaymentUnexpected));
  BOOST_TEST(!store.open_on_claim(7, kRailDisagreement, ended.settlement.id.text()));
  BOOST_TEST(!store.open_on_claim(3, kRailDisagreement));
}

BOOST_AUTO_TEST_SUITE_END()
