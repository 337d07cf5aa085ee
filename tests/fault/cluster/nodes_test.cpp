// Two service nodes over one Galera cluster: names, the work of a node that died, what one node knows of the other's
// changes, and writers that meet on different database nodes.
#include <algorithm>
#include <barrier>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "core/store/committer/committer.hpp"
#include "core/store/integrity/commit_marks.hpp"
#include "core/store/schema.hpp"
#include "tests/fault/cluster/two_nodes.hpp"
#include "tests/fault/figure.hpp"
#include "tests/support/commit_proxy/commit_proxy.hpp"
#include "tests/support/service/api_connection.hpp"
#include "tests/support/webhook_receiver/webhook_receiver.hpp"
#include "tests/support/world/flow.hpp"

using namespace tideover;
using namespace tideover::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

std::string store_detail(std::uint16_t ops_port) {
  return ApiClient(ops_port).get("/readyz").json().text("/checks/store/detail");
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A committer whose sessions go to one node, or, like those of a service whose node failed, to the next one in turn.
std::unique_ptr<store::Committer> committer_on(std::vector<sql::MySqlOptions> places) {
  auto turn = std::make_shared<std::atomic<std::size_t>>(0);
  store::CommitterOptions options;
  options.lanes = 1;
  options.reconnect_time = 10s;
  options.new_witness = store::new_commit_witness;
  return std::make_unique<store::Committer>(
      [places = std::move(places), turn] {
        return sql::open_mysql_session(places[(*turn)++ % places.size()], sql::MySqlRole::writer);
      },
      options);
}

std::int64_t number(const sql::MySqlOptions& options, const char* query) {
  const auto session = sql::open_mysql_session(options, sql::MySqlRole::reader);
  return *session->first([](const sql::Row& row) { return row.integer(0); }, sql::Sql::composed(query));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nodes, *boost::unit_test::precondition(GaleraIsThere()))

BOOST_AUTO_TEST_CASE(a_second_process_of_one_name_does_not_start_and_a_dead_one_is_seen_and_replaced) {
  TwoNodes nodes(galera().fresh_database());
  BOOST_TEST(eventually([&] { return says(store_detail(nodes.a->ops_port()), "nodes: node-a, node-b"); }));
  BOOST_TEST(says(store_detail(nodes.a->ops_port()), "Synced, Primary, 3 nodes"));

  nodes.folder_b.set("node.name", "node-a");
  nodes.b->kill();
  try {
    ServiceProcess second(nodes.folder_b);
    BOOST_ERROR("two processes run as node-a");
  } catch (const std::runtime_error& problem) {
    BOOST_TEST(says(problem.what(), "Another process already runs as the node 'node-a'"), problem.what());
  }
  BOOST_TEST(eventually([&] { return says(store_detail(nodes.a->ops_port()), "silent since"); }, 20s));

  // Its own next process need not wait for the lease: this machine knows that the last one is gone.
  nodes.folder_b.set("node.name", "node-b");
  nodes.b.emplace(nodes.folder_b);
  nodes.b->kill();
  const auto killed = Clock::now();
  nodes.b.emplace(nodes.folder_b);
  BOOST_TEST((Clock::now() - killed < 5s));
}

BOOST_AUTO_TEST_CASE(a_client_disabled_at_one_node_is_out_at_the_other_within_five_seconds) {
  TwoNodes nodes(galera().fresh_database());
  const Credentials client = nodes.folder_a.create_client({"--tenant", "leaving", "--role", "admin"});
  const ApiClient at_a(nodes.port(0), client);
  const ApiClient at_b(nodes.port(1), at_a.token());
  for (const ApiClient* api : {&at_a, &at_b}) BOOST_TEST(api->get("/v1/metadata/payers").status == 200);

  const auto disabled = Clock::now();
  BOOST_TEST(
      run_tideover({"client", "disable", "--config", nodes.folder_a.config_file().string(), client.id}).exit_code == 0);
  for (const ApiClient* api : {&at_a, &at_b})
    BOOST_TEST(eventually([&] { return api->get("/v1/metadata/payers").status == 401; }, 10s));
  const auto took = Clock::now() - disabled;
  BOOST_TEST((took < 6s), "the last token worked for "
                              << std::chrono::duration_cast<std::chrono::milliseconds>(took).count() << " ms");
}

BOOST_AUTO_TEST_CASE(events_of_two_nodes_have_no_gaps_and_outlive_the_node_that_published_them) {
  constexpr int kAdvances = 60;
  TwoNodes nodes(galera().fresh_database());  // first: the cluster may move this program into another network
  WebhookReceiver receiver;
  const Credentials client = nodes.folder_a.create_client({"--tenant", "events", "--role", "admin"});
  const std::string token = ApiClient(nodes.port(0), client).token();
  expect_ok(ApiClient(nodes.port(0), token)
                .post("/v1/webhooks/endpoints",
                      R"({"url":)" + quoted(receiver.url()) +
                          R"(,"events":["review.completed","adjudication.created","settlement.funded"]})"));

  for (int i = 0; i < kAdvances; ++i) {
    if (i == kAdvances / 2) nodes.b->kill();
    const int node = i < kAdvances / 2 ? i % 2 : 0;
    fund(ApiClient(nodes.port(node), token), "EVENT-" + std::to_string(i), "FAULT");
  }
  const auto promised = static_cast<std::size_t>(
      number(galera().front(),
             "SELECT (SELECT COUNT(*) FROM outbox o JOIN tenants t ON t.id = o.tenant WHERE t.name = 'events') + "
             "(SELECT COUNT(*) FROM events e JOIN tenants t ON t.id = e.tenant WHERE t.name = 'events')"));
  std::map<std::int64_t, std::map<std::string, int>> seen;  // sequence, body, times
  BOOST_TEST(eventually(
      [&] {
        seen.clear();
        for (const auto& request : receiver.requests())
          ++seen[std::stoll(text_of(Json(request.body).at("/sequence")))][request.body];
        return seen.size() >= promised;
      },
      60s));
  BOOST_TEST(seen.size() == promised);
  std::int64_t expected = 0;
  int again = 0;
  for (const auto& [sequence, bodies] : seen) {
    BOOST_TEST(sequence == ++expected);
    BOOST_TEST(bodies.size() == 1u);
    again += bodies.begin()->second - 1;
  }
  std::cout << "  " << promised << " events of two nodes, one killed: no gap, 0 lost, " << again << " sent again"
            << std::endl;
}

BOOST_AUTO_TEST_CASE(an_import_goes_on_at_the_other_node_when_its_own_dies) {
  constexpr int kRows = 800;
  TwoNodes nodes(galera().fresh_database(), [](ServiceFolder& folder_a, ServiceFolder& folder_b) {
    for (ServiceFolder* folder : {&folder_a, &folder_b}) folder->set("imports.lease_seconds", "2");
    folder_a.set("imports.poll_ms", "3000");  // so that the other one is first
  });
  const ApiClient at_a(nodes.port(0), nodes.token);
  std::string file;
  for (int row = 0; row < kRows; ++row) file += claim_body("IMPORT-" + std::to_string(row)) + '\n';
  const std::string job = expect_ok(at_a.post("/v1/imports/claims", file_body("ndjson", file))).text("/job_id");
  const auto accepted = [&] { return expect_ok(at_a.get("/v1/imports/claims/" + job)).integer("/accepted_rows"); };
  BOOST_TEST(eventually([&] { return accepted() > 0; }, 60s));
  nodes.b->kill();
  const auto at_kill = accepted();
  BOOST_TEST(at_kill < kRows, "the import was done before the node died");
  BOOST_TEST(eventually([&] { return expect_ok(at_a.get("/v1/imports/claims/" + job)).text("/status") == "succeeded"; },
                        120s));
  BOOST_TEST(accepted() == kRows);
  BOOST_TEST(expect_ok(at_a.get("/v1/imports/claims/" + job)).integer("/duplicate_rows") == 0);
  BOOST_TEST(number(galera().front(), "SELECT COUNT(*) FROM claims") == kRows);
  std::cout << "  an import of " << kRows << " rows whose node died after " << at_kill << ": each row once"
            << std::endl;
}

BOOST_AUTO_TEST_CASE(a_confirm_left_by_a_dead_node_is_finished_by_the_other) {
  const std::vector<std::string> points{
      "confirm.received",         "disburse.claim.before",      "disburse.claim.booked",
      "disburse.claim.committed", "disburse.submitting.before", "disburse.submitting.committed",
      "rail.submit.before",       "rail.submit.answered",       "disburse.result.before",
      "disburse.result.booked",   "disburse.result.committed",  "confirm.answering"};
  TwoNodes nodes(galera().fresh_database());
  const ApiClient at_a(nodes.port(0), nodes.token);
  std::map<std::string, std::string> settlements;  // by point
  std::size_t killed = 0;
  for (const std::string& point : points) {
    settlements[point] = advance(at_a, "DYING-" + point, "FAULT", "tok_" + point);
    nodes.b->kill();
    nodes.b.emplace(nodes.folder_b, std::map<std::string, std::string>{{"TIDEOVER_TEST_CRASH_AT", point}});
    const Answer answer =
        ApiClient(nodes.port(1), nodes.token)
            .post_nothing("/v1/settlements/" + settlements[point] + "/confirm", {{"Idempotency-Key", "k-" + point}});
    BOOST_TEST(answer.status == 0, point << ": " << answer.body);
    killed += eventually([&] { return !nodes.b->is_running(); });
  }
  std::map<std::string, int> paid;
  for (const auto& [point, settlement] : settlements) {
    Answer answer;
    BOOST_TEST(eventually(
                   [&] {
                     answer = at_a.post_nothing("/v1/settlements/" + settlement + "/confirm",
                                                {{"Idempotency-Key", "k-" + point}});
                     return answer.status == 200;
                   },
                   60s),
               point << ": " << answer.status << ' ' << answer.body);
  }
  for (const auto& payment : nodes.bank.payments()) ++paid[payment.account];
  for (const std::string& point : points)
    BOOST_TEST(paid[fault::fingerprint_of("tok_" + point)] == 1,
               point << ": " << paid[fault::fingerprint_of("tok_" + point)] << " payments");
  BOOST_TEST(killed == points.size());
  std::cout << "  " << killed
            << " kills of a node at the points of a confirm over Galera, finished by the other node: 1 payment each"
            << std::endl;
}

BOOST_AUTO_TEST_CASE(writers_on_all_three_database_nodes_lose_no_update) {
  constexpr int kWriters = 32;
  constexpr int kUpdates = 5;
  const auto setup = sql::open_mysql_session(galera().fresh_database(), sql::MySqlRole::writer);
  sql::migrate(*setup, store::schema());
  setup->execute("CREATE TABLE IF NOT EXISTS meeting_place (id INT PRIMARY KEY, total BIGINT NOT NULL)");
  setup->run("INSERT INTO meeting_place (id, total) VALUES (1, 0)");
  std::vector<std::unique_ptr<store::Committer>> committers;
  for (int node = 1; node <= 3; ++node) committers.push_back(committer_on({galera().node(node)}));

  std::atomic<int> committed = 0;
  std::barrier start(kWriters);
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < kWriters; ++writer)
    writers.emplace_back([&, writer] {
      start.arrive_and_wait();
      for (int update = 0; update < kUpdates; ++update) {
        // Compare and set, the shape of every change of money: "1 row" is no go-ahead before COMMIT said so.
        const auto report = committers[static_cast<std::size_t>(writer) % 3]->commit([](sql::Session& session) {
          const auto total = session.first([](const sql::Row& row) { return row.integer(0); },
                                           "SELECT total FROM meeting_place WHERE id = 1");
          const auto changed =
              session.run("UPDATE meeting_place SET total = ? WHERE id = 1 AND total = ?", *total + 1, *total);
          return changed == 1 ? store::UnitVerdict::keep : store::UnitVerdict::discard;
        });
        if (report.committed()) ++committed;
      }
    });
  writers.clear();
  std::uint64_t retries = 0;
  for (const auto& committer : committers) retries += committer->stats().retries;
  BOOST_TEST(committed > 0);
  BOOST_TEST(number(galera().front(), "SELECT total FROM meeting_place WHERE id = 1") == committed);
  std::cout << "  " << committed << " of " << kWriters * kUpdates
            << " updates of one row from three database nodes: 0 lost, " << retries << " batches run again"
            << std::endl;
}

