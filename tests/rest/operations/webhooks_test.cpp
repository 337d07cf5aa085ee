// Webhook endpoints from outside: changes, secrets, test events, deliveries and disabling
// (core/docs/contract.md#webhooks).
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>

#include "core/store/sql/database.hpp"
#include "tests/support/webhook_receiver/webhook_receiver.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;
using Reply = WebhookReceiver::Answer;

const std::string kEndpoints = "/v1/webhooks/endpoints";

Json create(const ApiClient& api, const WebhookReceiver& receiver, const std::string& kinds = "") {
  return expect_ok(api.post(kEndpoints, R"({"url":)" + quoted(receiver.url()) + R"(,"events":[)" + kinds + "]}"));
}

std::string path_of(const Json& endpoint) {
  return kEndpoints + "/" + endpoint.text("/id");
}

std::string send_test(const ApiClient& api, const std::string& endpoint) {
  return expect_ok(api.post_nothing(endpoint + "/test")).text("/event_id");
}

/// The delivery of this event, or null while there is none.
Json delivery_of(const ApiClient& api, const std::string& endpoint, const std::string& event) {
  const Json list = expect_ok(api.get(endpoint + "/deliveries"));
  for (std::size_t i = 0; i < list.size("/data"); ++i) {
    const std::string item = "/data/" + std::to_string(i);
    if (list.text(item + "/event_id") == event) return Json(text_of(list.at(item)));
  }
  return Json("null");
}

/// Waits until the delivery has this status and no attempt is in progress.
Json await_delivery(const ApiClient& api, const std::string& endpoint, const std::string& event,
                    const std::string& status, std::int64_t attempts) {
  Json found("null");
  BOOST_REQUIRE(eventually([&] {
    found = delivery_of(api, endpoint, event);
    return found.has("/status") && found.text("/status") == status && !found.flag("/in_progress") &&
           found.integer("/attempts") == attempts;
  }));
  return found;
}

