// The real program, killed at named points of a confirm, from the first byte of the request to the delivery of its
// event.
#include <signal.h>

#include <map>
#include <set>
#include <stdexcept>

#include "tests/fault/figure.hpp"
#include "tests/fault/service/bank_world.hpp"
#include "tests/support/webhook_receiver/webhook_receiver.hpp"

namespace tideover::test {
namespace {

// K: core/docs/reliability.md#crash-points. The points around COMMIT (K12) are passed while the service starts: the
// sweep has them.
const std::vector<std::string> kPoints{
    "request.received",           // K0, before authentication
    "request.accepted",           // K0, behind it
    "confirm.received",           // K2
    "disburse.claim.booked",      // K3
    "disburse.claim.committed",   // K4
    "journal.before",             // K5
    "journal.after",              // K6
    "rail.submit.answered",       // K9
    "disburse.result.booked",     // K11
    "disburse.result.committed",  // K13
    "answer.rendered",            // K13
    "answer.half_sent",           // K14
    "event.published",            // K15, before COMMIT
    "event.batch_published",      // K15
    "delivery.leased",            // K15
    "delivery.answered",          // K16: sent, not marked
};

BOOST_AUTO_TEST_SUITE(service_crash_points)

BOOST_AUTO_TEST_CASE(a_service_killed_at_any_point_of_a_confirm_completes_it_once_after_its_restart) {
  std::size_t kills = 0;
  for (const Store store : stores()) {
    WebhookReceiver receiver;
    World world(store, [](ServiceFolder& folder) { use_fault_rail(folder, "dedup"); });
    fault::BankBook bank(world.folder.path() / "bank");
    expect_ok(world.api->post("/v1/webhooks/endpoints",
                              R"({"url":)" + quoted(receiver.url()) + R"(,"events":["settlement.funded"]})"));
    // MariaDB shares everything above the driver: each third point does.
    const std::size_t step = store == Store::sqlite || is_deep() ? 1 : 3;
    std::vector<std::string> settlements;
    for (std::size_t i = 0; i < kPoints.size(); i += step)
      settlements.push_back(advance(*world.api, "CLM-" + std::to_string(i), "FAULT"));
    std::map<std::string, std::string> acknowledged;
    for (std::size_t i = 0; i < settlements.size(); ++i) {
      const std::string& point = kPoints[i * step];
      world.service->ask_to_stop();
      BOOST_REQUIRE_EQUAL(world.service->wait_for_end(), 0);
      try {
        world.service.emplace(world.folder, std::map<std::string, std::string>{{"TIDEOVER_TEST_CRASH_AT", point}});
        const Answer answer = confirm(world.api->at(world.service->port()), settlements[i]);
        if (answer.status == 200) acknowledged[settlements[i]] = answer.body;
        BOOST_REQUIRE_MESSAGE(eventually([&] { return !world.service->is_running(); }), "nothing passed " << point);
        BOOST_REQUIRE_EQUAL(world.service->wait_for_end(), -SIGKILL);
      } catch (const std::runtime_error&) {
        // What an earlier kill had left behind came by the point before a client could: killed all the same.
      }
      ++kills;
      world.service.emplace(world.folder);
      world.api.emplace(world.api->at(world.service->port()));
    }
    // Whatever was interrupted comes to its end, by the client's repetition or by itself.
    for (const auto& settlement : settlements) {
      Answer answer;
      BOOST_TEST(eventually([&] { return (answer = confirm(*world.api, settlement)).status == 200; },
                            std::chrono::seconds(30)),
                 settlement << " is not funded: " << answer.body);
      BOOST_TEST(confirm(*world.api, settlement).body == answer.body);
      if (acknowledged.contains(settlement)) BOOST_TEST(acknowledged[settlement] == answer.body);
    }
    std::set<std::string> keys;
    for (const auto& payment : bank.payments()) keys.insert(payment.key);
    BOOST_TEST(bank.payments().size() == settlements.size());
    BOOST_TEST(keys.size() == settlements.size());

    // One event for each settlement, at least once, each time the same bytes.
    std::map<std::string, std::set<std::string>> bodies;
    const auto all_announced = [&] {
      bodies.clear();
      for (const auto& request : receiver.requests()) bodies[request.headers.at("webhook-id")].insert(request.body);
      return bodies.size() >= settlements.size();
    };
    BOOST_TEST(eventually(all_announced, std::chrono::seconds(60)));
    BOOST_TEST(bodies.size() == settlements.size());
    for (const auto& [id, seen] : bodies) BOOST_TEST(seen.size() == 1u, id << " was sent with different bytes");
    const Book book = book_of(*world.api);
    BOOST_TEST(book.posted_sum == 0);
    BOOST_TEST(book.pending_sum == 0);
  }
  survived("R1", kills, kPoints.size(),
           "kills of `tideover serve` at named points K0-K16: each settlement paid once, each event one set of bytes");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
