// The clock of a sandbox tenant over the API: what an advance makes happen, its rules, and that production has none.
#include "tests/support/webhook_receiver/webhook_receiver.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

struct ClockWorld {
  World world;

  Json advance_clock(const std::string& duration) const {
    return expect_ok(world.api->post("/v1/sandbox/clock", R"({"advance":)" + quoted(duration) + "}"));
  }
  Json settlement(const std::string& id) const { return expect_ok(world.api->get("/v1/settlements/" + id)); }
};

BOOST_AUTO_TEST_SUITE(sandbox_clock)

BOOST_FIXTURE_TEST_CASE(a_clock_starts_at_the_real_time_and_advances, ClockWorld) {
  const Json before = expect_ok(world.api->get("/v1/sandbox/clock"));
  BOOST_TEST(before.integer("/offset_seconds") == 0);
  BOOST_TEST(before.text("/now").substr(0, 10) == day(0));
  const Json after = advance_clock("P3D");
  BOOST_TEST(after.integer("/offset_seconds") == 259200);
  BOOST_TEST(after.text("/now").substr(0, 10) == day(3));
  BOOST_TEST(advance_clock("PT1H").integer("/offset_seconds") == 262800);
  world.restart();
  BOOST_TEST(expect_ok(world.api->get("/v1/sandbox/clock")).integer("/offset_seconds") == 262800);
}

BOOST_FIXTURE_TEST_CASE(new_records_have_the_time_of_the_tenant, ClockWorld) {
  advance_clock("P40D");
  const Json review = expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-T1")));
  BOOST_TEST(review.text("/created_at").substr(0, 10) == day(40));
}

BOOST_FIXTURE_TEST_CASE(unconfirmed_terms_expire_with_the_clock, ClockWorld) {
  const auto id = advance(*world.api, "CLM-T2");
  BOOST_TEST(settlement(id).text("/status") == "pending_confirmation");
  advance_clock("P60D");
  BOOST_TEST(settlement(id).text("/status") == "canceled");
}

BOOST_FIXTURE_TEST_CASE(a_payment_settles_and_is_returned_with_the_clock, ClockWorld) {
  const auto returned = advance(*world.api, "CLM-T3", "SAME_DAY", "tok_ach_return_R02");
  const auto kept = advance(*world.api, "CLM-T4", "SAME_DAY");
  for (const auto& id : {returned, kept}) expect_ok(world.api->post_nothing("/v1/settlements/" + id + "/confirm"));
  advance_clock("P10D");
  BOOST_TEST(settlement(returned).text("/funding_status") == "returned");
  BOOST_TEST(settlement(kept).text("/funding_status") == "settled");
}

BOOST_FIXTURE_TEST_CASE(an_advance_that_stays_unpaid_is_written_off_with_the_clock, ClockWorld) {
  const auto id = fund(*world.api, "CLM-T5");
  advance_clock("P300D");
  const Json record = expect_ok(world.api->get("/v1/settlements/" + id + "/reconciliation"));
  BOOST_TEST(record.text("/final_status") == "written_off");
}

BOOST_FIXTURE_TEST_CASE(a_failed_delivery_is_tried_again_with_the_clock, ClockWorld) {
  WebhookReceiver receiver;
  receiver.script({WebhookReceiver::Answer::with(500)});
  const Json endpoint =
      expect_ok(world.api->post("/v1/webhooks/endpoints", R"({"url":)" + quoted(receiver.url()) + "}"));
  const std::string path = "/v1/webhooks/endpoints/" + endpoint.text("/id");
  expect_ok(world.api->post_nothing(path + "/test"));
  BOOST_REQUIRE(eventually([&] {
    const Json list = expect_ok(world.api->get(path + "/deliveries"));
    return list.has("/data/0") && list.integer("/data/0/attempts") == 1 && !list.flag("/data/0/in_progress");
  }));
  advance_clock("PT10M");  // the next attempt is a minute away
  BOOST_TEST(receiver.wait_for_requests(2));
}

BOOST_FIXTURE_TEST_CASE(a_replay_takes_the_days_of_the_tenant, ClockWorld) {
  advance_clock("P30D");
  expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-T8")));
  BOOST_REQUIRE(
      eventually([&] { return expect_ok(world.api->get("/v1/events?type=review.completed")).has("/data/0"); }));
  const auto replayed = [&](const std::string& of) {
    const std::string days = R"({"from":)" + quoted(of) + R"(,"to":)" + quoted(of);
    return expect_ok(world.api->post("/v1/events/replay", days + R"(,"types":["review.completed"]})"))
        .integer("/events");
  };
  BOOST_TEST(replayed(day(30)) == 1);
  BOOST_TEST(replayed(day(0)) == 0);
}

BOOST_FIXTURE_TEST_CASE(the_clock_of_one_tenant_leaves_the_others_alone, ClockWorld) {
  const auto other = world.folder.create_client({"--role", "admin", "--tenant", "other"});
  const ApiClient api_of_other(world.service->port(), other);
  const auto id = advance(api_of_other, "CLM-T7");
  advance_clock("P60D");
  BOOST_TEST(expect_ok(api_of_other.get("/v1/sandbox/clock")).integer("/offset_seconds") == 0);
  BOOST_TEST(expect_ok(api_of_other.get("/v1/settlements/" + id)).text("/status") == "pending_confirmation");
}

BOOST_FIXTURE_TEST_CASE(a_clock_with_data_never_goes_back, ClockWorld) {
  const std::string back = R"({"set":)" + quoted(day(-30)) + "}";
  expect_ok(world.api->post("/v1/sandbox/clock", back));
  const Json review = expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-T6")));
  BOOST_TEST(review.text("/created_at").substr(0, 10) == day(-30));
  expect_error(world.api->post("/v1/sandbox/clock", R"({"set":)" + quoted(day(-31)) + "}"), 409, "invalid_state");
  expect_ok(world.api->post("/v1/sandbox/clock", R"({"set":)" + quoted(day(0)) + "}"));
}

BOOST_FIXTURE_TEST_CASE(a_repeated_request_advances_once_and_later_retries_get_its_answer, ClockWorld) {
  const std::string body = R"({"advance":"P5D"})";
  const auto first = world.api->post("/v1/sandbox/clock", body, {{"Idempotency-Key", "clock-1"}});
  expect_ok(first);
  advance_clock("P90D");
  const auto again = world.api->post("/v1/sandbox/clock", body, {{"Idempotency-Key", "clock-1"}});
  BOOST_TEST(again.body == first.body);
  BOOST_TEST(again.header("Idempotent-Replayed") == "true");
  BOOST_TEST(expect_ok(world.api->get("/v1/sandbox/clock")).integer("/offset_seconds") == 8208000);
}

BOOST_FIXTURE_TEST_CASE(a_move_names_one_target_in_bounds, ClockWorld) {
  for (const char* body : {"{}", R"({"advance":"3 days"})", R"({"advance":"P3D","set":"2030-01-01"})",
                           R"({"advance":"P3651D"})", R"({"set":"2060-01-01"})"})
    expect_error(world.api->post("/v1/sandbox/clock", body), 400, "validation_error");
  BOOST_TEST(expect_ok(world.api->get("/v1/sandbox/clock")).integer("/offset_seconds") == 0);
}

BOOST_AUTO_TEST_CASE(production_has_no_clock) {
  const World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("environment", "production");
    folder.set("funding.allow_simulated_rails", "true");
  });
  expect_error(world.api->get("/v1/sandbox/clock"), 404, "route_not_found");
  expect_error(world.api->post("/v1/sandbox/clock", R"({"advance":"P1D"})"), 404, "route_not_found");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
