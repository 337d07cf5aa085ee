// EventRecords and WebhookRecords: outbox, log, deliveries and endpoints.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

std::vector<ports::OutboxRow> unpublished(StoreUnderTest& store, std::size_t limit = 9) {
  return store.seen([&](const ports::Records& records) { return records.events().unpublished(limit); });
}

std::vector<ports::Delivery> due(StoreUnderTest& store, Timestamp now, std::size_t limit = 9) {
  return store.seen([&](const ports::Records& records) { return records.events().due(now, limit); });
}

std::optional<ErrorCode> publish(StoreUnderTest& store, const ports::PublishedEvent& event) {
  return store.try_to_write([&](ports::Records& records) { records.events().publish({event}); });
}

bool update(StoreUnderTest& store, const ports::Delivery& delivery) {
  return store.written([&](ports::Records& records) { return records.events().update_delivery(delivery); });
}

std::vector<WebhookEndpoint> endpoints(StoreUnderTest& store, std::string_view after, std::size_t limit) {
  return store.seen([&](const ports::Records& records) { return records.webhooks().list(kTenant, {after, limit}); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_events)

BOOST_DATA_TEST_CASE(the_outbox_renders_on_append_and_is_oldest_first_over_all_tenants, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    records.events().append(kTenant, sample_event(3));
    records.events().append(kOtherTenant, sample_event(1));
    records.events().append(kTenant, sample_event(2));
  });
  const auto row = [](std::uint64_t n, const TenantId& tenant) {
    return ports::OutboxRow{
        tenant, id_of<EventId>(n), "event.ping", "{\"of\":\"event.ping\"}", sample_event(n).created_at, 7};
  };
  BOOST_TEST(shown(unpublished(store)) == shown(std::vector{row(1, kOtherTenant), row(2, kTenant), row(3, kTenant)}));
  BOOST_TEST(unpublished(store, 2).size() == 2);
}

BOOST_DATA_TEST_CASE(an_event_that_is_not_in_the_outbox_is_not_published, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.events().append(kTenant, sample_event(1)); });
  const auto waiting = published(unpublished(store).front(), 1);
  const ports::PublishedEvent unknown{kTenant, id_of<EventId>(77), "event.ping", 2, "{}", kNow};
  const auto refused = store.try_to_write([&](ports::Records& records) {
    records.events().publish({waiting, unknown});
  });
  BOOST_TEST(refused.value() == ErrorCode::service_unavailable);  // the committer has run it again and again by then
  BOOST_TEST(unpublished(store).size() == 1);
  BOOST_TEST(store.seen([&](const ports::Records& records) { return records.events().last_sequence(kTenant); }) == 0);
}

BOOST_DATA_TEST_CASE(publishing_moves_an_event_into_its_tenants_log, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto last_sequence = [&](const TenantId& tenant) {
    return store.seen([&](const ports::Records& records) { return records.events().last_sequence(tenant); });
  };
  const auto find = [&](const TenantId& tenant, std::uint64_t n) {
    return store.seen([&](const ports::Records& records) { return records.events().find(tenant, id_of<EventId>(n)); });
  };
  store.write([&](ports::Records& records) {
    records.events().append(kTenant, sample_event(1));
    records.events().append(kTenant, sample_event(2));
  });
  BOOST_TEST(last_sequence(kTenant) == 0);
  const auto event = published(unpublished(store).front(), 1);
  BOOST_REQUIRE(!publish(store, event));
  BOOST_TEST(shown(find(kTenant, 1)) == shown(event));
  BOOST_TEST(!find(kTenant, 2));
  BOOST_TEST(!find(kOtherTenant, 1));
  BOOST_TEST(unpublished(store).size() == 1);
  BOOST_TEST(last_sequence(kTenant) == 1);
  BOOST_TEST(last_sequence(kOtherTenant) == 0);
}

