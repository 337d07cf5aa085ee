// The real program under load, killed again and again at random moments.
#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "tests/fault/figure.hpp"
#include "tests/fault/service/bank_world.hpp"

namespace tideover::test {
namespace {

constexpr int kClients = 4;

/// Clients that take each task until it is answered, over every restart.
class Load {
 public:
  struct Task {
    std::string path, body, key;
    std::string answer;  // empty: not yet
  };

  Load(const ApiClient& api, std::vector<Task> tasks) : api_(api), port_(0), tasks_(std::move(tasks)) {
    for (int i = 0; i < kClients; ++i) clients_.emplace_back([this] { work(); });
  }
  ~Load() { end(); }
  void serve_at(std::uint16_t port) { port_ = port; }
  std::size_t answered() const { return answered_; }
  /// True when all were answered in time.
  bool wait(std::chrono::seconds deadline) {
    const bool all = eventually([&] { return answered_ == tasks_.size(); }, deadline);
    end();
    return all;
  }
  const std::vector<Task>& tasks() const { return tasks_; }

 private:
  void work() {
    while (!ending_) {
      const std::size_t mine = next_++;
      if (mine >= tasks_.size()) return;
      Task& task = tasks_[mine];
      while (task.answer.empty() && !ending_) {
        const std::uint16_t port = port_;
        try {
          const Headers key{{"Idempotency-Key", task.key}};
          const Answer answer = port == 0           ? Answer{}
                                : task.body.empty() ? api_.at(port).post_nothing(task.path, key)
                                                    : api_.at(port).post(task.path, task.body, key);
          if (answer.status == 200) {
            task.answer = answer.body;
            ++answered_;
          } else {
            pause_before_looking_again();
          }
        } catch (const std::system_error&) {  // the service is down
          pause_before_looking_again();
        }
      }
    }
  }
  void end() {
    ending_ = true;
    for (auto& client : clients_)
      if (client.joinable()) client.join();
  }

  const ApiClient api_;
  std::atomic<std::uint16_t> port_;
  std::atomic<bool> ending_{false};
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> answered_{0};
  std::vector<Task> tasks_;
  std::vector<std::thread> clients_;
};

BOOST_AUTO_TEST_SUITE(service_random_kills)

BOOST_AUTO_TEST_CASE(a_service_killed_at_random_under_load_pays_and_books_everything_once) {
  const std::size_t kills_promised = cases(6, 300);
  const std::size_t per_kill = 20;
  const unsigned seed = std::random_device{}();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937 random(seed);

  World world(Store::sqlite, [](ServiceFolder& folder) { use_fault_rail(folder, "dedup"); });
  fault::BankBook bank(world.folder.path() / "bank");
  std::vector<Load::Task> tasks;
  std::vector<std::string> settlements;
  for (std::size_t i = 0; i < kills_promised * per_kill; ++i) {
    const std::string number = std::to_string(i);
    settlements.push_back(advance(*world.api, "CLM-" + number, "FAULT"));
    tasks.push_back({"/v1/settlements/" + settlements.back() + "/confirm", "", "confirm-" + number, ""});
    // What the payer pays was funded before: a claim that is paid is not advanced any more.
    if (i % 3 != 0) continue;
    settlements.push_back(fund(*world.api, "PAID-" + number, "FAULT"));
    tasks.push_back({"/v1/deposits", deposit_body("TRN-" + number, "800.00"), "deposit-" + number, ""});
    tasks.push_back(
        {"/v1/remittances", remittance_body("TRN-" + number, "PAID-" + number, "800.00"), "remittance-" + number, ""});
  }
  const std::size_t deposits = static_cast<std::size_t>(
      std::count_if(tasks.begin(), tasks.end(), [](const auto& task) { return task.path == "/v1/deposits"; }));

  Load load(*world.api, std::move(tasks));
  std::size_t kills = 0;
  while (kills < kills_promised) {
    load.serve_at(world.service->port());
    const std::size_t before = load.answered();
    // At least something must have got through, or nothing is ever tried.
    BOOST_REQUIRE(eventually([&] { return load.answered() > before || load.answered() == load.tasks().size(); },
                             std::chrono::seconds(60)));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    world.service->kill();
    load.serve_at(0);
    ++kills;
    world.start();
  }
  load.serve_at(world.service->port());
  BOOST_TEST(load.wait(std::chrono::seconds(120)), "some requests never got their answer");

  std::set<std::string> keys;
  const auto payments = bank.payments();
  for (const auto& payment : payments) keys.insert(payment.key);
  BOOST_TEST(payments.size() == settlements.size());
  BOOST_TEST(keys.size() == settlements.size());
  // What was answered is answered again.
  for (const auto& task : load.tasks()) {
    const Headers key{{"Idempotency-Key", task.key}};
    const Answer again =
        task.body.empty() ? world.api->post_nothing(task.path, key) : world.api->post(task.path, task.body, key);
    BOOST_TEST(again.body == task.answer, task.path);
  }
  const Book book = book_of(*world.api);
  BOOST_TEST(book.posted_sum == 0);
  BOOST_TEST(book.pending_sum == 0);
  BOOST_TEST(book.posted_in("deposit_clearing") == static_cast<std::int64_t>(deposits) * 80'000);
  survived("R1", kills, kills_promised,
           "random kills of `tideover serve` under load: " + std::to_string(settlements.size()) +
               " settlements paid once each, " + std::to_string(load.tasks().size()) +
               " answers repeated byte for byte");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
