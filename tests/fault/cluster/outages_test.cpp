// Database nodes die, hang and are cut off while both service nodes work (core/docs/reliability.md#fault-figures, R14
// to R16): what was acknowledged stays, nothing happens twice, and it goes on soon.
#include <iostream>
#include <map>
#include <set>

#include <boost/test/unit_test.hpp>

#include "tests/fault/cluster/load.hpp"
#include "tests/fault/figure.hpp"
#include "tests/support/world/flow.hpp"

using namespace tideover;
using namespace tideover::test;
using Clock = Load::Clock;

namespace {

enum class Fault { kill, pause, cut, kill_all, kill_service };
enum class Whom { writer, another };

const char* name_of(Fault fault) {
  switch (fault) {
    case Fault::kill:
      return "kill -9 of a node";
    case Fault::pause:
      return "pause of a node";
    case Fault::cut:
      return "node cut off";
    case Fault::kill_all:
      return "kill -9 of all nodes, recover";
    case Fault::kill_service:
      return "kill -9 of a service node";
  }
  return "";
}

std::string seconds(std::chrono::milliseconds time) {
  const auto tenths = (time.count() + 50) / 100;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " s";
}

std::vector<std::string> column(const sql::MySqlOptions& options, const char* query) {
  const auto session = sql::open_mysql_session(options, sql::MySqlRole::reader);
  std::vector<std::string> values;
  for (const sql::Row& row : session->query(sql::Sql::composed(query))) values.push_back(row.text(0));
  return values;
}

std::set<std::string> set_of(const sql::MySqlOptions& options, const char* query) {
  const auto values = column(options, query);
  return {values.begin(), values.end()};
}

class Outages {
 public:
  Outages() : nodes(galera().fresh_database()), load(nodes, "OUT") {
    BOOST_REQUIRE(eventually([&] { return load.last_answer() != Clock::time_point{}; }));
  }

  void suffer(Fault fault, Whom whom) {
    const int writer = galera().writer();
    const int node = whom == Whom::writer ? writer : writer % 3 + 1;
    const auto began = Clock::now();
    switch (fault) {
      case Fault::kill:
        galera().run("kill", node);
        break;
      case Fault::pause:
        galera().run("pause", node);
        break;
      case Fault::cut:
        galera().run("cut", node);
        break;
      case Fault::kill_all:
        galera().kill_all();
        break;
      case Fault::kill_service:
        nodes.b->kill();
        break;
    }
    if (fault != Fault::kill_all) await_work(began);
    const auto struck = Clock::now();
    switch (fault) {
      case Fault::kill:
        galera().run("start", node);
        break;
      case Fault::pause:
        galera().run("resume", node);
        break;
      case Fault::cut:
        galera().run("join", node);
        break;
      case Fault::kill_all:
        BOOST_TEST(eventually([&] { return readiness() == std::set<int>{503}; }),
                   "a node without a database still says that it is ready");
        galera().run("recover");
        await_work(Clock::now());
        BOOST_TEST(eventually([&] { return readiness() == std::set<int>{200}; }), "a node does not get ready again");
        break;
      case Fault::kill_service:
        nodes.b.emplace(nodes.folder_b);
        break;
    }
    const auto gap = load.longest_gap(began, fault == Fault::kill_all ? Clock::now() : struck);
    BOOST_TEST(eventually([] { return galera().is_whole(); }, std::chrono::seconds(60)),
               "the cluster is not whole again");
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
    std::cout << "  " << name_of(fault) << (whom == Whom::writer ? " (the writer)" : "")
              << ": longest time without a commit " << seconds(gap) << ", whole again after " << seconds(whole)
              << std::endl;
    ++suffered;
    recovered += fault == Fault::kill_all;
    worst[fault] = std::max(worst[fault], gap);
    slowest[fault] = std::max(slowest[fault], whole);
  }

  /// Stops the load and compares every promise with what is there.
  void check() {
    load.stop();
    const auto front = galera().front();
    BOOST_TEST(
        eventually(
            [&] {
              return column(front,
                            "SELECT id FROM disbursement_attempts WHERE state IN ('intent', 'submitting', 'unknown')")
                  .empty();
            },
            std::chrono::seconds(60)),
        "some attempts never ended");
    for (const auto& surprise : load.surprises()) BOOST_ERROR("a client got " << surprise);
    for (int node = 1; node <= 3; ++node) check_rows(galera().node(node));
    check_bank();
    check_replays();
    BOOST_TEST(column(front, "SELECT claim_id FROM reviews GROUP BY tenant, claim_id HAVING COUNT(*) > 1").empty());
    for (const char* book : {"ledger", "audit"}) {
      const auto verified = run_tideover({book, "verify", "--config", nodes.folder_a.config_file().string()});
      BOOST_TEST(verified.exit_code == 0, verified.out << verified.err);
    }
    BOOST_TEST(
        column(front,
               "SELECT transaction_id FROM ledger_entries GROUP BY tenant, transaction_id HAVING SUM(cents) <> 0")
            .empty());
  }

  TwoNodes nodes;
  Load load;
  std::size_t suffered = 0;
  std::size_t recovered = 0;
  std::map<Fault, std::chrono::milliseconds> worst;    // longest time without a commit
  std::map<Fault, std::chrono::milliseconds> slowest;  // until all nodes were there again
  std::size_t acknowledged = 0;

