#include <boost/test/unit_test.hpp>

#include "tests/fault/cluster/race.hpp"

#include <atomic>
#include <barrier>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "tests/fault/figure.hpp"
#include "tests/support/service/api_connection.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

constexpr int kClients = 64;
constexpr auto kPatience = std::chrono::seconds(30);

/// How the clients of one settlement name their request.
enum class Keys { same, different, none };

struct Race {
  std::string settlement;
  std::string account;  // payout token: the bank's book tells by it whose payment a payment is
  Keys keys = Keys::same;

  std::set<std::string> bodies;         // of status 200
  std::map<std::string, int> refusals;  // by error
};

/// Reviews and adjudicates, a few side by side.
std::vector<Race> prepare(const std::vector<std::uint16_t>& ports, const std::string& token, std::size_t count) {
  std::vector<Race> races(count);
  std::atomic<std::size_t> next = 0;
  std::mutex lock;
  std::vector<std::jthread> workers;
  for (std::size_t worker = 0; worker < 8; ++worker)
    workers.emplace_back([&, worker] {
      ApiConnection api(ports[worker % ports.size()], token);
      for (std::size_t i = next++; i < count; i = next++) {
        races[i].account = "tok_race_" + std::to_string(i);
        races[i].keys = static_cast<Keys>(i % 3);
        const Answer review = api.post("/v1/claims/reviews", claim_body("RACE-" + std::to_string(i)));
        const Answer terms =
            review.status == 200
                ? api.post("/v1/claims/adjudications",
                           adjudication_body(review.json().text("/authorization_id"), "FAULT", races[i].account))
                : review;
        const std::lock_guard held(lock);
        BOOST_REQUIRE_MESSAGE(terms.status == 200, terms.body);
        races[i].settlement = terms.json().text("/settlement_id");
      }
    });
  workers.clear();
  return races;
}

std::string key_of(const Race& race, int client) {
  switch (race.keys) {
    case Keys::same:
      return "key-" + race.settlement;
    case Keys::different:
      return "key-" + race.settlement + '-' + std::to_string(client);
    case Keys::none:
      return "";
  }
  return "";
}

/// As the contract tells a client: "busy" and "try again" are asked again, with the same key.
Answer confirm(ApiConnection& api, const Race& race, int client) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  std::minstd_rand random(static_cast<unsigned>(client));
  while (true) {
    Answer answer = api.post("/v1/settlements/" + race.settlement + "/confirm", "", key_of(race, client));
    const bool again = answer.status == 0 || answer.status == 503 ||
                       (answer.status == 409 && answer.json().text("/error") == "idempotency_in_progress");
    if (!again || std::chrono::steady_clock::now() > end) return answer;
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + random() % 20));
  }
}

void run(std::vector<Race>& races, const std::vector<std::uint16_t>& ports, const std::string& token) {
  std::barrier start(kClients);
  std::mutex lock;
  std::vector<std::jthread> clients;
  for (int client = 0; client < kClients; ++client)
    clients.emplace_back([&, client] {
      ApiConnection api(ports[static_cast<std::size_t>(client) % ports.size()], token);
      for (Race& race : races) {
        start.arrive_and_wait();
        const Answer answer = confirm(api, race, client);
        const std::lock_guard held(lock);
        if (answer.status == 200)
          race.bodies.insert(answer.body);
        else
          ++race.refusals[answer.status == 0 ? "no answer" : answer.json().text("/error")];
      }
    });
}

void check(const std::vector<Race>& races, fault::BankBook& bank, const std::string& where) {
  std::map<std::string, int> paid;
  for (const auto& payment : bank.payments()) ++paid[payment.account];
  std::size_t once = 0;
  for (const Race& race : races) {
    const int payments = paid[fault::fingerprint_of(race.account)];
    BOOST_TEST(payments == 1, race.settlement << " was paid " << payments << " times");
    BOOST_TEST(race.bodies.size() == 1u, race.settlement << " was answered with " << race.bodies.size() << " bodies");
    for (const auto& [error, count] : race.refusals)
      BOOST_TEST((race.keys == Keys::different && error == "settlement_already_funded"),
                 race.settlement << ": " << count << " x " << error);
    once += payments == 1 && race.bodies.size() == 1;
  }
  BOOST_TEST(bank.payments().size() == races.size());
  survived("R5", once, races.size(),
           "settlements x 64 clients " + where + ": 1 payment and 1 distinct body each, 0 double");
}

}  // namespace

void race(const std::vector<std::uint16_t>& ports, const std::string& token, std::size_t settlements,
          fault::BankBook& bank, const std::string& where) {
  auto races = prepare(ports, token, settlements);
  run(races, ports, token);
  check(races, bank, where);
}

}  // namespace tideover::test
