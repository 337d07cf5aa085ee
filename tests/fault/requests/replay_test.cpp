// R6: a stored answer is the same bytes after a crash, after a restart, and at another node.
#include "tests/fault/figure.hpp"
#include "tests/fault/requests/side_by_side.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

constexpr int kClients = 8;

/// A request under a key, and what it was answered.
struct Sent {
  std::string target;
  std::string body;
  std::string key;
  std::string answer;
};

/// Of every four requests a review, its adjudication, its confirm and a deposit.
std::vector<Sent> send_all(const ApiClient& api, std::size_t count) {
  std::vector<Sent> sent(count);
  const auto send = [&](std::size_t at, const std::string& target, const std::string& body) {
    Sent& request = sent[at];
    request = {target, body, "key-" + std::to_string(at), ""};
    const Answer answer = api.post(target, body, {{"Idempotency-Key", request.key}});
    if (answer.status != 200) throw std::runtime_error(target + ": " + answer.body);
    request.answer = answer.body;
  };
  side_by_side(count / 4, kClients, [&](std::size_t i) {
    const std::string number = std::to_string(i);
    send(4 * i, "/v1/claims/reviews", claim_body("CLM-" + number));
    send(4 * i + 1, "/v1/claims/adjudications", adjudication_body(Json(sent[4 * i].answer).text("/authorization_id")));
    send(4 * i + 2, "/v1/settlements/" + Json(sent[4 * i + 1].answer).text("/settlement_id") + "/confirm", "");
    send(4 * i + 3, "/v1/deposits", deposit_body("TRN-" + number, "10.00"));
  });
  return sent;
}

/// How many are answered with the same bytes, marked as a replay.
std::size_t replayed(const ApiClient& api, const std::vector<Sent>& sent) {
  std::atomic<std::size_t> same = 0;
  side_by_side(sent.size(), kClients, [&](std::size_t i) {
    const Answer answer = api.post(sent[i].target, sent[i].body, {{"Idempotency-Key", sent[i].key}});
    same += answer.status == 200 && answer.body == sent[i].answer && answer.header("Idempotent-Replayed") == "true";
  });
  return same;
}

BOOST_AUTO_TEST_SUITE(replays)

BOOST_AUTO_TEST_CASE(every_answer_is_replayed_byte_for_byte_after_a_crash_and_after_a_restart) {
  const std::size_t promised = cases(2000, 50'000);
  World world;
  const auto sent = send_all(*world.api, promised / 2);
  const auto ledger = ledger_of(*world.api);
  world.service->kill();
  world.start();
  const std::size_t after_crash = replayed(*world.api, sent);
  world.restart();
  const std::size_t after_restart = replayed(*world.api, sent);
  BOOST_TEST(after_crash == sent.size());
  BOOST_TEST(after_restart == sent.size());
  BOOST_TEST((ledger_of(*world.api) == ledger));
  survived("R6", after_crash + after_restart, promised,
           "stored answers replayed byte for byte after a crash and after a restart");
}

BOOST_AUTO_TEST_CASE(another_node_replays_the_same_bytes) {
  if (stores().size() == 1) return;
  const std::size_t promised = cases(200, 5000);
  World world(Store::mariadb);
  world.folder.set("node.name", "other");
  world.folder.set("funding.journal_path", (world.folder.path() / "other-journal").string());
  world.folder.set("security.checkpoint_file", (world.folder.path() / "other-checkpoints").string());
  const ServiceProcess other(world.folder);
  const auto sent = send_all(*world.api, promised);
  const std::size_t same = replayed(world.api->at(other.port()), sent);
  BOOST_TEST(same == sent.size());
  survived("R6", same, promised, "stored answers replayed byte for byte by another node");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
