// More commits than may wait: the database stands still, and the rest hears so at once.
#include <atomic>
#include <thread>

#include "core/store/sql/database.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

BOOST_AUTO_TEST_SUITE(overload)

BOOST_AUTO_TEST_CASE(a_full_commit_queue_answers_503_with_retry_after_and_loses_nothing) {
  if (tests::MariaDbInstance::skipped()) return;
  constexpr int kClients = 40;
  tests::MariaDbInstance server;
  const auto options = server.create_database("overload");
  World world(Store::sqlite, [&](ServiceFolder& folder) {
    folder.use_mysql(options);
    folder.set("store.committer.queue", "4");
    folder.set("store.mysql.lanes", "1");
  });
  const auto database = sql::Database::open({.engine = options});
  std::vector<Answer> answers(kClients);
  std::atomic<int> refused = 0;
  {
    const auto holder = database->writer();
    holder->execute("FLUSH TABLES WITH READ LOCK");
    std::vector<std::jthread> clients;
    for (int c = 0; c < kClients; ++c)
      clients.emplace_back([&, c] {
        const std::string claim = "CLM-" + std::to_string(c);
        answers[static_cast<std::size_t>(c)] =
            world.api->post("/v1/claims/reviews", claim_body(claim), {{"Idempotency-Key", claim}});
        refused += answers[static_cast<std::size_t>(c)].status == 503;
      });
    const bool some_were_refused = eventually([&] { return refused >= 10; });
    holder->execute("UNLOCK TABLES");
    BOOST_TEST(some_were_refused);
  }
  int taken = 0;
  for (int c = 0; c < kClients; ++c) {
    const auto& answer = answers[static_cast<std::size_t>(c)];
    const std::string claim = "CLM-" + std::to_string(c);
    if (answer.status == 200) {
      ++taken;
    } else {
      const auto error = expect_error(answer, 503, "service_unavailable");
      BOOST_TEST(error.flag("/retryable"));
      BOOST_TEST(!answer.header("Retry-After").empty());
      expect_error(world.api->get("/v1/claims/" + claim), 404, "claim_not_found");
    }
    // The same request again is done now, or answered as it was; the service's own work may still fill so short a
    // queue.
    Answer again;
    BOOST_TEST(eventually([&] {
                 again = world.api->post("/v1/claims/reviews", claim_body(claim), {{"Idempotency-Key", claim}});
                 return again.status == 200;
               }),
               again.body);
    if (answer.status == 200) BOOST_TEST(again.body == answer.body);
  }
  BOOST_TEST(taken > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
