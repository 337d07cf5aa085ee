// A rail that pays a key as often as it is asked, before two nodes of one database: one of them sends over it, and when
// that is moved, what the old one has shown to the bank moves along.
#include <atomic>
#include <set>
#include <thread>

#include "tests/fault/service/bank_world.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"

namespace tideover::test {
namespace {

struct TwoSenders {
  TwoSenders() {
    const auto database = server.create_database("senders");
    for (auto* folder : {&folder_a, &folder_b}) {
      use_fault_rail(*folder, "query");
      folder->use_plugin(
          "funding_rail", "fault", TIDEOVER_FAULT_RAIL,
          {{"folder", (folder_a.path() / "bank").string()}, {"recall", "query"}, {"max_latency_s", "60"}});
      folder->use_mysql(database);
      folder->set("security.key_ring_file", (folder_a.path() / "keys").string());
      folder->set("funding.journal_path", (folder->path() / "rail-journal" / "journal").string());
      folder->set("funding.wait_ms", "10000");
    }
    folder_a.set("node.name", "node-a");
    folder_b.set("node.name", "node-b");
    client = folder_a.create_client({"--role", "admin"});
    folder_b.write_config();
    start();
  }
  void start() {
    a.emplace(folder_a);
    b.emplace(folder_b);
    token = ApiClient(a->port(), client).token();
  }
  void stop() {
    for (auto* node : {&a, &b}) {
      if (!*node) continue;
      (*node)->ask_to_stop();
      BOOST_REQUIRE_EQUAL((*node)->wait_for_end(), 0);
      node->reset();
    }
  }
  ApiClient at(const ServiceProcess& node) const { return ApiClient(node.port(), token); }
  CommandResult move(const ServiceFolder& folder, std::vector<std::string> more) const {
    std::vector<std::string> command{
        "rails", "sender", "move", "--rail", "FAULT", "--to", "node-b", "--config", folder.config_file().string()};
    command.insert(command.end(), more.begin(), more.end());
    return run_tideover(command);
  }
  /// The old sender counts as running until its lease has ended.
  CommandResult move_once_silent(std::vector<std::string> more) const {
    CommandResult moved;
    (void)eventually([&] { return (moved = move(folder_b, more)).exit_code == 0; }, std::chrono::seconds(30));
    return moved;
  }
  std::string journal_of(const ServiceFolder& folder) const {
    return read_file(folder.path() / "rail-journal" / "journal");
  }
  /// How many payments a node's journal has witnessed.
  long sent_by(const ServiceFolder& folder) const {
    const auto text = journal_of(folder);
    long count = 0;
    for (auto found = text.find(" sent "); found != std::string::npos; found = text.find(" sent ", found + 1)) ++count;
    return count;
  }
  void funds(const ServiceProcess& node, const std::string& claim) {
    const auto settlement = advance(at(node), claim, "FAULT");
    BOOST_TEST(eventually([&] { return confirm(at(node), settlement).status == 200; }), claim);
  }
  void verify() const {
    for (const auto* folder : {&folder_a, &folder_b})
      for (const char* noun : {"ledger", "audit"}) {
        const auto found = run_tideover({noun, "verify", "--config", folder->config_file().string()});
        BOOST_TEST(found.exit_code == 0, found.out << found.err);
      }
  }