// A node applies what the others acknowledged a moment later, and behind a failure the sessions of one service may be
// on two of them.
BOOST_AUTO_TEST_CASE(a_row_acknowledged_by_one_database_node_is_visible_at_every_other) {
  constexpr int kRounds = 500;
  const auto setup = sql::open_mysql_session(galera().fresh_database(), sql::MySqlRole::writer);
  sql::migrate(*setup, store::schema());
  setup->execute("CREATE TABLE promises (id INT PRIMARY KEY, bytes VARBINARY(4096) NOT NULL)");
  const auto first = committer_on({galera().node(1)});
  const auto second = committer_on({galera().node(2)});
  const auto reader = sql::open_mysql_session(galera().node(3), sql::MySqlRole::reader);
  const std::vector<std::uint8_t> bytes(4096);
  int denied = 0;
  int unread = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto count = [&](sql::Session& session) {
      return session.first([](const sql::Row& row) { return row.integer(0); },
                           "SELECT COUNT(*) FROM promises WHERE id = ?", round);
    };
    const auto promised = first->commit([&](sql::Session& session) {
      session.run("INSERT INTO promises (id, bytes) VALUES (?, ?)", round, sql::BlobView(bytes));
      return store::UnitVerdict::keep;
    });
    BOOST_REQUIRE(promised.committed());
    denied += !second
                   ->commit([&](sql::Session& session) {
                     return count(session) == 1 ? store::UnitVerdict::keep : store::UnitVerdict::discard;
                   })
                   .committed();
    reader->begin();
    unread += count(*reader) != 1;
    reader->commit();
  }
  BOOST_TEST(denied == 0);
  BOOST_TEST(unread == 0);
  std::cout << "  " << kRounds << " rows written through one database node: " << denied
            << " times denied by a writer of the next, " << unread << " times by a reader of the third" << std::endl;
}