BOOST_DATA_TEST_CASE(a_sequence_number_and_an_event_are_given_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    records.events().append(kTenant, sample_event(1));
    records.events().append(kTenant, sample_event(2));
    records.events().append(kOtherTenant, sample_event(3));
  });
  const auto waiting = unpublished(store);
  BOOST_REQUIRE(!publish(store, published(waiting[0], 1)));
  BOOST_TEST(publish(store, published(waiting[1], 1)).value() == ErrorCode::conflict);
  BOOST_TEST(publish(store, published(waiting[0], 2)).value() == ErrorCode::conflict);
  BOOST_TEST(unpublished(store).size() == 2);
  BOOST_TEST(!publish(store, published(waiting[2], 1)));
  BOOST_TEST(!publish(store, published(waiting[1], 2)));
}

BOOST_DATA_TEST_CASE(due_deliveries_are_waiting_ones_whose_time_has_come_oldest_first, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto delivery = [](std::uint64_t n, std::int64_t due_in_ms, ports::Delivery::State state) {
    auto made = sample_delivery(n, 1);
    made.next_try_at = kNow.plus_ms(due_in_ms);
    made.state = state;
    return made;
  };
  using enum ports::Delivery::State;
  auto of_another_tenant = delivery(2, -1, waiting);
  of_another_tenant.tenant = kOtherTenant;
  store.write([&](ports::Records& records) {
    records.events().insert_delivery(delivery(1, 0, waiting));
    records.events().insert_delivery(of_another_tenant);
    records.events().insert_delivery(delivery(3, 1, waiting));
    records.events().insert_delivery(delivery(4, -5, delivered));
    records.events().insert_delivery(delivery(5, -5, dead));
  });
  BOOST_TEST(shown(due(store, kNow)) == shown(std::vector{of_another_tenant, delivery(1, 0, waiting)}));
  BOOST_TEST(due(store, kNow, 1).size() == 1);
}

BOOST_DATA_TEST_CASE(the_outcome_of_a_try_is_written_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto delivery = sample_delivery(1, 1);
  store.write([&](ports::Records& records) { records.events().insert_delivery(delivery); });
  BOOST_TEST(store.try_to_write([&](ports::Records& records) { records.events().insert_delivery(delivery); }).value() ==
             ErrorCode::conflict);
  delivery.attempts = 4;
  delivery.next_try_at = kNow.plus_ms(50);
  delivery.last_status = 0;
  delivery.last_error = "refused";
  BOOST_TEST(update(store, delivery));
  BOOST_TEST(!update(store, delivery));
  ++delivery.revision;
  BOOST_TEST(shown(due(store, kNow.plus_ms(50))) == shown(std::vector{delivery}));
  delivery.state = ports::Delivery::State::delivered;
  BOOST_TEST(update(store, delivery));
  BOOST_TEST(due(store, kNow.plus_ms(99)).empty());
}

BOOST_DATA_TEST_CASE(an_endpoint_comes_back_whole_and_lists_in_id_order, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto bare = WebhookEndpoint{};
  bare.id = id_of<WebhookEndpointId>(3);
  store.write([&](ports::Records& records) {
    records.webhooks().insert(kTenant, sample_endpoint(2));
    records.webhooks().insert(kTenant, sample_endpoint(1));
    records.webhooks().insert(kTenant, bare);
    records.webhooks().insert(kOtherTenant, sample_endpoint(4));
  });
  const auto find = [&](std::uint64_t n) {
    return store.seen(
        [&](const ports::Records& records) { return records.webhooks().find(kTenant, id_of<WebhookEndpointId>(n)); });
  };
  BOOST_TEST(shown(find(1)) == shown(sample_endpoint(1)));
  BOOST_TEST(shown(find(3)) == shown(bare));
  BOOST_TEST(shown(endpoints(store, "", 9)) == shown(std::vector{sample_endpoint(1), sample_endpoint(2), bare}));
  BOOST_TEST(shown(endpoints(store, sample_endpoint(1).id.text(), 1)) == shown(std::vector{sample_endpoint(2)}));

  const auto count = [&](const TenantId& tenant) {
    return store.seen([&](const ports::Records& records) { return records.webhooks().count(tenant); });
  };
  BOOST_TEST(count(kTenant) == 3u);
  BOOST_TEST(count(kOtherTenant) == 1u);
}

