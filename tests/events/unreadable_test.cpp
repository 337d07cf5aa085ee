// Deliveries whose event or secret cannot be decrypted, beside those of others.
#include <boost/test/unit_test.hpp>

#include "tests/events/delivery_bench.hpp"

using namespace tideover;
using test::DeliveryBench;
using test::eventually;
using test::WebhookReceiver;
using State = ports::Delivery::State;

namespace {

struct UnreadableBench : DeliveryBench {
  /// The first endpoint is that of the fault; another tenant has the second one.
  void subscribe_two_tenants() {
    subscribe(receiver.url("/faulty"));
    subscribe(other_tenant, receiver.url("/other"));
  }
  void append_for_both() {
    faulty_event = append();
    append(other_tenant, "reconciliation.posted", R"({"id":"rec_2"})");
  }
  void set_fault(std::optional<domain::DecryptionFault> fault) {
    store.change([&](test::EventState& state) { state.endpoints[0].endpoint.secret_fault = fault; });
  }
  void set_event_fault(domain::DecryptionFault fault) {
    store.change([&](test::EventState& state) { state.event_faults[faulty_event] = fault; });
  }
  ports::Delivery delivery_of(const domain::TenantId& whose) const {
    for (const auto& delivery : deliveries())
      if (delivery.tenant == whose) return delivery;
    return {};
  }
  bool other_is_delivered() const {
    return eventually([&] { return delivery_of(other_tenant).state == State::delivered; });
  }
  /// Publishes before the dispatcher starts, so that the fault is there for the first attempt.
  void publish() {
    events::Publisher publisher(store, clock, delivery_options);
    BOOST_REQUIRE(bool(publisher.publish_batch()));
  }

  const domain::TenantId other_tenant = test::numbered<domain::TenantId>(2);
  domain::EventId faulty_event;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unreadable)

BOOST_FIXTURE_TEST_CASE(a_damaged_secret_ends_its_delivery_and_hinders_no_other, UnreadableBench) {
  subscribe_two_tenants();
  set_fault(domain::DecryptionFault::damaged);
  append_for_both();
  const auto dispatcher = start();
  BOOST_REQUIRE(other_is_delivered());
  BOOST_REQUIRE(eventually([&] { return delivery_of(tenant).state == State::dead; }));
  BOOST_TEST(delivery_of(tenant).last_error ==
             "the endpoint's secret cannot be decrypted; rotate it, then retry the delivery");
  BOOST_TEST(delivery_of(tenant).attempts == 0);
  BOOST_TEST(receiver.request_count() == 1u);
  BOOST_TEST(troubles == 0);
}

BOOST_FIXTURE_TEST_CASE(a_damaged_event_ends_its_delivery_and_hinders_no_other, UnreadableBench) {
  subscribe_two_tenants();
  append_for_both();
  publish();
  set_event_fault(domain::DecryptionFault::damaged);
  const auto dispatcher = start();
  BOOST_REQUIRE(other_is_delivered());
  BOOST_REQUIRE(eventually([&] { return delivery_of(tenant).state == State::dead; }));
  BOOST_TEST(delivery_of(tenant).last_error == "the stored event cannot be decrypted");
  BOOST_TEST(receiver.request_count() == 1u);
  BOOST_TEST(troubles == 0);
}

BOOST_FIXTURE_TEST_CASE(a_missing_key_is_waited_for_without_an_attempt, UnreadableBench) {
  subscribe_two_tenants();
  set_fault(domain::DecryptionFault::key_missing);
  append_for_both();
  const auto dispatcher = start();
  BOOST_REQUIRE(other_is_delivered());
  BOOST_REQUIRE(eventually([&] { return !delivery_of(tenant).last_error.empty(); }));
  BOOST_TEST((delivery_of(tenant).state == State::waiting));
  BOOST_TEST(delivery_of(tenant).attempts == 0);
  BOOST_TEST(!store.state().endpoints[0].endpoint.health.failing_since);
  set_fault(std::nullopt);
  clock.advance_s(60);
  dispatcher->poke();
  BOOST_REQUIRE(eventually([&] { return delivery_of(tenant).state == State::delivered; }));
  BOOST_TEST(delivery_of(tenant).attempts == 1);
  BOOST_TEST(delivery_of(tenant).last_error == "");
}

BOOST_AUTO_TEST_SUITE_END()
