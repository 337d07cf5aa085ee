// What a reader meets when an encrypted value does not open.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

void insert_endpoints(StoreUnderTest& store) {
  store.write([](ports::Records& records) {
    for (const auto n : {1, 2, 3}) {
      auto endpoint = sample_endpoint(static_cast<std::uint64_t>(n));
      endpoint.description = n == 2 ? "in the middle" : "at an end";
      records.webhooks().insert(kTenant, endpoint);
    }
  });
}

Status look_at_endpoint(StoreUnderTest& store, std::uint64_t n) {
  return store->read(
      [&](const ports::Records& records) { (void)records.webhooks().find(kTenant, id_of<WebhookEndpointId>(n)); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_sealing)

BOOST_DATA_TEST_CASE(a_damaged_cell_is_named_and_hides_no_other_row, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  insert_endpoints(store);
  store.run_past_the_store(
      "UPDATE webhook_endpoints SET secret = x'0105706C61696E00' WHERE description = 'in the middle'");
  store.reopen();
  const auto cell = "webhook_endpoints.secret of row " + id_of<WebhookEndpointId>(2).text() + " of tenant " +
                    kTenant.text() + " cannot be decrypted: it was changed, or moved there from another cell";
  const auto listed = store.seen([](const ports::Records& records) {
    return records.webhooks().list(kTenant, {"", 9});
  });
  BOOST_REQUIRE(listed.size() == 2u);
  BOOST_TEST(shown(listed[1].id) == shown(id_of<WebhookEndpointId>(3)));
  BOOST_TEST(store.failures() == cell + "\n");
  // A page is as long as it may be, or there is nothing behind it.
  for (std::size_t limit = 1; limit <= 3; ++limit)
    BOOST_TEST(store.seen([&](const ports::Records& records) {
                      return records.webhooks().list(kTenant, {"", limit});
                    })
                   .size() == std::min<std::size_t>(limit, 2));
  BOOST_TEST(store.failures() == cell + "\n" + cell + "\n" + cell + "\n");
  BOOST_TEST(look_at_endpoint(store, 1));
  const auto refused = look_at_endpoint(store, 2);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().code == ErrorCode::internal_error);
  BOOST_TEST(store.failures() == cell + "\n" + cell + "\n" + cell + "\n" + cell + "\n");
  BOOST_TEST(store->seal_faults().damaged == 4u);
}

BOOST_DATA_TEST_CASE(a_damaged_settlement_exists, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto settlement = sample_settlement(1);
  const auto exists = [&](const SettlementId& id) {
    return store.seen([&](const ports::Records& records) { return records.settlements().exists(kTenant, id); });
  };
  store.write([&](ports::Records& records) { records.settlements().insert(kTenant, settlement); });
  store.run_past_the_store("UPDATE settlements SET claim_identifier = x'0105706C61696E00'");
  store.reopen();
  BOOST_TEST(!store->read(
      [&](const ports::Records& records) { (void)records.settlements().find(kTenant, settlement.settlement.id); }));
  BOOST_TEST(exists(settlement.settlement.id));
  BOOST_TEST(!exists(id_of<SettlementId>(2)));
}

BOOST_DATA_TEST_CASE(a_cell_under_a_key_that_is_not_here_yet_is_to_be_tried_again, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  insert_endpoints(store);
  store.run_past_the_store("UPDATE webhook_endpoints SET secret = x'01026B3900' WHERE description = 'in the middle'");
  store.reopen();
  const auto refused = look_at_endpoint(store, 2);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().code == ErrorCode::service_unavailable);
  BOOST_TEST(refused.error().retry_after_s.has_value());
  BOOST_TEST(store.failures().find(" is encrypted under the key k9, which is not in the key ring of this node") !=
             std::string::npos);
  BOOST_TEST(store->seal_faults().unknown_key == 1u);
  // A list that silently lacks rows would be wrong while other nodes show them.
  BOOST_TEST(!store->read([](const ports::Records& records) { (void)records.webhooks().list(kTenant, {"", 9}); }));
}

BOOST_DATA_TEST_CASE(nothing_of_a_claim_is_stored_in_the_clear, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([](ports::Records& records) { records.claims().insert(kTenant, sample_claim(1)); });
  BOOST_TEST(
      store.count_past_the_store("SELECT COUNT(*) FROM claims WHERE INSTR(claim_identifier, 'claim-1') > 0 OR "
                                 "INSTR(chart_identifier, 'chart-1') > 0 OR INSTR(service_lines, '99213') > 0 OR "
                                 "INSTR(status_note, 'noted') > 0") == 0);
  BOOST_TEST(store.count_past_the_store(
                 "SELECT COUNT(*) FROM claims WHERE LENGTH(claim_identifier) > 7 AND LENGTH(claim_lookup) = 16") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