BOOST_DATA_TEST_CASE(an_endpoint_is_disabled_once_with_reason_and_time, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    records.webhooks().insert(kTenant, sample_endpoint(1));
    records.webhooks().insert(kTenant, sample_endpoint(2));
  });
  auto judged = EndpointHealth{};
  const auto disable = [&](DisabledReason reason, Timestamp at) {
    return store.written([&](ports::Records& records) {
      return records.webhooks().disable(kTenant, id_of<WebhookEndpointId>(1), judged, reason, at);
    });
  };
  BOOST_TEST(!disable(DisabledReason::failing, kNow.plus_ms(6)));  // another health was judged
  judged = sample_endpoint(1).health;
  BOOST_TEST(disable(DisabledReason::failing, kNow.plus_ms(7)));
  BOOST_TEST(!disable(DisabledReason::requested, kNow.plus_ms(8)));
  auto disabled = sample_endpoint(1);
  disabled.enabled = false;
  disabled.disabled_reason = DisabledReason::failing;
  disabled.disabled_at = kNow.plus_ms(7);
  ++disabled.revision;
  BOOST_TEST(shown(endpoints(store, "", 9)) == shown(std::vector{disabled, sample_endpoint(2)}));
}

BOOST_DATA_TEST_CASE(a_change_of_an_endpoint_needs_its_revision_and_leaves_its_health, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.webhooks().insert(kTenant, sample_endpoint(1)); });
  auto changed = sample_endpoint(1);
  changed.url = "https://other.example.test/";
  changed.events = {};
  changed.description = "changed";
  changed.secret = Sensitive<std::string>("whsec_bmV3");
  changed.previous_secrets.pop_back();
  changed.disabled_reason.reset();
  changed.disabled_at.reset();
  changed.health = {};
  const auto update = [&] {
    return store.written([&](ports::Records& records) { return records.webhooks().update(kTenant, changed); });
  };
  BOOST_TEST(update());
  BOOST_TEST(!update());  // another writer was first
  changed.health = sample_endpoint(1).health;
  ++changed.revision;
  BOOST_TEST(shown(endpoints(store, "", 9)) == shown(std::vector{changed}));
}

BOOST_DATA_TEST_CASE(the_health_of_an_endpoint_is_kept_apart, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.webhooks().insert(kTenant, sample_endpoint(1)); });
  const auto health = [&](std::uint64_t n) {
    return store.seen(
        [&](const ports::Records& records) { return records.webhooks().health(kTenant, id_of<WebhookEndpointId>(n)); });
  };
  BOOST_TEST(shown(health(1)) == shown(std::optional(sample_endpoint(1).health)));
  BOOST_TEST(!health(2));
  const auto set = [&](const EndpointHealth& before, const EndpointHealth& after) {
    return store.written([&](ports::Records& records) {
      return records.webhooks().set_health(kTenant, id_of<WebhookEndpointId>(1), before, after);
    });
  };
  const EndpointHealth failing{kNow, 0, {}, kNow.plus_ms(1)};
  BOOST_TEST(set(sample_endpoint(1).health, failing));
  BOOST_TEST(!set(sample_endpoint(1).health, {}));  // another worker was first
  auto after = sample_endpoint(1);
  after.health = failing;
  BOOST_TEST(shown(endpoints(store, "", 9)) == shown(std::vector{after}));
  BOOST_TEST(set(failing, {}));
  BOOST_TEST(set({}, failing));
  store.write([&](ports::Records& records) { records.webhooks().reset_health(kTenant, id_of<WebhookEndpointId>(1)); });
  BOOST_TEST(shown(health(1)) == shown(std::optional(EndpointHealth{})));
}

