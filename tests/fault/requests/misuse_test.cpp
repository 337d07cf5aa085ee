// R7: a key with another body, a key in flight and a key of another tenant never execute anything.
#include "tests/fault/figure.hpp"
#include "tests/fault/requests/side_by_side.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

constexpr int kClients = 8;

struct Held {
  explicit Held(ServiceFolder& given) : folder(given) {
    folder.use_plugin(
        "funding_rail", "rtp", TIDEOVER_HELD_RAIL,
        {{"seen_path", (folder.path() / "seen").string()}, {"release_path", (folder.path() / "release").string()}});
  }
  bool is_asked() const { return std::filesystem::exists(folder.path() / "seen"); }
  void release() const { save_file(folder.path() / "release", ""); }

  ServiceFolder& folder;
};

BOOST_AUTO_TEST_SUITE(misuse)

BOOST_AUTO_TEST_CASE(a_key_with_another_body_executes_nothing) {
  const std::size_t promised = cases(4000, 40'000);
  World world;
  constexpr std::size_t kKeys = 50;
  const auto headers = [](std::size_t i) { return Headers{{"Idempotency-Key", "key-" + std::to_string(i % kKeys)}}; };
  side_by_side(kKeys, kClients, [&](std::size_t i) {
    const Answer answer =
        world.api->post("/v1/deposits", deposit_body("TRN-" + std::to_string(i), "10.00"), headers(i));
    if (answer.status != 200) throw std::runtime_error(answer.body);
  });
  std::atomic<std::size_t> refused = 0;
  side_by_side(promised, kClients, [&](std::size_t i) {
    Answer answer;
    do {  // another client may be at this very key
      answer = world.api->post("/v1/deposits", deposit_body("OTHER-" + std::to_string(i), "20.00"), headers(i));
    } while (answer.status == 409 && answer.json().text("/error") == "idempotency_in_progress");
    refused += answer.status == 422 && answer.json().text("/error") == "idempotency_key_reused" &&
               answer.body.find("TRN-") == std::string::npos;
  });
  const Book book = book_of(*world.api);
  BOOST_TEST(book.posted_in("deposit_clearing") == static_cast<std::int64_t>(kKeys) * 1000);
  survived("R7", refused, promised, "keys with another body refused, 0 executed");
}

BOOST_AUTO_TEST_CASE(a_key_in_flight_executes_nothing_more) {
  const std::size_t promised = cases(500, 5000);
  std::optional<Held> held;
  World world(Store::sqlite, [&](ServiceFolder& folder) { held.emplace(folder); });
  const std::string target = "/v1/settlements/" + test::advance(*world.api, "CLM-1") + "/confirm";
  Answer first;
  std::thread confirming([&] { first = world.api->post_nothing(target, {{"Idempotency-Key", "one"}}); });
  const bool asked = eventually([&] { return held->is_asked(); });
  std::atomic<std::size_t> refused = 0;
  side_by_side(promised, kClients, [&](std::size_t) {
    const Answer answer = world.api->post_nothing(target, {{"Idempotency-Key", "one"}});
    refused += answer.status == 409 && answer.json().text("/error") == "idempotency_in_progress" &&
               answer.header("Retry-After") == "1";
  });
  held->release();
  confirming.join();
  BOOST_TEST(asked);
  BOOST_TEST(expect_ok(first).text("/status") == "funded");
  BOOST_TEST(book_of(*world.api).posted_in("funding_cash") == -64000);
  survived("R7", refused, promised, "repeats of a key in flight refused, 0 executed");
}

BOOST_AUTO_TEST_CASE(a_key_of_another_tenant_reaches_nothing) {
  const std::size_t promised = cases(500, 5000);
  std::optional<Credentials> stranger;
  World world(Store::sqlite, [&](ServiceFolder& folder) {
    stranger = folder.create_client({"--role", "admin", "--tenant", "stranger"});
  });
  const ApiClient other(world.service->port(), *stranger);
  constexpr std::size_t kSettlements = 20;
  std::vector<std::string> targets(kSettlements);
  for (std::size_t i = 0; i < kSettlements; ++i)
    targets[i] = "/v1/settlements/" + test::advance(*world.api, "CLM-" + std::to_string(i)) + "/confirm";
  std::atomic<std::size_t> refused = 0;
  side_by_side(promised, kClients, [&](std::size_t i) {
    Answer answer;
    do answer = other.post_nothing(targets[i % kSettlements], {{"Idempotency-Key", "key"}});
    while (answer.status == 409 && answer.json().text("/error") == "idempotency_in_progress");  // of the same stranger
    refused += answer.status == 404 && answer.json().text("/error") == "settlement_not_found";
  });
  BOOST_TEST(book_of(*world.api).posted.empty());
  BOOST_TEST(book_of(other).posted.empty());
  // The tenant's own use of the same key is not disturbed.
  expect_ok(world.api->post_nothing(targets[0], {{"Idempotency-Key", "key"}}));
  survived("R7", refused, promised, "confirms of another tenant's settlement refused, 0 executed");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
