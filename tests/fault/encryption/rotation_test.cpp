// R35, second half: keys rotate three times under a service at work.
#include <atomic>
#include <sstream>
#include <thread>

#include "core/store/sql/database.hpp"
#include "tests/fault/figure.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

constexpr int kClients = 4;

std::string keys_command(const World& world, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "keys");
  arguments.insert(arguments.end(), {"--config", world.folder.config_file().string()});
  const auto result = run_tideover(arguments);
  return result.exit_code == 0 ? result.out : "refused: " + result.err;
}

/// Whether `keys list` says that only the current key still encrypts anything.
bool all_encrypted_again(const World& world) {
  std::istringstream lines(keys_command(world, {"list"}));
  int keys = 0;
  for (std::string line; std::getline(lines, line); ++keys) {
    const bool current = line.find(" current ") != std::string::npos;
    if (line.ends_with("rows: none") == current) return false;
  }
  return keys > 0;
}

/// What the clients do until it is done.
struct Load {
  std::atomic<bool> done = false;
  std::atomic<std::size_t> requests = 0, failures = 0;
  std::string first_failure;
  std::mutex failure_mutex;
};

void work(const World& world, int client, Load& load) {
  const auto expect_200 = [&](const Answer& answer) {
    ++load.requests;
    if (answer.status == 200) return true;
    ++load.failures;
    const std::lock_guard lock(load.failure_mutex);
    if (load.first_failure.empty()) load.first_failure = std::to_string(answer.status) + ": " + answer.body;
    return false;
  };
  for (int i = 0; !load.done; ++i) {
    const std::string name = "CLM-" + std::to_string(client) + "-" + std::to_string(i);
    // A token of the moment now and then, one of before the first rotation else.
    const ApiClient api = i % 8 == 0 ? ApiClient(world.service->port(), world.client) : *world.api;
    const auto review = api.post("/v1/claims/reviews", claim_body(name), {{"Idempotency-Key", name}});
    if (!expect_200(review)) continue;
    const auto terms = api.post("/v1/claims/adjudications", adjudication_body(review.json().text("/authorization_id")));
    if (!expect_200(terms)) continue;
    expect_200(api.post_nothing("/v1/settlements/" + terms.json().text("/settlement_id") + "/confirm"));
    const auto again = api.post("/v1/claims/reviews", claim_body(name), {{"Idempotency-Key", name}});
    if (expect_200(again) && again.body != review.body) ++load.failures;
    expect_200(api.get("/v1/claims/" + name + "/status"));
  }
}

BOOST_AUTO_TEST_SUITE(rotation)

BOOST_DATA_TEST_CASE(three_rotations_under_load_fail_no_request, boost::unit_test::data::make(stores()), store) {
  World world(store);
  Load load;
  auto& [done, requests, failures, first_failure, failure_mutex] = load;
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c) clients.emplace_back([&, c] { work(world, c, load); });

  const std::size_t rotations = cases(3, 20);
  std::size_t rotated = 0;
  std::string first_key;
  const auto end = [&] {
    done = true;
    for (auto& client : clients) client.join();
    clients.clear();
  };
  try {
    {
      std::istringstream line(keys_command(world, {"list"}));
      line >> first_key;
    }
    for (; rotated < rotations; ++rotated) {
      const auto so_far = requests.load();
      BOOST_REQUIRE(eventually([&] { return requests > so_far + 40; }, std::chrono::seconds(60)));
      const auto answer = keys_command(world, {"rotate"});
      BOOST_REQUIRE_MESSAGE(answer.ends_with(" is the current key.\n"), answer);
    }
    BOOST_TEST(eventually([&] { return all_encrypted_again(world); }, std::chrono::seconds(60)),
               keys_command(world, {"list"}));
  } catch (...) {
    end();
    throw;
  }
  end();
  BOOST_TEST(failures == 0u, first_failure);

  // With its next token a client's secret moves to the current key too.
  ApiClient(world.service->port(), world.client);
  // Nothing encrypted needs the first key any more, but tokens that it signed are still good.
  const auto refused = keys_command(world, {"retire", first_key});
  BOOST_TEST(refused.find("Access tokens signed with " + first_key + " may be valid until ") != std::string::npos,
             refused);
  const auto review =
      expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-0-0"), {{"Idempotency-Key", "CLM-0-0"}}));
  world.restart();
  const auto replayed =
      expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-0-0"), {{"Idempotency-Key", "CLM-0-0"}}));
  BOOST_TEST(text_of(replayed.root()) == text_of(review.root()));
  BOOST_TEST(requests >= 100u);
  std::ostringstream where;
  where << "key rotations under load on " << store << ": " << requests << " requests, " << failures << " errors";
  survived("R35", rotated, rotations, where.str());
}