BOOST_DATA_TEST_CASE(previous_secrets_are_removed_when_their_overlap_has_ended, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto whole = sample_endpoint(1);
  store.write([&](ports::Records& records) {
    records.webhooks().insert(kTenant, whole);
    records.webhooks().insert(kOtherTenant, sample_endpoint(2));
  });
  const auto drop = [&](Timestamp now) {
    return store.written([&](ports::Records& records) { return records.webhooks().drop_expired_secrets(now, 9); });
  };
  const auto ends = [&](std::size_t n) { return whole.previous_secrets.at(n).until; };
  BOOST_TEST(drop(ends(0).plus_ms(-1)) == 0u);
  BOOST_TEST(drop(ends(0)) == 2u);
  auto left = whole;
  left.previous_secrets.erase(left.previous_secrets.begin());
  BOOST_TEST(shown(endpoints(store, "", 9)) == shown(std::vector{left}));
  BOOST_TEST(drop(ends(0)) == 0u);
  BOOST_TEST(drop(ends(1)) == 2u);
  BOOST_TEST(store.count_past_the_store(
                 "SELECT COUNT(*) FROM webhook_endpoints WHERE LENGTH(previous_secrets) > 0 OR previous_end_at > 0") ==
             0);
}

BOOST_DATA_TEST_CASE(removing_an_endpoint_ends_its_waiting_deliveries_for_good, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    records.webhooks().insert(kTenant, sample_endpoint(1));
    records.webhooks().insert(kTenant, sample_endpoint(2));
    records.events().insert_delivery(sample_delivery(1, 1));
    records.events().insert_delivery(sample_delivery(1, 2));
  });
  const auto remove = [&] {
    return store.written(
        [&](ports::Records& records) { return records.webhooks().remove(kTenant, id_of<WebhookEndpointId>(1)); });
  };
  BOOST_TEST(remove());
  BOOST_TEST(!remove());
  BOOST_TEST(shown(endpoints(store, "", 9)) == shown(std::vector{sample_endpoint(2)}));
  const auto later = sample_delivery(1, 1).next_try_at;
  BOOST_TEST(shown(due(store, later)) == shown(std::vector{sample_delivery(1, 2)}));

  // A try that was under way when the endpoint went does not bring its delivery back.
  BOOST_TEST(!update(store, sample_delivery(1, 1)));
  BOOST_TEST(due(store, later).size() == 1);
}

BOOST_DATA_TEST_CASE(the_log_is_read_by_sequence_kind_and_time, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto event = [](std::uint64_t id, const char* kind, std::int64_t sequence, std::int64_t after_ms) {
    return ports::PublishedEvent{
        kTenant, id_of<EventId>(id), kind, sequence, "{\"n\":" + std::to_string(id) + "}", kNow.plus_ms(after_ms)};
  };
  const std::vector log{event(3, "review.completed", 1, 10), event(1, "settlement.funded", 2, 10),
                        event(2, "review.completed", 3, 30), event(5, "task.opened", 4, 20)};
  store.write([&](ports::Records& records) {
    for (const auto& one : log) records.events().append(kTenant, {one.id, kNow, domain::Ping{}});
    records.events().publish(log);
  });
  const auto list = [&](std::string_view kind, std::int64_t after, std::size_t limit) {
    return shown(
        store.seen([&](const ports::Records& records) { return records.events().list(kTenant, kind, after, limit); }));
  };
  BOOST_TEST(list("", 0, 9) == shown(log));
  BOOST_TEST(list("", 1, 2) == shown(std::vector{log[1], log[2]}));
  BOOST_TEST(list("review.completed", 0, 9) == shown(std::vector{log[0], log[2]}));
  // By the time of the tenant, whatever the ids say; the end does not belong to it.
  const auto between = [&](std::int64_t from, std::int64_t until, const std::vector<std::string>& kinds,
                           std::size_t limit) {
    return shown(store.seen([&](const ports::Records& records) {
      return records.events().between(kTenant, kNow.plus_ms(from), kNow.plus_ms(until), kinds, limit);
    }));
  };
  BOOST_TEST(between(10, 30, {}, 9) == shown(std::vector{log[1], log[0], log[3]}));
  BOOST_TEST(between(11, 99, {}, 2) == shown(std::vector{log[3], log[2]}));
  BOOST_TEST(between(0, 99, {}, 2) == shown(std::vector{log[1], log[0]}));
  BOOST_TEST(between(0, 99, {"review.completed", "task.opened"}, 9) == shown(std::vector{log[0], log[3], log[2]}));
}