// MariaDB 10.11 says in its next answer that it gave a transaction up for another node's; some commands have no answer.
BOOST_AUTO_TEST_CASE(a_transaction_given_up_for_another_nodes_leaves_nothing) {
  constexpr int kSteps = 6;
  constexpr int kPlaces = 4;
  const auto setup = sql::open_mysql_session(galera().fresh_database(), sql::MySqlRole::writer);
  setup->execute("CREATE TABLE meeting_places (id INT PRIMARY KEY, visits BIGINT NOT NULL)");
  setup->execute(
      "CREATE TABLE steps (id BIGINT PRIMARY KEY AUTO_INCREMENT, visitor BIGINT NOT NULL, bytes VARBINARY(32) NOT "
      "NULL)");
  for (int place = 0; place < kPlaces; ++place)
    setup->run("INSERT INTO meeting_places (id, visits) VALUES (?, 0)", place);

  std::atomic<std::int64_t> next_visitor = 0;
  std::atomic<std::uint64_t> given_up = 0;
  std::mutex mutex;
  std::set<std::int64_t> acknowledged;
  std::vector<std::jthread> lanes;
  const auto end = Clock::now() + (is_deep() ? 120s : 15s);
  for (int lane = 0; lane < 4; ++lane)
    lanes.emplace_back([&, lane] {
      const auto session = sql::open_mysql_session(galera().node(lane % 2 + 1), sql::MySqlRole::writer);
      while (Clock::now() < end) {
        const std::int64_t visitor = ++next_visitor;
        const std::vector<std::uint8_t> bytes(32, static_cast<std::uint8_t>(visitor));
        try {
          session->begin();
          for (int step = 0; step < kSteps; ++step) {
            const auto place = (visitor * 7 + step) % kPlaces;
            if (step == 1 || step == 4)
              session->run("UPDATE meeting_places SET visits = visits + 1 WHERE id = ?", place);
            if (step == 3)
              session->first([](const sql::Row& row) { return row.integer(0); },
                             "SELECT visits FROM meeting_places WHERE id = ?", place);
            session->run("INSERT INTO steps (visitor, bytes) VALUES (?, ?)", visitor, sql::BlobView(bytes));
          }
          session->commit();
          const std::lock_guard guard(mutex);
          acknowledged.insert(visitor);
        } catch (const sql::SqlError& error) {
          if (error.kind != sql::SqlError::Kind::conflict) throw;
          ++given_up;
          session->rollback();
        }
      }
    });
  lanes.clear();
  std::set<std::int64_t> whole;
  const auto reader = sql::open_mysql_session(galera().front(), sql::MySqlRole::reader);
  for (const sql::Row& row :
       reader->query("SELECT visitor, COUNT(*), SUM(OCTET_LENGTH(bytes)) FROM steps GROUP BY visitor")) {
    BOOST_TEST((row.integer(1) == kSteps && row.integer(2) == kSteps * 32),
               "visitor " << row.integer(0)
                          << (acknowledged.contains(row.integer(0)) ? ", acknowledged," : ", refused,") << " left "
                          << row.integer(1) << " rows with " << row.integer(2) << " bytes");
    whole.insert(row.integer(0));
  }
  BOOST_TEST((whole == acknowledged),
             whole.size() << " transactions are there, " << acknowledged.size() << " were acknowledged");
  BOOST_TEST(given_up > 1000u);
  std::cout << "  " << acknowledged.size() << " transactions on two database nodes, " << given_up
            << " more given up for another node's: each whole or not there" << std::endl;
}

