// R13: what was acknowledged is durable, against SIGKILL and against a power cut.
#include <atomic>
#include <random>
#include <thread>

#include "tests/fault/disk/books.hpp"
#include "tests/fault/disk/faulty_disk.hpp"
#include "tests/fault/figure.hpp"

namespace tideover::test {
namespace {

constexpr int kClients = 8;

struct PowerCuts {
  explicit PowerCuts(bool lies)
      : world(Store::sqlite, [](ServiceFolder& folder) { folder.set("log.level", "error"); }), disk(world.folder) {
    world.service->ask_to_stop();
    BOOST_REQUIRE(world.service->wait_for_end() == 0);
    disk.remember_unsynced(world.folder, lies);
  }

  /// Serves reviews under load, kills the service in the middle, and loses what was not synced.
  std::size_t run(std::size_t number, std::mt19937& random) {
    world.service.emplace(world.folder);
    const auto api = world.api->at(world.service->port());
    const auto before = acknowledged.size();
    const std::size_t until = before + 1 + random() % 60;
    std::atomic<bool> ended = false;
    std::vector<std::thread> clients;
    for (int client = 0; client < kClients; ++client)
      clients.emplace_back([&, client] {
        for (int n = 0; !ended; ++n)
          acknowledged.review(api,
                              "CLM-" + std::to_string(number) + '-' + std::to_string(client) + '-' + std::to_string(n));
      });
    eventually([&] { return acknowledged.size() >= until; });
    world.service->kill();
    ended = true;
    for (auto& client : clients) client.join();
    BOOST_TEST(acknowledged.size() >= until);
    // Half of the cuts lose everything unsynced, the others any part of it.
    return disk.cut_power(number % 2 == 0 ? nullptr : &random);
  }

  World world;
  FaultyDisk disk;
  AcknowledgedReviews acknowledged;
};

BOOST_AUTO_TEST_SUITE(durability)

BOOST_AUTO_TEST_CASE(acknowledged_writes_survive_kills_and_power_cuts) {
  const std::size_t runs = cases(100, 1000);
  const unsigned seed = std::random_device{}();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937 random(seed);
  PowerCuts cuts(false);
  std::size_t ran = 0, taken_back = 0;
  for (; ran < runs; ++ran) {
    taken_back += cuts.run(ran, random);
    const auto lost = cuts.acknowledged.lost(cuts.world.folder);
    BOOST_REQUIRE_MESSAGE(lost.empty(), "run " << ran << " lost " << lost.size() << " of " << cuts.acknowledged.size()
                                               << " acknowledged reviews");
  }
  BOOST_TEST(taken_back > 0);  // else no cut ever hit anything
  cuts.world.service.emplace(cuts.world.folder);
  const auto check = run_tideover({"db", "check", "--config", cuts.world.folder.config_file().string()});
  BOOST_TEST(check.exit_code == 0, check.out << check.err);
  survived("R13", ran, runs,
           "kills under load, each with its unsynced writes lost: 0 of " + std::to_string(cuts.acknowledged.size()) +
               " acknowledged lost");
}

BOOST_AUTO_TEST_CASE(a_disk_that_claims_to_sync_and_does_not_is_detected) {
  std::mt19937 random(1);
  PowerCuts cuts(true);
  cuts.world.verify_at_end = false;
  cuts.run(0, random);
  std::size_t lost = 0;
  try {
    lost = cuts.acknowledged.lost(cuts.world.folder).size();
  } catch (const sql::SqlError&) {
    lost = cuts.acknowledged.size();  // not even a database is left
  }
  BOOST_TEST(lost > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