BOOST_DATA_TEST_CASE(more_events_of_one_moment_than_a_page_are_all_between, bdata::make(engines()), engine) {
  constexpr std::uint64_t kEvents = 501;  // a page has 500
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    std::vector<ports::PublishedEvent> log;
    for (std::uint64_t n = 1; n <= kEvents; ++n) {
      records.events().append(kTenant, {id_of<EventId>(n), kNow, domain::Ping{}});
      log.push_back({kTenant, id_of<EventId>(n), "event.ping", static_cast<std::int64_t>(n), std::to_string(n), kNow});
    }
    records.events().publish(log);
  });
  const auto found = store.seen(
      [](const ports::Records& records) { return records.events().between(kTenant, kNow, kNow.plus_ms(1), {}, 999); });
  BOOST_REQUIRE(found.size() == kEvents);
  BOOST_TEST((found.back().id == id_of<EventId>(kEvents)));
}

BOOST_DATA_TEST_CASE(an_ended_delivery_is_repeated_from_its_first_try, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto delivery = sample_delivery(1, 1);
  delivery.state = ports::Delivery::State::dead;
  delivery.attempts = 9;
  store.write([&](ports::Records& records) { records.events().insert_delivery(delivery); });
  const auto again = [&](std::uint64_t event) {
    return store.written([&](ports::Records& records) {
      return records.events().deliver_again(kTenant, id_of<EventId>(event), delivery.endpoint, kNow);
    });
  };
  BOOST_TEST(again(1));
  BOOST_TEST(!again(1));  // it is due now
  BOOST_TEST(again(2));   // the endpoint was not there when it happened
  const auto waiting = due(store, kNow);
  BOOST_REQUIRE(waiting.size() == 2u);
  for (const auto& one : waiting) {
    BOOST_TEST(one.manual);
    BOOST_TEST(one.attempts == 0);
    BOOST_TEST(one.last_error == "");
    BOOST_TEST(!one.last_try_at);
  }
}

BOOST_DATA_TEST_CASE(a_retry_that_waits_is_brought_forward_unless_its_attempt_is_in_progress, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  auto waits = sample_delivery(1, 1);
  waits.next_try_at = kNow.plus_ms(1);
  auto in_progress = sample_delivery(2, 1);
  in_progress.next_try_at = kNow.plus_ms(1);
  in_progress.in_progress = true;
  store.write([&](ports::Records& records) {
    records.events().insert_delivery(waits);
    records.events().insert_delivery(in_progress);
  });
  const auto again = [&](std::uint64_t event) {
    return store.written([&](ports::Records& records) {
      return records.events().deliver_again(kTenant, id_of<EventId>(event), waits.endpoint, kNow);
    });
  };
  BOOST_TEST(again(1));
  BOOST_TEST(!again(2));
  BOOST_TEST(!update(store, waits));  // its schedule started again
  auto forward = waits;
  forward.attempts = 0;
  forward.next_try_at = kNow;
  forward.last_status = 0;
  forward.last_error.clear();
  forward.last_try_at.reset();
  forward.manual = true;
  ++forward.revision;
  BOOST_TEST(shown(due(store, kNow)) == shown(std::vector{forward}));
  BOOST_TEST(update(store, in_progress));
}