BOOST_AUTO_TEST_CASE(a_commit_that_hangs_on_one_node_is_shut_out_before_its_batch_runs_again_on_another) {
  using Fault = tests::CommitProxy::Fault;
  const auto setup = sql::open_mysql_session(galera().fresh_database(), sql::MySqlRole::writer);
  sql::migrate(*setup, store::schema());
  setup->execute("CREATE TABLE IF NOT EXISTS late_comers (id INT PRIMARY KEY AUTO_INCREMENT, unit INT NOT NULL)");
  tests::CommitProxy proxy(galera().node(1).host, galera().node(1).port);
  sql::MySqlOptions first = galera().node(1);
  first.host = "127.0.0.1";
  first.port = proxy.port();
  first.read_timeout_s = 1;

  for (int unit = 1; unit <= 3; ++unit) {
    const auto committer = committer_on({first, galera().node(2)});
    proxy.arm(Fault::hold_commit);
    int runs = 0;
    const auto report = committer->commit([&](sql::Session& session) {
      ++runs;
      session.run("INSERT INTO late_comers (unit) VALUES (?)", unit);  // no unique value would stop a second one
      return store::UnitVerdict::keep;
    });
    BOOST_TEST(report.committed(), report.message);
    BOOST_TEST(runs == 2);
    // Only now the first node hears COMMIT; it is too late.
    const std::string answer = proxy.release();
    BOOST_REQUIRE(answer.size() > 4u);
    BOOST_TEST(static_cast<unsigned char>(answer[4]) == 0xffu, "the first node committed as well");
  }
  BOOST_TEST(number(galera().front(), "SELECT COUNT(*) FROM late_comers") == 3);
  BOOST_TEST(number(galera().front(), "SELECT COUNT(DISTINCT unit) FROM late_comers") == 3);
}

BOOST_AUTO_TEST_SUITE_END()
