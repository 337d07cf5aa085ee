// The dispatcher over the store that ships: SQLite in a file, events appended in the transaction of their cause.
#include "core/store/sql_store.hpp"

#include <stdlib.h>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <set>

#include "tests/events/bench.hpp"
#include "tests/fakes/plain_cipher.hpp"
#include "tests/support/webhook_receiver/webhook_receiver.hpp"

using namespace tideover;
using test::eventually;
using test::numbered;
using test::WebhookReceiver;

namespace {

class OneField final : public ports::EventEncoder {
 public:
  std::string encode_data(const domain::EventData& data) const override {
    return R"({"kind":")" + std::string(domain::kind_of(data)) + R"("})";
  }
};

struct SqliteFile {
  std::filesystem::path folder = [] {
    std::string name = (std::filesystem::temp_directory_path() / "tideover-events-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    return name;
  }();
  OneField encoder;
  fakes::PlainCipher cipher;
  std::unique_ptr<store::SqlStore> store;
  test::FakeClock clock;
  fakes::CountingIds new_ids;
  WebhookReceiver receiver;
  events::DispatcherOptions options;

  SqliteFile() {
    options.retries.jitter_percent = 0;
    options.poll_ms = 5;
    options.egress.allow_loopback_http = true;
    open();
  }
  ~SqliteFile() {
    store.reset();
    std::filesystem::remove_all(folder);
  }

  void open() {
    store.reset();
    store::StoreOptions where;
    where.sqlite_path = folder / "store" / "tideover.db";
    auto opened = store::SqlStore::open(where, encoder, cipher);
    if (!opened) BOOST_FAIL(opened.error().message);
    store = *std::move(opened);
  }
  void write(const std::function<void(ports::Records&)>& how) {
    const auto done = store->commit([&](ports::Records& records) -> domain::Status {
      how(records);
      return {};
    });
    BOOST_REQUIRE(bool(done));
  }
  void subscribe(const domain::TenantId& tenant, std::uint64_t number) {
    domain::WebhookEndpoint endpoint;
    endpoint.id = numbered<domain::WebhookEndpointId>(number);
    endpoint.url = receiver.url("/" + tenant.text());
    endpoint.secret = domain::Sensitive<std::string>(test::kSecret);
    write([&](ports::Records& records) { records.webhooks().insert(tenant, endpoint); });
  }
  void append(const domain::TenantId& tenant, std::uint64_t number) {
    const domain::Event event{numbered<domain::EventId>(number), clock.now(),
                              domain::ClaimStatusChanged{{}, "claim-1", {}, {}, static_cast<int>(number)}};
    write([&](ports::Records& records) { records.events().append(tenant, event); });
  }
  /// Empty until it is published.
  ports::Delivery delivery(const domain::TenantId& tenant, std::uint64_t event, std::uint64_t endpoint) {
    std::optional<ports::Delivery> found;
    const auto looked = store->read([&](const ports::Records& records) {
      found = records.events().find_delivery(tenant, numbered<domain::EventId>(event),
                                             numbered<domain::WebhookEndpointId>(endpoint));
    });
    BOOST_REQUIRE(bool(looked));
    return found.value_or(ports::Delivery{});
  }
  bool nothing_left(domain::Timestamp until) {
    bool empty = false;
    const auto looked = store->read([&](const ports::Records& records) {
      empty = records.events().unpublished(1).empty() && records.events().due(until, 1).empty();
    });
    return looked && empty;
  }
};

const domain::TenantId kOne = numbered<domain::TenantId>(1);
const domain::TenantId kOther = numbered<domain::TenantId>(2);

}  // namespace

BOOST_AUTO_TEST_SUITE(sql_store)

BOOST_FIXTURE_TEST_CASE(events_of_two_tenants_arrive_once_each_in_their_own_sequences, SqliteFile) {
  subscribe(kOne, 1);
  subscribe(kOther, 2);
  events::Dispatcher dispatcher(*store, clock, new_ids, options);
  dispatcher.start();
  for (std::uint64_t i = 0; i < 20; ++i) {
    append(kOne, 100 + i);
    append(kOther, 200 + i);
    dispatcher.poke();
  }
  BOOST_REQUIRE(eventually([&] {
    clock.advance_ms(10);
    return nothing_left(clock.now().plus_days(10));
  }));
  std::map<std::string, std::set<std::string>> ids, sequences;
  for (const auto& request : receiver.requests()) {
    ids[request.target].insert(request.headers.at("webhook-id"));
    sequences[request.target].insert(request.body.substr(request.body.find("\"sequence\":")));
  }
  BOOST_TEST(receiver.request_count() == 40u);
  BOOST_TEST(ids["/" + kOne.text()].size() == 20u);
  BOOST_TEST(ids["/" + kOther.text()].size() == 20u);
  for (int number = 1; number <= 20; ++number) {
    const auto text = [&](int version) {
      return "\"sequence\":" + std::to_string(number) + ",\"resource_version\":" + std::to_string(version) + "}";
    };
    BOOST_TEST(sequences["/" + kOne.text()].contains(text(99 + number)));
    BOOST_TEST(sequences["/" + kOther.text()].contains(text(199 + number)));
  }
}

BOOST_FIXTURE_TEST_CASE(deliveries_claimed_before_a_restart_are_sent_again_with_the_same_bytes, SqliteFile) {
  receiver.script({WebhookReceiver::Answer::held()});
  options.stop_grace_ms = 0;
  subscribe(kOne, 1);
  append(kOne, 100);
  {
    events::Dispatcher dispatcher(*store, clock, new_ids, options);
    dispatcher.start();
    BOOST_REQUIRE(receiver.wait_for_requests(1));
  }
  open();
  clock.advance_s(3600);
  events::Dispatcher dispatcher(*store, clock, new_ids, options);
  dispatcher.start();
  BOOST_REQUIRE(receiver.wait_for_requests(2));
  const auto requests = receiver.requests();
  BOOST_TEST(requests[0].body == requests[1].body);
  BOOST_TEST(requests[0].headers.at("webhook-id") == requests[1].headers.at("webhook-id"));
  BOOST_TEST(requests[1].headers.at("attempt-number") == "2");
  BOOST_TEST(eventually([&] { return nothing_left(clock.now().plus_days(10)); }));
}

BOOST_FIXTURE_TEST_CASE(two_dispatchers_on_one_store_send_each_event_once, SqliteFile) {
  subscribe(kOne, 1);
  for (std::uint64_t i = 0; i < 100; ++i) append(kOne, 100 + i);
  events::Dispatcher one(*store, clock, new_ids, options);
  events::Dispatcher other(*store, clock, new_ids, options);
  one.start();
  other.start();
  BOOST_REQUIRE(eventually([&] {
    clock.advance_ms(10);
    return nothing_left(clock.now().plus_days(10));
  }));
  BOOST_TEST(receiver.request_count() == 100u);
}

BOOST_FIXTURE_TEST_CASE(answers_of_410_gone_disable_the_endpoint_in_the_store_and_the_log_says_so, SqliteFile) {
  options.retries.delays_s = {0, 1, 1, 1};
  receiver.always(WebhookReceiver::Answer::with(410));
  subscribe(kOne, 1);
  append(kOne, 100);
  events::Dispatcher dispatcher(*store, clock, new_ids, options);
  dispatcher.start();
  std::optional<domain::WebhookEndpoint> endpoint;
  std::vector<ports::PublishedEvent> reported;
  BOOST_REQUIRE(eventually([&] {
    clock.advance_ms(100);
    const auto looked = store->read([&](const ports::Records& records) {
      endpoint = records.webhooks().find(kOne, numbered<domain::WebhookEndpointId>(1));
      reported = records.events().list(kOne, "webhook.endpoint_disabled", 0, 9);
    });
    return looked && !endpoint->enabled && !reported.empty();
  }));
  BOOST_TEST((endpoint->disabled_reason == domain::DisabledReason::gone));
  BOOST_TEST(endpoint->disabled_at.has_value());
  BOOST_TEST(endpoint->health.gone_answers >= 3);
  BOOST_TEST(reported.size() == 1u);
  const std::string version = "\"resource_version\":" + std::to_string(endpoint->revision) + "}";
  BOOST_TEST(reported.at(0).body.ends_with(version), reported[0].body);
  BOOST_TEST(eventually([&] {
    clock.advance_ms(100);
    return nothing_left(clock.now().plus_days(10));
  }));
}

BOOST_FIXTURE_TEST_CASE(an_advance_leaves_an_attempt_in_progress_alone, SqliteFile) {
  constexpr std::int64_t kHour = 3'600'000;
  options.retries.delays_s = {0};  // the only attempt: an end of its lease would end the delivery
  receiver.script({WebhookReceiver::Answer::held()});
  subscribe(kOne, 1);
  subscribe(kOther, 2);
  append(kOne, 100);
  events::Dispatcher dispatcher(*store, clock, new_ids, options);
  dispatcher.start();
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  write([&](ports::Records& records) {
    for (const auto& tenant : {kOne, kOther}) records.clients().set_clock_shift(tenant, kHour);
  });
  clock.shift_to_ms(kHour);
  append(kOther, 200);
  dispatcher.poke();
  BOOST_REQUIRE(receiver.wait_for_requests(2));
  BOOST_TEST((delivery(kOne, 100, 1).state == ports::Delivery::State::waiting));
  receiver.release();
  BOOST_TEST(eventually([&] { return delivery(kOne, 100, 1).state == ports::Delivery::State::delivered; }));
}

BOOST_FIXTURE_TEST_CASE(a_node_leaves_a_delivery_that_only_a_move_it_has_not_read_makes_due, SqliteFile) {
  constexpr std::int64_t kHour = 3'600'000;
  options.retries.delays_s = {0, 60};
  receiver.script({WebhookReceiver::Answer::with(500)});
  subscribe(kOne, 1);
  subscribe(kOther, 2);
  append(kOne, 100);
  events::Dispatcher dispatcher(*store, clock, new_ids, options);
  dispatcher.start();
  BOOST_REQUIRE(eventually([&] {
    return receiver.request_count() == 1 && delivery(kOne, 100, 1).attempts == 1 && !delivery(kOne, 100, 1).in_progress;
  }));
  write([&](ports::Records& records) { records.clients().set_clock_shift(kOne, kHour); });
  for (std::uint64_t n = 1; n <= 3; ++n) {
    append(kOther, 200 + n);
    dispatcher.poke();
    BOOST_REQUIRE(eventually([&] { return delivery(kOther, 200 + n, 2).state == ports::Delivery::State::delivered; }));
  }
  BOOST_TEST(delivery(kOne, 100, 1).attempts == 1);
  clock.shift_to_ms(kHour);
  dispatcher.poke();
  BOOST_TEST(eventually([&] { return delivery(kOne, 100, 1).state == ports::Delivery::State::delivered; }));
}

BOOST_AUTO_TEST_SUITE_END()