 private:
  /// Until clients are answered again, and a moment longer: the failed node must be noticed by everybody.
  void await_work(Clock::time_point since) {
    const auto steady = std::chrono::milliseconds(500);
    Clock::time_point first{};
    const bool works = eventually(
        [&] {
          if (!load.answered_since(since + std::chrono::milliseconds(500))) return false;
          if (first == Clock::time_point{}) first = Clock::now();
          return Clock::now() - first > steady;
        },
        std::chrono::seconds(60));
    BOOST_REQUIRE_MESSAGE(works, "no request was answered any more");
  }

  std::set<int> readiness() {
    std::set<int> statuses;
    for (const auto& service : {&nodes.a, &nodes.b})
      statuses.insert(ApiClient((*service)->ops_port()).get("/readyz").status);
    return statuses;
  }

  void check_rows(const sql::MySqlOptions& database) {
    const auto reviews = set_of(database, "SELECT authorization_id FROM reviews");
    const auto settlements = set_of(database, "SELECT id FROM settlements");
    const auto funded = set_of(database, "SELECT id FROM settlements WHERE status = 'funded'");
    acknowledged = 0;
    std::size_t lost = 0;
    for (const Promise& promise : load.promises()) {
      if (!promise.authorization.empty()) ++acknowledged, lost += !reviews.contains(promise.authorization);
      if (!promise.settlement.empty()) ++acknowledged, lost += !settlements.contains(promise.settlement);
      if (!promise.confirmation.empty()) ++acknowledged, lost += !funded.contains(promise.settlement);
    }
    BOOST_TEST(lost == 0u, lost << " acknowledged writes are not in " << database.host << ':' << database.port);
  }

  void check_bank() {
    std::map<std::string, int> paid;
    for (const auto& payment : nodes.bank.payments()) ++paid[payment.account];
    for (const auto& [account, times] : paid) BOOST_TEST(times == 1, "an account was paid " << times << " times");
    for (const Promise& promise : load.promises())
      if (!promise.confirmation.empty())
        BOOST_TEST(paid.contains(fault::fingerprint_of(promise.account)),
                   promise.settlement << " was confirmed and never paid");
    BOOST_TEST(column(galera().front(), "SELECT id FROM settlements WHERE status = 'funded'").size() == paid.size());
  }

  void check_replays() {
    const ApiClient other(nodes.port(1), nodes.token);
    std::size_t left = 100;
    for (const Promise& promise : load.promises()) {
      if (promise.confirmation.empty() || left-- == 0) continue;
      const auto again = other.post("/v1/settlements/" + promise.settlement + "/confirm", "",
                                    {{"Idempotency-Key", "c-" + promise.identifier}});
      BOOST_TEST(again.body == promise.confirmation);
      if (left == 0) return;
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(outages, *boost::unit_test::precondition(GaleraIsThere()))

BOOST_AUTO_TEST_CASE(nothing_acknowledged_is_lost_and_nothing_happens_twice) {
  galera();
  // Where no node can be cut off, one that hangs stands in for it: its peers cannot tell the two apart.
  const Fault cut = tests::GaleraCluster::can_be_cut() ? Fault::cut : Fault::pause;
  if (cut == Fault::pause) std::cout << "  no root: nodes are paused instead of cut off" << std::endl;
  const std::vector<std::pair<Fault, Whom>> round{{Fault::kill, Whom::writer},  {Fault::pause, Whom::writer},
                                                  {cut, Whom::writer},          {Fault::kill_service, Whom::another},
                                                  {Fault::kill, Whom::another}, {Fault::pause, Whom::another},
                                                  {cut, Whom::another},         {Fault::kill_all, Whom::writer},
                                                  {Fault::kill, Whom::writer},  {Fault::pause, Whom::writer},
                                                  {cut, Whom::writer},          {Fault::kill_service, Whom::another}};
  const std::size_t wanted = cases(12, 150);

  Outages outages;
  for (std::size_t i = 0; i < wanted; ++i)
    outages.suffer(round[i % round.size()].first, round[i % round.size()].second);
  outages.check();

  survived("R14", outages.suffered, wanted,
           "faults of database and service nodes under load (" + std::to_string(outages.acknowledged) +
               " acknowledged writes): 0 lost, 0 double");
  BOOST_TEST(outages.worst[Fault::kill].count() <= 4000);
  BOOST_TEST(outages.worst[Fault::pause].count() <= 3000);
  survived("R15", outages.suffered, wanted,
           "faults: longest time without a commit " + seconds(outages.worst[Fault::kill]) + " (kill), " +
               seconds(outages.worst[Fault::pause]) + " (pause), " + seconds(outages.worst[Fault::cut]) + " (cut off)");
  BOOST_TEST(outages.slowest[Fault::kill_all].count() <= 60'000);
  survived("R16", outages.recovered, cases(1, 10),
           "times all nodes killed and recovered, 0 lost: commits again after " +
               seconds(outages.worst[Fault::kill_all]) + ", all nodes there after " +
               seconds(outages.slowest[Fault::kill_all]));
}

BOOST_AUTO_TEST_SUITE_END()
