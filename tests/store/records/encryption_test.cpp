// What a reader meets when an encrypted value does not open.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

void insert_events(StoreUnderTest& store) {
  store.write([](ports::Records& records) {
    std::vector<ports::PublishedEvent> events;
    for (const std::uint64_t n : {1, 2, 3}) {
      records.events().append(kTenant, sample_event(n));
      events.push_back({kTenant, id_of<EventId>(n), "event.ping", static_cast<std::int64_t>(n), "{}", kNow});
    }
    records.events().publish(events);
  });
}

Status look_at_event(StoreUnderTest& store, std::uint64_t n) {
  return store->read([&](const ports::Records& records) { (void)records.events().find(kTenant, id_of<EventId>(n)); });
}

WebhookEndpoint endpoint_of(StoreUnderTest& store, std::uint64_t n) {
  return *store.seen(
      [&](const ports::Records& records) { return records.webhooks().find(kTenant, id_of<WebhookEndpointId>(n)); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_sealing)

BOOST_DATA_TEST_CASE(a_damaged_cell_is_named_and_hides_no_other_row, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  insert_events(store);
  store.run_past_the_store("UPDATE events SET body = x'0105706C61696E00' WHERE sequence = 2");
  store.reopen();
  const auto cell = "events.body of row " + id_of<EventId>(2).text() + " of tenant " + kTenant.text() +
                    " cannot be decrypted: it was changed, or moved there from another cell";
  const auto list = [&](std::size_t limit) {
    return store.seen([&](const ports::Records& records) { return records.events().list(kTenant, "", 0, limit); });
  };
  const auto listed = list(9);
  BOOST_REQUIRE(listed.size() == 2u);
  BOOST_TEST(shown(listed[1].id) == shown(id_of<EventId>(3)));
  BOOST_TEST(store.failures() == cell + "\n");
  // A page is as long as it may be, or there is nothing behind it.
  for (std::size_t limit = 1; limit <= 3; ++limit) BOOST_TEST(list(limit).size() == std::min<std::size_t>(limit, 2));
  BOOST_TEST(store.failures() == cell + "\n" + cell + "\n" + cell + "\n");
  BOOST_TEST(look_at_event(store, 1));
  const auto refused = look_at_event(store, 2);
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
  insert_events(store);
  store.run_past_the_store("UPDATE events SET body = x'01026B3900' WHERE sequence = 2");
  store.reopen();
  const auto refused = look_at_event(store, 2);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().code == ErrorCode::service_unavailable);
  BOOST_TEST(refused.error().retry_after_s.has_value());
  BOOST_TEST(store.failures().find(" is encrypted under the key k9, which is not in the key ring of this node") !=
             std::string::npos);
  BOOST_TEST(store->seal_faults().unknown_key == 1u);
  // A list that silently lacks rows would be wrong while other nodes show them.
  BOOST_TEST(!store->read([](const ports::Records& records) { (void)records.events().list(kTenant, "", 0, 9); }));
}

BOOST_DATA_TEST_CASE(an_event_for_a_delivery_comes_with_the_fault_of_its_body, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  insert_events(store);
  store.run_past_the_store("UPDATE events SET body = x'0105706C61696E00' WHERE sequence = 2");
  store.run_past_the_store("UPDATE events SET body = x'01026B3900' WHERE sequence = 3");
  store.reopen();
  const auto to_send = [&](std::uint64_t n) {
    return store.seen(
        [&](const ports::Records& records) { return records.events().find_to_send(kTenant, id_of<EventId>(n)); });
  };
  BOOST_TEST(to_send(1)->event.body == "{}");
  BOOST_TEST(!to_send(1)->fault);
  BOOST_TEST((to_send(2)->fault == DecryptionFault::damaged));
  BOOST_TEST((to_send(3)->fault == DecryptionFault::key_missing));
  BOOST_TEST(!to_send(4));
}

BOOST_DATA_TEST_CASE(an_endpoint_is_changed_and_rotated_without_its_damaged_secrets, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([](ports::Records& records) { records.webhooks().insert(kTenant, sample_endpoint(1)); });
  store.run_past_the_store("UPDATE webhook_endpoints SET secret = x'0105706C61696E00'");
  store.reopen();
  const auto update = [&](const WebhookEndpoint& endpoint) {
    return store.written([&](ports::Records& records) { return records.webhooks().update(kTenant, endpoint); });
  };
  auto endpoint = endpoint_of(store, 1);
  BOOST_TEST((endpoint.secret_fault == DecryptionFault::damaged));
  BOOST_TEST(endpoint.secret.reveal() == "");
  BOOST_TEST(endpoint.previous_secrets.empty());
  endpoint.description = "changed";
  BOOST_TEST(update(endpoint));
  endpoint = endpoint_of(store, 1);
  BOOST_TEST(endpoint.description == "changed");
  BOOST_TEST((endpoint.secret_fault == DecryptionFault::damaged));

  rotate_secret(endpoint, "whsec_bmV3", 3600, kNow);
  BOOST_TEST(update(endpoint));
  endpoint = endpoint_of(store, 1);
  BOOST_TEST(!endpoint.secret_fault);
  BOOST_TEST(endpoint.secret.reveal() == "whsec_bmV3");
  BOOST_TEST(endpoint.previous_secrets.empty());
}

BOOST_DATA_TEST_CASE(a_change_keeps_secrets_under_a_key_that_is_not_here_yet, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([](ports::Records& records) { records.webhooks().insert(kTenant, sample_endpoint(1)); });
  store.run_past_the_store("UPDATE webhook_endpoints SET secret = x'01026B3900'");
  store.reopen();
  auto endpoint = endpoint_of(store, 1);
  BOOST_TEST((endpoint.secret_fault == DecryptionFault::key_missing));
  endpoint.description = "changed";
  BOOST_TEST(store.written([&](ports::Records& records) { return records.webhooks().update(kTenant, endpoint); }));
  BOOST_TEST(store.written([&](ports::Records& records) {
    return records.webhooks().drop_expired_secrets(kNow.plus_ms(99), 9);
  }) == 0u);
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM webhook_endpoints WHERE secret = x'01026B3900' AND "
                                        "LENGTH(previous_secrets) > 0 AND description = 'changed'") == 1);
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