BOOST_DATA_TEST_CASE(an_outcome_is_that_of_its_own_claim_also_after_a_retry, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto first = sample_delivery(1, 1);
  first.attempts = 1;
  store.write([&](ports::Records& records) { records.events().insert_delivery(first); });
  auto ended = first;
  ended.state = ports::Delivery::State::dead;
  BOOST_REQUIRE(update(store, ended));
  BOOST_REQUIRE(store.written([&](ports::Records& records) {
    return records.events().deliver_again(kTenant, first.event, first.endpoint, kNow);
  }));
  auto claimed = due(store, kNow).at(0);
  claimed.attempts = 1;
  claimed.in_progress = true;
  BOOST_REQUIRE(update(store, claimed));
  first.state = ports::Delivery::State::delivered;  // the late outcome of the attempt before the retry
  BOOST_TEST(!update(store, first));
  ++claimed.revision;
  BOOST_TEST(shown(due(store, kNow)) == shown(std::vector{claimed}));
}

BOOST_DATA_TEST_CASE(the_deliveries_of_an_endpoint_are_listed_newest_first, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto event = [](std::uint64_t id, const char* kind) {
    return ports::PublishedEvent{kTenant, id_of<EventId>(id), kind, static_cast<std::int64_t>(id), "{}", kNow};
  };
  const std::vector log{event(1, "review.completed"), event(2, "task.opened"), event(3, "review.completed")};
  const auto delivery = [&](std::uint64_t of, std::uint64_t endpoint) {
    auto made = sample_delivery(of, endpoint);
    made.kind = log[of - 1].kind;
    return made;
  };
  auto delivered = delivery(1, 1);
  delivered.state = ports::Delivery::State::delivered;
  store.write([&](ports::Records& records) {
    for (const auto& one : log) records.events().append(kTenant, {one.id, kNow, domain::Ping{}});
    records.events().publish(log);
    records.events().insert_delivery(delivered);
    records.events().insert_delivery(delivery(2, 1));
    records.events().insert_delivery(delivery(3, 1));
    records.events().insert_delivery(delivery(3, 2));
  });
  const std::vector all{delivery(3, 1), delivery(2, 1), delivered};
  const auto list = [&](ports::DeliveryQuery query) {
    query.endpoint = id_of<WebhookEndpointId>(1);
    return shown(
        store.seen([&](const ports::Records& records) { return records.events().deliveries(kTenant, query); }));
  };
  BOOST_TEST(list({}) == shown(all));
  ports::DeliveryQuery query;
  query.limit = 2;
  BOOST_TEST(list(query) == shown(std::vector{all[0], all[1]}));
  query.after = id_of<EventId>(2).text();
  BOOST_TEST(list(query) == shown(std::vector{all[2]}));
  query.order = domain::ListOrder::oldest_first;
  BOOST_TEST(list(query) == shown(std::vector{all[0]}));
  query.after.clear();
  BOOST_TEST(list(query) == shown(std::vector{all[2], all[1]}));
  query.kind = "review.completed";
  BOOST_TEST(list(query) == shown(std::vector{all[2], all[0]}));
  query = {};
  query.state = ports::Delivery::State::delivered;
  BOOST_TEST(list(query) == shown(std::vector{all[2]}));
  query = {};
  query.kind = "review.completed";
  BOOST_TEST(list(query) == shown(std::vector{all[0], all[2]}));
  query.limit = 1;
  BOOST_TEST(list(query) == shown(std::vector{all[0]}));
  query.state = ports::Delivery::State::delivered;
  BOOST_TEST(list(query) == shown(std::vector{all[2]}));

  const auto find = [&](std::uint64_t of, std::uint64_t endpoint) {
    return store.seen([&](const ports::Records& records) {
      return records.events().find_delivery(kTenant, id_of<EventId>(of), id_of<WebhookEndpointId>(endpoint));
    });
  };
  BOOST_TEST(shown(find(2, 1)) == shown(std::optional(all[1])));
  BOOST_TEST(!find(2, 2));
}

BOOST_AUTO_TEST_SUITE_END()