std::string signature_of(const WebhookReceiver::Request& request, const std::string& secret) {
  const std::string& header = request.headers.at("service-signature");
  const std::string signed_text = header.substr(2, header.find(',') - 2) + "." + request.body;
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(signed_text.data()), signed_text.size(), digest, &size);
  std::string text = ",v1=";
  for (unsigned i = 0; i < size; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

/// The signatures of a delivery, without its time.
std::string signatures(const WebhookReceiver::Request& request) {
  const std::string& header = request.headers.at("service-signature");
  return header.substr(header.find(','));
}

/// The next attempt after a failure is an hour away.
void with_long_pauses(ServiceFolder& folder) {
  folder.set("webhooks.sandbox_retry_seconds", "[0, 3600]");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(webhooks)

BOOST_DATA_TEST_CASE(an_endpoint_is_changed_disabled_and_enabled, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  WebhookReceiver receiver;
  const std::string endpoint = path_of(create(api, receiver));
  const Json changed = expect_ok(api.patch(
      endpoint, R"({"url":)" + quoted(receiver.url("/other")) + R"(,"events":["task.opened"],"description":"Tasks"})"));
  for (const Json& shown : {changed, expect_ok(api.get(endpoint))}) {
    BOOST_TEST(shown.text("/url") == receiver.url("/other"));
    BOOST_TEST(shown.text("/events/0") == "task.opened");
    BOOST_TEST(shown.text("/description") == "Tasks");
    BOOST_TEST(shown.text("/status") == "enabled");
    BOOST_TEST(!shown.has("/secret"));
  }
  BOOST_TEST(expect_ok(api.patch(endpoint, R"({"events":[]})")).size("/events") == 0u);

  const Json disabled = expect_ok(api.patch(endpoint, R"({"status":"disabled"})"));
  BOOST_TEST(disabled.text("/status") == "disabled");
  BOOST_TEST(disabled.text("/disabled_reason") == "requested");
  BOOST_TEST(disabled.has("/disabled_at"));
  BOOST_TEST(disabled.text("/description") == "Tasks");
  expect_error(api.post_nothing(endpoint + "/test"), 409, "invalid_state");
  const Json enabled = expect_ok(api.patch(endpoint, R"({"status":"enabled"})"));
  BOOST_TEST(enabled.text("/status") == "enabled");
  BOOST_TEST(!enabled.has("/disabled_reason"));
  BOOST_TEST(!enabled.has("/disabled_at"));
  const std::string event = send_test(api, endpoint);
  await_delivery(api, endpoint, event, "delivered", 1);
  const auto requests = receiver.requests();
  BOOST_TEST(std::any_of(requests.begin(), requests.end(), [&](const auto& request) {
    return request.target == "/other" && request.headers.at("webhook-id") == event;
  }));

  const Json trail = expect_ok(api.get("/v1/audit?limit=100&object_id=" + changed.text("/id")));
  std::size_t changes = 0;
  for (std::size_t i = 0; i < trail.size("/data"); ++i)
    if (trail.text("/data/" + std::to_string(i) + "/operation") == "PATCH /v1/webhooks/endpoints/{endpoint_id}")
      ++changes;
  BOOST_TEST(changes == 4u);
}

BOOST_AUTO_TEST_CASE(invalid_changes_are_refused_and_change_nothing) {
  World world;
  const ApiClient& api = *world.api;
  WebhookReceiver receiver;
  const std::string endpoint = path_of(create(api, receiver));
  const Json refused =
      expect_error(api.patch(endpoint, R"({"url":"http://example.org/hook","events":["nope"],"description":"x"})"), 400,
                   "validation_error");
  BOOST_TEST(refused.has("/details/fields/url"));
  BOOST_TEST(refused.has("/details/fields/events"));
  BOOST_TEST(expect_error(api.patch(endpoint, R"({"url":""})"), 400, "validation_error").has("/details/missing/0"));
  BOOST_TEST(
      expect_error(api.patch(endpoint, R"({"status":"odd"})"), 400, "validation_error").has("/details/fields/status"));
  for (const char* overlap : {"-1", "604801", "1.5", "\"1\""})
    BOOST_TEST(
        expect_error(api.post(endpoint + "/rotate-secret", R"({"overlap_seconds":)" + std::string(overlap) + "}"), 400,
                     "validation_error")
            .has("/details/fields/overlap_seconds"),
        overlap);
  const Json shown = expect_ok(api.get(endpoint));
  BOOST_TEST(shown.text("/url") == receiver.url());
  BOOST_TEST(!shown.has("/description"));
  BOOST_TEST(!shown.has("/previous_secrets_until"));

  const std::string unknown = kEndpoints + "/whe_01M7WPEP1G0000000000000003";
  expect_error(api.patch(unknown, "{}"), 404, "not_found");
  expect_error(api.post(unknown + "/rotate-secret", "{}"), 404, "not_found");
  expect_error(api.post_nothing(unknown + "/test"), 404, "not_found");
  expect_error(api.get(unknown + "/deliveries"), 404, "not_found");
  const std::string event = "/deliveries/evt_01M7WNTFJ00000000000000030/retry";
  expect_error(api.post_nothing(unknown + event), 404, "not_found");
  expect_error(api.post_nothing(endpoint + event), 404, "not_found");
  BOOST_TEST(expect_error(api.get(endpoint + "/deliveries?status=odd"), 400, "invalid_parameter")
                 .has("/details/fields/status"));
  BOOST_TEST(
      expect_error(api.get(endpoint + "/deliveries?type=odd"), 400, "invalid_parameter").has("/details/fields/type"));
  expect_error(api.get(endpoint + "/deliveries?cursor=odd"), 400, "invalid_cursor");
}

BOOST_DATA_TEST_CASE(a_rotated_secret_signs_beside_the_new_one_until_its_overlap_ends, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  WebhookReceiver receiver;
  const Json created = create(api, receiver, R"("task.opened")");
  const std::string endpoint = path_of(created), old_secret = created.text("/secret");

  const Headers key{{"Idempotency-Key", "rotate"}};
  const Json rotated = expect_ok(api.post(endpoint + "/rotate-secret", "{}", key));
  const std::string secret = rotated.text("/secret");
  BOOST_TEST(secret.starts_with("whsec_"));
  BOOST_TEST(secret != old_secret);
  BOOST_TEST(rotated.has("/previous_secrets_until"));
  const Answer repeated = api.post(endpoint + "/rotate-secret", "{}", key);
  BOOST_TEST(repeated.header("Idempotent-Replayed") == "true");
  BOOST_TEST(!expect_ok(repeated).has("/secret"));
  BOOST_TEST(!expect_ok(api.get(endpoint)).has("/secret"));

  send_test(api, endpoint);
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  const auto both = receiver.requests()[0];
  BOOST_TEST(signatures(both) == signature_of(both, secret) + signature_of(both, old_secret));
  const std::string& standard = both.headers.at("webhook-signature");
  BOOST_TEST(std::count(standard.begin(), standard.end(), ' ') == 1);

  const Json last = expect_ok(api.post(endpoint + "/rotate-secret", R"({"overlap_seconds":0})"));
  BOOST_TEST(!last.has("/previous_secrets_until"));
  send_test(api, endpoint);
  BOOST_REQUIRE(receiver.wait_for_requests(2));
  const auto one = receiver.requests()[1];
  BOOST_TEST(signatures(one) == signature_of(one, last.text("/secret")));
}

BOOST_DATA_TEST_CASE(a_previous_secret_is_shown_until_its_overlap_ends, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  WebhookReceiver receiver;
  const std::string endpoint = path_of(create(api, receiver));
  BOOST_TEST(
      expect_ok(api.post(endpoint + "/rotate-secret", R"({"overlap_seconds":1})")).has("/previous_secrets_until"));
  BOOST_TEST(eventually([&] { return !expect_ok(api.get(endpoint)).has("/previous_secrets_until"); }));
  BOOST_TEST(!expect_ok(api.get(kEndpoints)).has("/data/0/previous_secrets_until"));
  BOOST_TEST(!expect_ok(api.patch(endpoint, R"({"description":"x"})")).has("/previous_secrets_until"));
}

BOOST_AUTO_TEST_CASE(an_endpoint_with_a_damaged_secret_hinders_no_other_and_is_repaired_by_its_rotation) {
  World world;
  WebhookReceiver receiver, other;
  const std::string damaged = path_of(create(*world.api, receiver, R"("task.opened")"));
  const std::string healthy = path_of(create(*world.api, other, R"("task.opened")"));
  world.service->ask_to_stop();
  BOOST_REQUIRE_EQUAL(world.service->wait_for_end(), 0);
  {
    const auto database = sql::Database::open({sql::SqliteOptions{world.folder.path() / "store" / "tideover.db"}});
    const auto writer = database->writer();
    writer->begin();
    writer->run("UPDATE webhook_endpoints SET secret = x'00' WHERE id = ?", damaged.substr(kEndpoints.size() + 1));
    writer->commit();
  }
  world.start();
  const ApiClient& api = *world.api;
  const std::string event = send_test(api, damaged);
  await_delivery(api, healthy, send_test(api, healthy), "delivered", 1);
  BOOST_TEST(await_delivery(api, damaged, event, "failed", 0).text("/last_error").find("rotate it") !=
             std::string::npos);
  BOOST_TEST(expect_ok(api.get(kEndpoints)).size("/data") == 2u);

  const Json rotated = expect_ok(api.post(damaged + "/rotate-secret", "{}"));
  BOOST_TEST(!rotated.has("/previous_secrets_until"));
  expect_ok(api.post_nothing(damaged + "/deliveries/" + event + "/retry"));
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  const auto sent = receiver.requests()[0];
  BOOST_TEST(signatures(sent) == signature_of(sent, rotated.text("/secret")));
}

BOOST_DATA_TEST_CASE(a_test_event_reaches_its_endpoint_only_and_its_delivery_is_listed, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  WebhookReceiver receiver, other;
  const std::string endpoint = path_of(create(api, receiver, R"("task.opened")"));
  const std::string all_kinds = path_of(create(api, other));
  const Headers key{{"Idempotency-Key", "test"}};
  const std::string event = expect_ok(api.post_nothing(endpoint + "/test", key)).text("/event_id");
  BOOST_TEST(expect_ok(api.post_nothing(endpoint + "/test", key)).text("/event_id") == event);
  const Json delivery = await_delivery(api, endpoint, event, "delivered", 1);
  BOOST_TEST(delivery.text("/event") == "event.ping");
  BOOST_TEST(delivery.text("/attempt_type") == "automatic");
  BOOST_TEST(delivery.integer("/last_response_status") == 200);
  BOOST_TEST(delivery.has("/last_attempt_at"));
  BOOST_TEST(!delivery.has("/last_error"));
  BOOST_TEST(!delivery.has("/next_attempt_at"));
  BOOST_TEST(receiver.request_count() == 1u);
  BOOST_TEST(receiver.requests()[0].body == api.get("/v1/events/" + event).body);

  BOOST_TEST(expect_ok(api.get(all_kinds + "/deliveries?type=event.ping")).size("/data") == 0u);
  BOOST_TEST(expect_ok(api.get(endpoint + "/deliveries?status=failed")).size("/data") == 0u);
  BOOST_TEST(expect_ok(api.get(endpoint + "/deliveries?status=delivered&type=event.ping")).size("/data") == 1u);
  const std::string second = send_test(api, endpoint);
  await_delivery(api, endpoint, second, "delivered", 1);
  const Json page = expect_ok(api.get(endpoint + "/deliveries?limit=1"));
  BOOST_TEST(page.text("/data/0/event_id") == second);
  BOOST_TEST(page.flag("/has_more"));
  const Json next = expect_ok(api.get(endpoint + "/deliveries?limit=1&cursor=" + page.text("/next_cursor")));
  BOOST_TEST(next.text("/data/0/event_id") == event);
  BOOST_TEST(!next.flag("/has_more"));
  const Json oldest = expect_ok(api.get(endpoint + "/deliveries?limit=1&order=asc"));
  BOOST_TEST(oldest.text("/data/0/event_id") == event);
  const auto newer = "/deliveries?limit=1&order=asc&cursor=" + oldest.text("/next_cursor");
  BOOST_TEST(expect_ok(api.get(endpoint + newer)).text("/data/0/event_id") == second);
}

BOOST_DATA_TEST_CASE(a_retry_that_waits_is_sent_at_once_on_request, data::make(stores()), store) {
  World world(store, with_long_pauses);
  const ApiClient& api = *world.api;
  WebhookReceiver receiver;
  receiver.script({Reply::with(500), Reply::with(200), Reply::with(503)});
  const std::string endpoint = path_of(create(api, receiver, R"("task.opened")"));
  const std::string redelivered = send_test(api, endpoint);
  const Json waiting = await_delivery(api, endpoint, redelivered, "pending", 1);
  BOOST_TEST(waiting.integer("/last_response_status") == 500);
  BOOST_TEST(waiting.text("/last_error") == "HTTP 500");
  BOOST_TEST(waiting.has("/next_attempt_at"));
  BOOST_TEST(expect_ok(api.get(endpoint)).has("/failing_since"));
  BOOST_TEST(expect_ok(api.post_nothing("/v1/events/" + redelivered + "/redeliver")).integer("/deliveries") == 1);
  BOOST_TEST(await_delivery(api, endpoint, redelivered, "delivered", 1).text("/attempt_type") == "manual");
  BOOST_TEST(!expect_ok(api.get(endpoint)).has("/failing_since"));

  const std::string retried = send_test(api, endpoint);
  await_delivery(api, endpoint, retried, "pending", 1);
  const std::string retry = endpoint + "/deliveries/" + retried + "/retry";
  const Json answer = expect_ok(api.post_nothing(retry));
  BOOST_TEST(answer.text("/event_id") == retried);
  BOOST_TEST(answer.text("/status") == "pending");
  BOOST_TEST(answer.integer("/attempts") == 0);
  await_delivery(api, endpoint, retried, "delivered", 1);
  BOOST_TEST(expect_ok(api.post_nothing(retry)).text("/attempt_type") == "manual");
  BOOST_REQUIRE(receiver.wait_for_requests(5));  // delivered events are sent again as well
  const auto requests = receiver.requests();
  BOOST_TEST(requests[1].headers.at("webhook-id") == redelivered);
  BOOST_TEST(requests[1].body == requests[0].body);
  BOOST_TEST(requests[4].headers.at("webhook-id") == retried);
  await_delivery(api, endpoint, retried, "delivered", 1);
  expect_ok(api.patch(endpoint, R"({"status":"disabled"})"));
  expect_error(api.post_nothing(retry), 409, "invalid_state");
}

BOOST_DATA_TEST_CASE(an_endpoint_that_is_gone_is_disabled_and_the_others_receive_it, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  WebhookReceiver broken, other;
  broken.always(Reply::with(410));
  const Json created = create(api, broken, R"("task.opened")");
  const std::string endpoint = path_of(created);
  create(api, other, R"("webhook.endpoint_disabled")");
  send_test(api, endpoint);
  Json shown("null");
  BOOST_REQUIRE(eventually([&] {
    shown = expect_ok(api.get(endpoint));
    return shown.text("/status") == "disabled";
  }));
  BOOST_TEST(shown.text("/disabled_reason") == "gone");
  BOOST_TEST(shown.has("/failing_since"));
  BOOST_REQUIRE(other.wait_for_requests(1));
  const Json event(other.requests().front().body);
  BOOST_TEST(event.text("/event") == "webhook.endpoint_disabled");
  BOOST_TEST(event.text("/data/endpoint_id") == created.text("/id"));
  BOOST_TEST(event.text("/data/reason") == "gone");
  BOOST_TEST(event.text("/data/disabled_at") == shown.text("/disabled_at"));
  BOOST_TEST(expect_ok(api.get("/v1/events?type=webhook.endpoint_disabled")).size("/data") == 1u);
  BOOST_TEST(eventually(
      [&] { return read_file(world.folder.log_file()).find("webhook_endpoint_disabled") != std::string::npos; }));

  broken.always(Reply::with(200));
  const Json enabled = expect_ok(api.patch(endpoint, R"({"status":"enabled"})"));
  BOOST_TEST(!enabled.has("/disabled_reason"));
  BOOST_TEST(!enabled.has("/failing_since"));
  await_delivery(api, endpoint, send_test(api, endpoint), "delivered", 1);
}

BOOST_AUTO_TEST_CASE(one_answer_of_410_leaves_the_endpoint_enabled) {
  World world;
  const ApiClient& api = *world.api;
  WebhookReceiver receiver;
  receiver.script({Reply::with(410)});
  const std::string endpoint = path_of(create(api, receiver, R"("task.opened")"));
  await_delivery(api, endpoint, send_test(api, endpoint), "delivered", 2);
  BOOST_TEST(expect_ok(api.get(endpoint)).text("/status") == "enabled");
}

BOOST_AUTO_TEST_CASE(a_tenant_has_at_most_the_configured_number_of_endpoints) {
  World world(Store::sqlite, [](ServiceFolder& folder) { folder.set("webhooks.endpoints_per_tenant", "2"); });
  const ApiClient& api = *world.api;
  WebhookReceiver receiver;
  create(api, receiver);
  const std::string second = path_of(create(api, receiver));
  const std::string body = R"({"url":)" + quoted(receiver.url()) + "}";
  const Json refused = expect_error(api.post(kEndpoints, body), 409, "invalid_state");
  BOOST_TEST(refused.has("/details/max_endpoints"));
  expect_ok(api.remove(second));
  expect_ok(api.post(kEndpoints, body));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tideover::test