  tests::MariaDbInstance server;
  ServiceFolder folder_a, folder_b;
  Credentials client;
  std::optional<ServiceProcess> a, b;
  std::string token;
  fault::BankBook bank{folder_a.path() / "bank"};
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(sender_move)

BOOST_AUTO_TEST_CASE(a_rail_moves_with_its_journal_and_never_has_two_senders) {
  if (tests::MariaDbInstance::skipped()) return;
  TwoSenders nodes;
  nodes.funds(*nodes.a, "CLM-1");  // the first node that serves the rail is its sender
  nodes.funds(*nodes.b, "CLM-2");  // and sends what was confirmed elsewhere
  BOOST_TEST(nodes.sent_by(nodes.folder_a) == 2);
  BOOST_TEST(nodes.sent_by(nodes.folder_b) == 0);

  // The old sender dies just after the bank has paid.
  const auto doubtful = advance(nodes.at(*nodes.a), "CLM-3", "FAULT");
  nodes.bank.script("submit", {"die_after"});
  BOOST_TEST(confirm(nodes.at(*nodes.a), doubtful).status == 0);
  (void)nodes.a->wait_for_end();
  nodes.a.reset();
  nodes.stop();

  const auto copy = (nodes.folder_b.path() / "journal-of-a").string();
  std::filesystem::copy_file(nodes.folder_a.path() / "rail-journal" / "journal", copy);
  const auto at_the_old_one = nodes.move(nodes.folder_a, {"--journal", copy});
  BOOST_TEST(at_the_old_one.exit_code == 1);
  BOOST_TEST(says(at_the_old_one.err, "Run this command on the new sender. This node is node-a."), at_the_old_one.err);
  const auto without = nodes.move(nodes.folder_b, {});
  BOOST_TEST(without.exit_code == 1);
  BOOST_TEST(says(without.err, "--journal-lost"), without.err);
  const auto moved = nodes.move_once_silent({"--journal", copy});
  BOOST_TEST(moved.exit_code == 0, moved.err);
  BOOST_TEST(says(moved.out, "The sender of FAULT is now node-b, before node-a. 3 keys were copied from its journal."),
             moved.out);

  nodes.start();
  // The new sender knows the key: it asks, and the bank pays no second time.
  BOOST_TEST(eventually([&] { return confirm(nodes.at(*nodes.b), doubtful).status == 200; }));
  BOOST_TEST(nodes.bank.payments().size() == 3u);

  constexpr int kClients = 4, kEach = 5;
  std::atomic<int> funded = 0;
  {
    std::vector<std::jthread> clients;
    for (int c = 0; c < kClients; ++c)
      clients.emplace_back([&, c] {
        const auto api = nodes.at(c % 2 == 0 ? *nodes.a : *nodes.b);
        for (int i = 0; i < kEach; ++i) {
          const auto settlement = advance(api, "CLM-L-" + std::to_string(c) + '-' + std::to_string(i), "FAULT");
          funded += eventually([&] { return confirm(api, settlement).status == 200; }, std::chrono::seconds(30));
        }
      });
  }
  BOOST_TEST(funded == kClients * kEach);
  BOOST_TEST(nodes.bank.payments().size() == 3u + kClients * kEach);
  std::set<std::string> keys;
  for (const auto& payment : nodes.bank.payments())
    BOOST_TEST(keys.insert(payment.key).second, "paid twice: " << payment.key);
  BOOST_TEST(nodes.sent_by(nodes.folder_a) == 3);
  BOOST_TEST(nodes.sent_by(nodes.folder_b) == 3 + kClients * kEach);
  const auto shown = run_tideover({"rails", "sender", "show", "--config", nodes.folder_a.config_file().string()});
  BOOST_TEST(says(shown.out, "node=node-b  epoch=2"), shown.out << shown.err);
  nodes.verify();
  nodes.stop();
}

BOOST_AUTO_TEST_CASE(a_rail_whose_journal_is_lost_asks_about_all_that_is_open) {
  if (tests::MariaDbInstance::skipped()) return;
  TwoSenders nodes;
  const auto doubtful = advance(nodes.at(*nodes.a), "CLM-1", "FAULT");
  nodes.bank.script("submit", {"die_after"});
  BOOST_TEST(confirm(nodes.at(*nodes.a), doubtful).status == 0);
  (void)nodes.a->wait_for_end();
  nodes.a.reset();
  nodes.stop();
  std::filesystem::remove_all(nodes.folder_a.path() / "rail-journal");
  const auto moved = nodes.move_once_silent({"--journal-lost"});
  BOOST_TEST(moved.exit_code == 0, moved.err);
  nodes.b.emplace(nodes.folder_b);
  BOOST_TEST(eventually([&] { return confirm(nodes.at(*nodes.b), doubtful).status == 200; }));
  nodes.funds(*nodes.b, "CLM-2");
  BOOST_TEST(nodes.bank.payments().size() == 2u);
  nodes.stop();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
