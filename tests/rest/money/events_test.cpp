// GET /v1/events, one event, redelivery and replay (core/docs/contract.md#webhooks), beside what a receiver hears.
#include <algorithm>
#include <map>
#include <set>

#include "tests/support/webhook_receiver/webhook_receiver.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

std::string body_of(const ApiClient& api, const std::string& event) {
  const auto answer = api.get("/v1/events/" + event);
  BOOST_REQUIRE(answer.status == 200);
  return answer.body;
}

/// Every event that the service lists, page by page: the text of each envelope by its sequence.
std::map<std::int64_t, std::string> listed(const ApiClient& api, const std::string& filter = "") {
  std::map<std::int64_t, std::string> events;
  std::string cursor;
  do {
    const Json page = expect_ok(api.get("/v1/events?limit=4" + filter + (cursor.empty() ? "" : "&cursor=" + cursor)));
    for (std::size_t i = 0; i < page.size("/data"); ++i) {
      const std::string id = page.text("/data/" + std::to_string(i) + "/id");
      const bool is_new =
          events.emplace(page.integer("/data/" + std::to_string(i) + "/sequence"), body_of(api, id)).second;
      BOOST_TEST(is_new);
    }
    cursor = page.flag("/has_more") ? page.text("/next_cursor") : "";
  } while (!cursor.empty());
  return events;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(events)

BOOST_DATA_TEST_CASE(each_happens_once_without_gaps_and_a_replay_brings_the_same_again, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  WebhookReceiver receiver;
  BOOST_REQUIRE(
      eventually([&] { return listed(api).size() == 1; }));  // rules.promoted, of the first start: no endpoint gets it
  expect_ok(api.post("/v1/webhooks/endpoints", R"({"url":)" + quoted(receiver.url()) + "}"));

  // One advance to its end, one that is short and taken back, money that is not expected.
  fund(api, "CLM-1");
  fund(api, "CLM-2");
  expect_ok(api.post("/v1/remittances", remittance_body("TRN-1", "CLM-1", "790.00")));
  expect_ok(api.post("/v1/deposits", deposit_body("TRN-1", "790.00")));
  expect_ok(api.post("/v1/deposits", deposit_body("TRN-2", "600.00")));
  expect_ok(api.post("/v1/remittances", remittance_body("TRN-2", "CLM-2", "600.00")));
  expect_ok(api.post("/v1/remittances", remittance_body("TRN-2", "CLM-2", "600.00")));  // a copy
  const std::string unmatched =
      expect_ok(api.post("/v1/deposits",
                         R"({"payer_id":"UNKNOWN-PAYER","amount":12.34,"received_date":)" + quoted(day(0)) + "}"))
          .text("/deposit_id");

  std::set<std::string> kinds;
  BOOST_REQUIRE(eventually([&] {
    // The last that happens; what came before is published before it, and with it what its transaction left.
    const Json odd = expect_ok(api.get("/v1/events?type=deposit.unmatched"));
    return odd.size("/data") > 0 &&
           odd.text("/data/" + std::to_string(odd.size("/data") - 1) + "/data/deposit_id") == unmatched;
  }));
  BOOST_TEST(expect_ok(api.get("/v1/events?type=reconciliation.posted")).size("/data") == 2u);
  const auto events = listed(api);
  std::int64_t sequence = 0;
  std::map<std::string, std::string> bodies;  // by id
  for (const auto& [number, body] : events) {
    BOOST_TEST(number == ++sequence);
    bodies[Json(body).text("/id")] = body;
    kinds.insert(Json(body).text("/event"));
  }
  BOOST_TEST(bodies.size() == events.size());
  for (const char* kind :
       {"review.completed", "adjudication.created", "settlement.funded", "remittance.received", "deposit.received",
        "deposit.unmatched", "reconciliation.posted", "claim.status_changed", "task.opened"})
    BOOST_TEST(kinds.contains(kind), kind);

  // The receiver got each once, byte for byte.
  const auto received = [&](std::size_t from) {
    std::map<std::string, std::string> found;
    const auto requests = receiver.requests();
    for (std::size_t i = from; i < requests.size(); ++i)
      BOOST_TEST(found.emplace(requests[i].headers.at("webhook-id"), requests[i].body).second);
    return found;
  };
  BOOST_REQUIRE(receiver.wait_for_requests(events.size() - 1));
  auto expected = bodies;
  expected.erase(Json(events.at(1)).text("/id"));
  BOOST_TEST((received(0) == expected));

  // A replay of today brings the same again, by hand this time; the log is as long as before.
  const auto replay = R"({"from":)" + quoted(day(-1)) + R"(,"to":)" + quoted(day(0)) + "}";
  BOOST_REQUIRE(eventually([&] {
    const Json answer = expect_ok(api.post("/v1/events/replay", replay));
    BOOST_TEST(answer.integer("/events") == static_cast<std::int64_t>(events.size()));
    // What is just being written down as delivered waits, and is not sent again: asked once more, it is.
    std::map<std::string, std::string> second;
    for (const auto& request : receiver.requests())
      if (request.headers.at("attempt-type") == "manual")
        second.emplace(request.headers.at("webhook-id"), request.body);
    return second == bodies;
  }));
  BOOST_TEST(listed(api).size() == events.size());
}

BOOST_DATA_TEST_CASE(one_event_is_redelivered_to_its_present_subscribers, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  fund(api, "CLM-1");
  BOOST_REQUIRE(eventually([&] { return expect_ok(api.get("/v1/events?type=settlement.funded")).size("/data") == 1; }));
  const std::string funded = expect_ok(api.get("/v1/events?type=settlement.funded")).text("/data/0/id");
  const std::string reviewed = expect_ok(api.get("/v1/events?type=review.completed")).text("/data/0/id");

  WebhookReceiver receiver;
  expect_ok(api.post("/v1/webhooks/endpoints",
                     R"({"url":)" + quoted(receiver.url()) + R"(,"events":["settlement.funded"]})"));
  const auto key = Headers{{"Idempotency-Key", "again-1"}};
  BOOST_TEST(expect_ok(api.post_nothing("/v1/events/" + funded + "/redeliver", key)).integer("/deliveries") == 1);
  BOOST_TEST(expect_ok(api.post_nothing("/v1/events/" + funded + "/redeliver", key)).integer("/deliveries") ==
             1);  // the answer of the first
  BOOST_TEST(expect_ok(api.post_nothing("/v1/events/" + reviewed + "/redeliver")).integer("/deliveries") ==
             0);  // no endpoint subscribes to it
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  BOOST_TEST(receiver.requests().front().body == body_of(api, funded));
  BOOST_TEST(receiver.requests().front().headers.at("attempt-number") == "1");
  BOOST_TEST(receiver.requests().front().headers.at("attempt-type") == "manual");
}

BOOST_AUTO_TEST_CASE(invalid_requests_are_refused_with_the_reason) {
  World world(stores().front());
  const ApiClient& api = *world.api;
  BOOST_TEST(expect_error(api.get("/v1/events?type=nonsense"), 400, "invalid_parameter").has("/details/fields/type"));
  BOOST_TEST(expect_error(api.get("/v1/events?after_sequence=-1"), 400, "invalid_parameter")
                 .has("/details/fields/after_sequence"));
  expect_error(api.get("/v1/events?cursor=nonsense"), 400, "invalid_cursor");
  expect_error(api.get("/v1/events/evt_nonsense"), 404, "not_found");
  expect_error(api.post_nothing("/v1/events/evt_01M7WNTFJ00000000000000030/redeliver"), 404, "not_found");
  const Json replay = expect_error(api.post("/v1/events/replay", R"({"from":"2026-11-20","types":["nonsense"]})"), 400,
                                   "validation_error");
  BOOST_TEST(replay.has("/details/missing"));
  BOOST_TEST(
      expect_error(api.post("/v1/events/replay", R"({"from":"2026-11-20","to":"2026-11-20","types":["nonsense"]})"),
                   400, "validation_error")
          .has("/details/fields/types"));
  BOOST_TEST(
      expect_error(api.post("/v1/events/replay", R"({"from":"2026-11-20","to":"2026-11-19"})"), 400, "validation_error")
          .has("/details/fields/to"));
}

BOOST_AUTO_TEST_CASE(ledger_entries_are_listed_by_day) {
  World world(stores().front());
  const ApiClient& api = *world.api;
  fund(api, "CLM-1");
  const auto entries = [&](const std::string& period) {
    return expect_ok(api.get("/v1/ledger/entries?" + period)).size("/data");
  };
  const auto all = entries("");
  BOOST_TEST(all > 0u);
  BOOST_TEST(entries("from=" + day(-1) + "&to=" + day(0)) == all);
  BOOST_TEST(entries("from=" + day(1)) == 0u);
  BOOST_TEST(entries("to=" + day(-2)) == 0u);
  BOOST_TEST(
      expect_error(api.get("/v1/ledger/entries?from=today"), 400, "invalid_parameter").has("/details/fields/from"));
  BOOST_TEST(expect_error(api.get("/v1/ledger/entries?from=2026-02-02&to=2026-02-01"), 400, "invalid_parameter")
                 .has("/details/fields/to"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tideover::test
