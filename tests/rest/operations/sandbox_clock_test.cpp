// The clock of a sandbox tenant over the API: what an advance makes happen, its rules, and that production has none.
#include <filesystem>
#include <future>

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

/// With pauses of minutes and hours between the attempts of a delivery.
struct ShippedSchedules : ClockWorld {
  ShippedSchedules()
      : ClockWorld{World(Store::sqlite, [](ServiceFolder& folder) {
          folder.set("webhooks.retry_seconds", "[0, 5, 86400]");
          folder.set("webhooks.sandbox_retry_seconds", "[0, 60, 540]");
        })} {}
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
  BOOST_TEST(settlement(returned).text("/funding/funding_status") == "returned");
  BOOST_TEST(settlement(kept).text("/funding/funding_status") == "settled");
}

BOOST_FIXTURE_TEST_CASE(an_advance_that_stays_unpaid_is_written_off_with_the_clock, ClockWorld) {
  const auto id = fund(*world.api, "CLM-T5");
  advance_clock("P300D");
  const Json record = expect_ok(world.api->get("/v1/settlements/" + id + "/reconciliation"));
  BOOST_TEST(record.text("/final_status") == "written_off");
}

BOOST_FIXTURE_TEST_CASE(a_failed_delivery_is_tried_again_with_the_clock, ShippedSchedules) {
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

BOOST_FIXTURE_TEST_CASE(an_endpoint_that_fails_for_days_of_the_tenant_is_disabled, ShippedSchedules) {
  WebhookReceiver receiver;
  receiver.always(WebhookReceiver::Answer::with(500));
  const Json endpoint =
      expect_ok(world.api->post("/v1/webhooks/endpoints", R"({"url":)" + quoted(receiver.url()) + "}"));
  const std::string path = "/v1/webhooks/endpoints/" + endpoint.text("/id");
  for (int days = 0; days < 5; ++days) {
    const auto event = expect_ok(world.api->post_nothing(path + "/test")).text("/event_id");
    BOOST_REQUIRE(eventually([&] {
      const Json newest = expect_ok(world.api->get(path + "/deliveries?limit=1"));
      return newest.has("/data/0") && newest.text("/data/0/event_id") == event &&
             newest.integer("/data/0/attempts") >= 1 && !newest.flag("/data/0/in_progress");
    }));
    BOOST_TEST(expect_ok(world.api->get(path)).text("/status") == "enabled");
    advance_clock("P1D");
  }
  BOOST_REQUIRE(eventually([&] { return expect_ok(world.api->get(path)).text("/status") == "disabled"; }));
  BOOST_TEST(expect_ok(world.api->get(path)).text("/disabled_reason") == "failing");
  BOOST_TEST(eventually(
      [&] { return expect_ok(world.api->get("/v1/events?type=webhook.endpoint_disabled")).has("/data/0"); }));
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

BOOST_AUTO_TEST_CASE(an_advance_leaves_a_confirm_that_waits_for_its_rail_alone) {
  const ClockWorld in{World(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("funding.submit_timeout_ms", "20000");
    folder.use_plugin(
        "funding_rail", "rtp", TIDEOVER_HELD_RAIL,
        {{"seen_path", (folder.path() / "seen").string()}, {"release_path", (folder.path() / "release").string()}});
  })};
  const auto& folder = in.world.folder;
  const auto id = advance(*in.world.api, "CLM-T9");
  auto confirmed = std::async(std::launch::async, [&] {
    const ApiClient api(in.world.service->port(), in.world.client);
    return api.post_nothing("/v1/settlements/" + id + "/confirm");
  });
  BOOST_REQUIRE(eventually([&] { return std::filesystem::exists(folder.path() / "seen"); }));
  in.advance_clock("P1D");
  save_file(folder.path() / "release", "");
  BOOST_TEST(expect_ok(confirmed.get()).text("/status") == "funded");
}

BOOST_FIXTURE_TEST_CASE(commands_write_with_the_time_of_their_tenant, ClockWorld) {
  const auto import = [&](const std::string& claim) {
    const auto file = world.folder.path() / (claim + ".ndjson");
    save_file(file, claim_body(claim) + '\n');
    const auto done = run_tideover({"import", file.string(), "--config", world.folder.config_file().string()});
    BOOST_TEST(done.exit_code == 0, done.err);
  };
  advance_clock("P30D");
  import("CLM-BESIDE");
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  import("CLM-WITHOUT");
  world.start();
  const Json jobs = expect_ok(world.api->get("/v1/imports/claims"));
  BOOST_REQUIRE(jobs.size("/data") == 2u);
  for (const std::string job : {"/data/0", "/data/1"})
    for (const std::string time : {"/submitted_at", "/started_at", "/finished_at"})
      BOOST_TEST(jobs.text(job + time).substr(0, 10) == day(30), job << time);
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
  const std::string back = R"({"set":)" + quoted(day(-1)) + "}";
  expect_ok(world.api->post("/v1/sandbox/clock", back));
  const Json review = expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-T6")));
  BOOST_TEST(review.text("/created_at").substr(0, 10) == day(-1));
  expect_error(world.api->post("/v1/sandbox/clock", R"({"set":)" + quoted(day(-2)) + "}"), 409, "invalid_state");
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

BOOST_FIXTURE_TEST_CASE(production_refuses_a_database_with_clocks, ClockWorld) {
  const auto become = [&](const std::string& environment) {
    world.folder.set("environment", environment);
    world.folder.set("funding.allow_simulated_rails", "true");
    world.folder.write_config();
  };
  advance_clock("P1D");
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  become("production");
  for (const std::string command : {"serve", "check"}) {
    const auto refused = run_tideover({command, "--config", world.folder.config_file().string()});
    BOOST_TEST(refused.exit_code == 1, command);
    BOOST_TEST(refused.err.find("sandbox_clocks") != std::string::npos, refused.err);
  }
  become("sandbox");
  world.start();
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