BOOST_AUTO_TEST_CASE(a_key_that_other_nodes_lack_is_not_used_yet) {
  World world;
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  const auto beats = [&](sql::Sql sql) {
    const auto database = sql::Database::open({sql::SqliteOptions{world.folder.path() / "store" / "tideover.db"}});
    database->writer()->run(sql);
  };
  const auto before = read_file(world.folder.path() / "keys");
  constexpr const char* kAlive =
      "INSERT INTO nodes (name, process, version, epoch, started_at, lease_end) "
      "VALUES ('a', 'p', '0', 1, 0, 9000000000000), ('b', 'p', '0', 1, 0, 9000000000000)";
  beats(kAlive);
  const auto refused = keys_command(world, {"rotate"});
  BOOST_TEST(refused.find("2 nodes use this database (a, b)") != std::string::npos, refused);
  BOOST_TEST(refused.find("--stage") != std::string::npos, refused);
  BOOST_TEST((read_file(world.folder.path() / "keys") == before));
  const auto staged = keys_command(world, {"rotate", "--stage"});
  const auto key_id = staged.substr(0, staged.find(' '));
  BOOST_TEST(keys_command(world, {"rotate", "--use", key_id}) == key_id + " is the current key.\n");
  beats("UPDATE nodes SET lease_end = 1 WHERE name = 'b'");  // one node alone needs no second step
  const auto answer = keys_command(world, {"rotate"});
  BOOST_TEST(answer.ends_with(" is the current key.\n"), answer);
}

BOOST_AUTO_TEST_CASE(a_key_without_values_is_retired) {
  World world;
  const auto review =
      expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1"), {{"Idempotency-Key", "k1"}}));
  std::string first_key;
  std::istringstream(keys_command(world, {"list"})) >> first_key;
  BOOST_TEST(keys_command(world, {"retire", first_key}).find("is the current key") != std::string::npos);
  BOOST_REQUIRE(keys_command(world, {"rotate"}).ends_with(" is the current key.\n"));
  BOOST_REQUIRE(eventually([&] { return all_encrypted_again(world); }, std::chrono::seconds(60)));
  const auto secrets_left = keys_command(world, {"retire", first_key});
  BOOST_TEST(secrets_left.find("client secrets have a digest under " + first_key) != std::string::npos, secrets_left);
  world.api.emplace(world.service->port(), world.client);  // the secret moves with the next token
  const auto tokens_left = keys_command(world, {"retire", first_key});
  BOOST_TEST(tokens_left.find("may be valid until") != std::string::npos, tokens_left);

  // The day after.
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  {
    const auto database =
        sql::Database::open({.engine = sql::SqliteOptions{.file = world.folder.path() / "store" / "tideover.db"}});
    const auto session = database->writer();
    session->begin();
    session->run("UPDATE master_keys SET last_current_at = last_current_at - 86400000 WHERE key_id = ?", first_key);
    session->commit();
  }
  world.start();
  const auto retired = keys_command(world, {"retire", first_key});
  BOOST_TEST(retired == first_key + " is retired.\n");
  BOOST_TEST(read_file(world.folder.path() / "keys").find(first_key) == std::string::npos);
  BOOST_TEST(keys_command(world, {"list"}).find(first_key) == std::string::npos);
  BOOST_TEST(keys_command(world, {"retire", first_key}).find("Key " + first_key + " not found") != std::string::npos);

  // Everything is there without it, also behind a restart.
  for (const bool restarted : {false, true}) {
    if (restarted) world.restart();
    const auto again =
        expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1"), {{"Idempotency-Key", "k1"}}));
    BOOST_TEST(text_of(again.root()) == text_of(review.root()));
    expect_ok(world.api->get("/v1/claims/CLM-1"));
    ApiClient(world.service->port(), world.client);
  }
}

BOOST_AUTO_TEST_CASE(a_lost_ring_keeps_the_service_from_starting) {
  World world;
  expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1")));
  world.service->ask_to_stop();
  BOOST_TEST(world.service->wait_for_end() == 0);
  std::filesystem::path ring;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(world.folder.path()))
    if (entry.is_regular_file() && read_file(entry.path()).find("lasting:") == 0) ring = entry.path();
  BOOST_REQUIRE(!ring.empty());
  const auto kept = ring.string() + ".kept";
  std::filesystem::rename(ring, kept);
  const auto started = run_tideover({"serve", "--config", world.folder.config_file().string()});
  BOOST_TEST(started.exit_code == 1);
  BOOST_TEST(started.err.find("Restore it from a copy; a new key ring cannot decrypt them.") != std::string::npos,
             started.err);
  BOOST_TEST(!std::filesystem::exists(ring),
             "a new ring was made, which a copy of the folder would take for the old one");
  std::filesystem::rename(kept, ring);
  world.start();
  expect_ok(world.api->get("/v1/claims/CLM-1/status"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
