// The end of the service, wanted and not, while money is moving.
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/mariadb/mariadb_instance.hpp"
#include "tests/support/webhook_receiver/webhook_receiver.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

/// A service whose RTP bank answers only when it is released.
struct HeldWorld {
  explicit HeldWorld(int submit_timeout_ms)
      : world(Store::sqlite, [&](ServiceFolder& folder) {
          folder.set("funding.submit_timeout_ms", std::to_string(submit_timeout_ms));
          folder.use_plugin("funding_rail", "rtp", TIDEOVER_HELD_RAIL,
                            {{"seen_path", (folder.path() / "seen").string()},
                             {"release_path", (folder.path() / "release").string()}});
        }) {}

  std::size_t submits() const {
    std::ifstream seen(world.folder.path() / "seen");
    std::size_t lines = 0;
    for (std::string line; std::getline(seen, line);) ++lines;
    return lines;
  }
  void release() const { save_file(world.folder.path() / "release", ""); }

  World world;
};

std::size_t funded_events(const WebhookReceiver& receiver) {
  std::size_t count = 0;
  for (const auto& request : receiver.requests()) count += Json(request.body).text("/event") == "settlement.funded";
  return count;
}

void register_receiver(const ApiClient& api, const WebhookReceiver& receiver) {
  expect_ok(api.post("/v1/webhooks/endpoints",
                     R"({"url":)" + quoted(receiver.url()) + R"(,"events":["settlement.funded"]})"));
}

bool is_funded(const ApiClient& api, const std::string& claim) {
  return expect_ok(api.get("/v1/claims/" + claim)).text("/adjudication/status") == "funded";
}

void expect_funded_once(const ApiClient& api, const WebhookReceiver& receiver) {
  const Book book = book_of(api);
  BOOST_TEST(book.posted_in("funding_cash") == -64000);
  BOOST_TEST(book.posted_in("purchased_receivable:") == 64000);
  BOOST_TEST(book.posted_sum == 0);
  for (const auto& [account, cents] : book.pending) BOOST_TEST(cents == 0, account);
  BOOST_TEST(receiver.wait_for_requests(1));
  BOOST_TEST(funded_events(receiver) == 1u);
}

BOOST_AUTO_TEST_SUITE(stopping)

BOOST_AUTO_TEST_CASE(an_idle_service_stops_at_once) {
  World world;
  world.service->ask_to_stop();
  BOOST_TEST(world.service->wait_for_end(std::chrono::seconds(5)) == 0);
}

BOOST_AUTO_TEST_CASE(the_log_has_a_line_for_every_request_that_was_answered_and_one_for_the_end) {
  std::filesystem::path file;
  World world(Store::sqlite, [&](ServiceFolder& folder) {
    file = folder.path() / "service.log";
    folder.set("log.file", file.string());
  });
  constexpr int kRequests = 5;
  for (int i = 0; i < kRequests; ++i)
    expect_ok(world.api->get("/v1/health", {{"X-Request-Id", "line-" + std::to_string(i)}}));
  world.service->ask_to_stop();
  BOOST_REQUIRE_EQUAL(world.service->wait_for_end(), 0);
  const auto log = read_file(file);
  for (int i = 0; i < kRequests; ++i)
    BOOST_TEST(log.find("\"line-" + std::to_string(i) + "\"") != std::string::npos, log);
  BOOST_TEST(log.find("\"stopped\"") != std::string::npos, log);
}

BOOST_AUTO_TEST_CASE(a_running_request_is_answered_before_the_end) {
  HeldWorld held(10'000);
  const ApiClient api = *held.world.api;
  const std::string settlement = advance(api, "CLM-DRAIN");
  Answer answer;
  std::thread confirming([&] { answer = api.post_nothing("/v1/settlements/" + settlement + "/confirm"); });
  const bool asked = eventually([&] { return held.submits() == 1; });
  held.world.service->ask_to_stop();
  // It takes no new connections any more, and yet goes on with what it has.
  const bool closed = eventually([&] {
    try {
      return api.get("/v1/health").status == 0;
    } catch (const std::system_error&) {
      return true;
    }
  });
  const bool still_there = held.world.service->is_running();
  held.release();
  confirming.join();
  BOOST_TEST(asked);
  BOOST_TEST(closed);
  BOOST_TEST(still_there);
  BOOST_TEST(expect_ok(answer).text("/status") == "funded");
  BOOST_TEST(held.world.service->wait_for_end() == 0);
}

BOOST_DATA_TEST_CASE(an_unknown_outcome_survives_a_crash_and_is_funded_once, data::make(stores()), store) {
  WebhookReceiver receiver;
  World world(store);
  register_receiver(*world.api, receiver);
  const std::string settlement = advance(*world.api, "CLM-LOST", "RTP", "tok_timeout");
  const std::string target = "/v1/settlements/" + settlement + "/confirm";
  const Json unclear =
      expect_error(world.api->post_nothing(target, {{"Idempotency-Key", "k"}}), 503, "rail_outcome_unknown");
  BOOST_TEST(unclear.text("/details/outcome") == "uncertain");
  BOOST_TEST(unclear.text("/details/settlement_id") == settlement);
  world.service->kill();

  world.start();
  BOOST_TEST(eventually([&] { return is_funded(*world.api, "CLM-LOST"); }));
  const Answer retried = world.api->post_nothing(target, {{"Idempotency-Key", "k"}});
  BOOST_TEST(expect_ok(retried).cents("/funded_amount") == 64000);
  expect_funded_once(*world.api, receiver);
}

BOOST_AUTO_TEST_CASE(a_crash_while_the_rail_is_asked_is_funded_once) {
  WebhookReceiver receiver;
  HeldWorld held(2000);
  register_receiver(*held.world.api, receiver);
  const ApiClient api = *held.world.api;
  const std::string settlement = advance(api, "CLM-CRASH");
  std::thread confirming([&] { api.post_nothing("/v1/settlements/" + settlement + "/confirm"); });
  const bool asked = eventually([&] { return held.submits() == 1; });
  held.world.service->kill();
  confirming.join();
  BOOST_TEST(asked);
  held.release();

  held.world.start();
  BOOST_TEST(!is_funded(*held.world.api, "CLM-CRASH"));
  expect_error(held.world.api->post_nothing("/v1/settlements/" + settlement + "/confirm"), 409,
               "idempotency_in_progress");
  // Another node might still be waiting for the rail: its lease of a minute and the rail's time have to pass first.
  BOOST_TEST(eventually([&] { return is_funded(*held.world.api, "CLM-CRASH"); }, std::chrono::seconds(90)));
  expect_funded_once(*held.world.api, receiver);
  BOOST_TEST(held.submits() == 1u);
}

BOOST_AUTO_TEST_CASE(a_process_whose_node_name_another_one_took_ends) {
  if (tests::MariaDbInstance::skipped()) return;
  tests::MariaDbInstance server;
  const auto database = server.create_database("taken");
  ServiceFolder folder;
  folder.use_mysql(database);
  folder.write_config();
  ServiceProcess service(folder);
  sql::open_mysql_session(database, sql::MySqlRole::writer)->run("UPDATE nodes SET epoch = epoch + 1");
  BOOST_TEST(eventually([&] { return !service.is_running(); }, std::chrono::seconds(30)));
  BOOST_TEST(service.wait_for_end() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
