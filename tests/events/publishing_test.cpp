// From the outbox into each tenant's log.
#include <boost/test/unit_test.hpp>

#include <set>

#include "core/events/publisher.hpp"
#include "tests/events/bench.hpp"

using namespace tideover;
using test::numbered;

BOOST_AUTO_TEST_SUITE(publishing)

struct PublishingBench : test::Bench {
  events::DispatcherOptions publisher_options = options();
  events::Publisher publisher{store, clock, publisher_options};

  std::size_t publish() {
    const auto published = publisher.publish_batch();
    BOOST_REQUIRE(bool(published));
    return published->events;
  }
};

BOOST_FIXTURE_TEST_CASE(each_tenant_has_its_own_sequence_without_gaps, PublishingBench) {
  const auto second = numbered<domain::TenantId>(2);
  for (int i = 0; i < 3; ++i) {
    append(tenant, "claim.status_changed", "{}");
    append(second, "claim.status_changed", "{}");
  }
  BOOST_TEST(publish() == 6u);
  append(second, "claim.status_changed", "{}");
  BOOST_TEST(publish() == 1u);
  BOOST_TEST(publish() == 0u);

  std::map<domain::TenantId, std::vector<std::int64_t>> sequences;
  for (const auto& event : store.state().log) sequences[event.tenant].push_back(event.sequence);
  BOOST_TEST(sequences[tenant] == (std::vector<std::int64_t>{1, 2, 3}));
  BOOST_TEST(sequences[second] == (std::vector<std::int64_t>{1, 2, 3, 4}));
}

BOOST_FIXTURE_TEST_CASE(a_unit_that_the_store_runs_twice_gives_no_number_twice, PublishingBench) {
  store.runs_each_unit_twice = true;
  append();
  append();
  BOOST_TEST(publish() == 2u);
  const auto log = store.state().log;
  BOOST_REQUIRE(log.size() == 2u);
  BOOST_TEST(log[0].sequence == 1);
  BOOST_TEST(log[1].sequence == 2);
}

BOOST_FIXTURE_TEST_CASE(events_go_to_the_enabled_endpoints_of_the_tenant_that_subscribe_to_them, PublishingBench) {
  const auto all = subscribe("https://a.example/");
  const auto fitting = subscribe("https://b.example/", {"claim.status_changed", "reconciliation.posted"});
  subscribe("https://c.example/", {"claim.status_changed"});
  subscribe(numbered<domain::TenantId>(2), "https://other-tenant.example/");
  const auto disabled = subscribe("https://d.example/");
  store.change([&](test::EventState& state) { state.endpoints.back().endpoint.enabled = false; });

  const auto event = append("reconciliation.posted");
  publish();
  std::set<domain::WebhookEndpointId> receivers;
  for (const auto& delivery : deliveries()) {
    receivers.insert(delivery.endpoint);
    BOOST_TEST((delivery.event == event));
    BOOST_TEST(delivery.attempts == 0);
    BOOST_TEST((delivery.next_try_at == clock.now()));
  }
  BOOST_TEST((receivers == std::set{all, fitting}));
}

BOOST_FIXTURE_TEST_CASE(more_endpoints_than_a_page_all_get_the_event, PublishingBench) {
  for (int i = 0; i < 250; ++i) subscribe("https://a.example/");
  append();
  publish();
  BOOST_TEST(deliveries().size() == 250u);
}

BOOST_FIXTURE_TEST_CASE(a_ping_goes_to_its_endpoint_alone_whatever_that_subscribes_to, PublishingBench) {
  subscribe("https://a.example/");
  const auto pinged = subscribe("https://b.example/", {"claim.status_changed"});
  append("event.ping", R"({"endpoint_id":")" + pinged.text() + R"("})");
  publish();
  BOOST_REQUIRE(deliveries().size() == 1u);
  BOOST_TEST((only_delivery().endpoint == pinged));
}

BOOST_FIXTURE_TEST_CASE(an_event_without_receivers_still_gets_its_place_in_the_log, PublishingBench) {
  append();
  publish();
  BOOST_TEST(store.state().log.size() == 1u);
  BOOST_TEST(deliveries().empty());
}

BOOST_FIXTURE_TEST_CASE(the_second_publisher_is_refused_whole_and_reads_again, PublishingBench) {
  subscribe("https://a.example/");
  append();
  // Another node's event takes sequence 1 in its own transaction, which ours could not see yet.
  store.change([&](test::EventState& state) {
    state.outbox.push_back({tenant, numbered<domain::EventId>(900), "claim.status_changed", "{}", clock.now()});
  });
  struct StaleSequence final : ports::Store {
    explicit StaleSequence(test::FakeStore& inner_of) : inner(inner_of) {}
    domain::Status read(const std::function<void(const ports::Records&)>& look) override { return inner.read(look); }
    domain::Status commit(const Unit& unit, ports::Priority priority) override {
      return inner.commit(
          [&](ports::Records& records) {
            auto done = unit(records);
            if (collide)
              records.events().publish(
                  {{numbered<domain::TenantId>(1), numbered<domain::EventId>(901), "x", 1, "{}", {}}});
            return done;
          },
          priority);
    }
    test::FakeStore& inner;
    bool collide = true;
  } colliding(store);

  events::Publisher second(colliding, clock, publisher_options);
  const auto refused = second.publish_batch();
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == domain::ErrorCode::conflict));
  BOOST_TEST(store.state().log.empty());
  BOOST_TEST(deliveries().empty());

  colliding.collide = false;
  const auto again = second.publish_batch();
  BOOST_REQUIRE(bool(again));
  BOOST_TEST(again->events == 2u);
}

BOOST_FIXTURE_TEST_CASE(an_unreachable_store_is_reported_and_loses_nothing, PublishingBench) {
  append();
  store.unreachable = true;
  const auto refused = publisher.publish_batch();
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == domain::ErrorCode::service_unavailable));
  store.unreachable = false;
  BOOST_TEST(publish() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
