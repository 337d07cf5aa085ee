// Deposits, remittances, imports, changes of a funding and webhook deliveries: killed at every crash point and repeated
// as client and service do, each must leave exactly what it leaves undisturbed.
#include <boost/test/unit_test.hpp>

#include <iostream>
#include <map>
#include <set>

#include "core/crypto/primitives/encoding.hpp"
#include "tests/fault/driver/child.hpp"
#include "tests/fault/driver/invariants.hpp"
#include "tests/fault/figure.hpp"
#include "tests/fault/sweep/life.hpp"
#include "tests/fault/sweep/sites.hpp"
#include "tests/support/webhook_receiver/webhook_receiver.hpp"

using namespace tideover;
using namespace tideover::fault;

namespace {

constexpr long kMostPoints = 300;
/// In CI only every so many points are tried on MariaDB: the points are the same as on SQLite.
constexpr long kMariaDbStep = 3;
constexpr int kMostTries = 5;
constexpr std::int64_t kRetryMs = 3'600'000;  // behind every lease, within the life of a stored answer

/// Counts and sums of everything that these flows write.
using Traces = std::map<std::string, std::int64_t>;

Traces traces_of(const Site& site) {
  const auto database = open_past_the_store(site);
  const auto session = database->reader();
  Traces traces;
  const auto take = [&](const char* name, sql::Sql query) {
    for (const sql::Row& row : session->query(query)) traces[std::string(name) + ' ' + row.text(0)] = row.integer(1);
  };
  take("claims", "SELECT status, COUNT(*) FROM claims GROUP BY status");
  take("reviews", "SELECT 'all', COUNT(*) FROM reviews");
  take("deposits", "SELECT status, COUNT(*) FROM deposits GROUP BY status");
  take("matched cents", "SELECT 'all', CAST(COALESCE(SUM(matched_cents), 0) AS SIGNED) FROM deposits");
  take("remittances", "SELECT state, COUNT(*) FROM remittance_claims GROUP BY state");
  take("reconciliations", "SELECT final_status, COUNT(*) FROM reconciliation_records GROUP BY final_status");
  take("ledger", "SELECT cause_kind, COUNT(*) FROM ledger_transactions GROUP BY cause_kind");
  take("suspense",
       "SELECT account, CAST(SUM(cents) AS SIGNED) FROM ledger_entries WHERE account NOT LIKE '%:%' GROUP BY account");
  take("outbox", "SELECT kind, COUNT(*) FROM outbox GROUP BY kind");
  take("events", "SELECT kind, COUNT(*) FROM events GROUP BY kind");
  take("deliveries", "SELECT state, COUNT(*) FROM deliveries GROUP BY state");
  take("jobs", "SELECT status, COUNT(*) FROM import_jobs GROUP BY status");
  take("rows", "SELECT 'accepted', CAST(COALESCE(SUM(accepted_rows), 0) AS SIGNED) FROM import_jobs");
  take("faults", "SELECT 'all', COUNT(*) FROM import_faults");
  take("tasks", "SELECT kind, COUNT(*) FROM tasks GROUP BY kind");
  take("answers", "SELECT 'all', COUNT(*) FROM answers");
  take("audit", "SELECT outcome, COUNT(*) FROM audit_rows GROUP BY outcome");
  return traces;
}

Traces difference(const Traces& before, Traces after) {
  for (const auto& [name, value] : before) after[name] -= value;
  std::erase_if(after, [](const auto& trace) { return trace.second == 0; });
  return after;
}

std::string shown(const Traces& traces) {
  std::string text;
  for (const auto& [name, value] : traces) text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return text;
}

/// A request that a client repeats until it is answered.
struct Call {
  std::string path;
  std::string body;
  std::string key;
};

std::string day() {
  return format_date(kOpening.utc_date());
}

Call deposit_of(const std::string& trace) {
  return {
      "/v1/deposits",
      R"({"payer_id":"PAYER","amount":800.00,"received_date":")" + day() + R"(","trace_number":")" + trace + R"("})",
      "deposit-" + trace};
}

Call remittance_of(const std::string& trace, const std::string& claim) {
  return {"/v1/remittances",
          R"({"payer_id":"PAYER","trace_number":")" + trace + R"(","payment_date":")" + day() +
              R"(","payment_amount":800.00,"claims":[{"claim_identifier":")" + claim +
              R"(","status":"1","charge_amount":1000.00,"paid_amount":800.00}]})",
          "remittance-" + trace};
}

Call import_of(const std::string& name) {
  std::string rows = "claims\n";
  for (int i = 1; i <= 7; ++i) {
    const std::string claim = name + "-" + std::to_string(i);
    rows += i == 5 ? "!\n"
                   : "claim_identifier=" + claim + ";chart_identifier=CH-" + claim +
                         ";servicer_npi=1234567893;billing_npi=1234567893;patient_primary_payor_id=PAYER;submitted_"
                         "amount=1000.00\n";
  }
  return {"/v1/imports/claims", R"({"format":"lines","payload":")" + crypto::base64_encode(rows) + R"("})",
          "import-" + name};
}

struct Flow {
  std::string name;
  /// In a process of its own, before; its result goes to `context`.
  std::function<std::string(TestService&, const Advance&)> prepare;
  /// What is killed, and repeated by a later process until it comes to its end.
  std::function<std::string(TestService&, const Advance&)> context;
};

http::Response ask(TestService& service, const Call& call) {
  return service.call("POST", call.path, call.body, call.key);
}

std::string must(const http::Response& response) {
  if (response.status != 200) throw std::runtime_error("refused: " + response.body);
  return response.body;
}

std::vector<Flow> flows() {
  const auto fund = [](TestService& service, const Advance& advance) {
    return must(service.confirm(advance.settlement, "key-" + advance.settlement));
  };
  const auto deposit = [](TestService& service, const Advance& advance) {
    return must(ask(service, deposit_of("T" + advance.claim)));
  };
  const auto remittance = [](TestService& service, const Advance& advance) {
    return must(ask(service, remittance_of("T" + advance.claim, advance.claim)));
  };
  return {
      {"deposit",
       [=](TestService& service, const Advance& advance) {
         return fund(service, advance), remittance(service, advance);
       },
       deposit},
      {"remittance",
       [=](TestService& service, const Advance& advance) { return fund(service, advance), deposit(service, advance); },
       remittance},
      {"import", [](TestService&, const Advance&) { return std::string(); },
       [](TestService& service, const Advance& advance) {
         const std::string body = must(ask(service, import_of(advance.claim)));
         service.work_on_imports();
         return body;
       }},
      {"change of funding", [](TestService&, const Advance&) { return std::string(); },
       [](TestService& service, const Advance& advance) {
         return must(service.call("PATCH", "/v1/settlements/" + advance.settlement + "/funding",
                                  R"({"payout_account_token":"tok_other"})", "change-" + advance.settlement));
       }},
      {"webhook delivery", deposit,
       [](TestService& service, const Advance&) {
         service.deliver_events();
         return std::string();
       }},
  };
}

struct FlowTally {
  int runs = 0;
  int kills = 0;
};

FlowTally sweep(const Site& site, const Flow& flow, long step) {
  FlowTally tally;
  Supply supply(site);
  std::optional<Traces> undisturbed;
  bool killed = true;
  for (long point = 0; killed && point <= kMostPoints; point += point == 0 ? 1 : step) {
    const Advance advance = supply.next();
    run_in_child({}, [&] {
      TestService service(site, kOpening);
      service.deliver_events();
      (void)flow.prepare(service, advance);
      return std::string();
    });
    const Traces before = traces_of(site);
    std::string answer;
    domain::Timestamp now = kOpening;
    int tries = 0;
    for (bool done = false; !done && tries < kMostTries; ++tries, now = now.plus_ms(kRetryMs)) {
      Environment environment;
      if (tries == 0 && point > 0) environment["TIDEOVER_TEST_CRASH_AT"] = "*:" + std::to_string(point);
      const auto end = run_in_child(environment, [&] {
        TestService service(site, now);
        std::string said = flow.context(service, advance);
        // The answer that was given is the answer that is given again.
        if (!said.empty() && flow.context(service, advance) != said) said = "ANOTHER ANSWER: " + said;
        return said;
      });
      done = !end.killed;
      tally.kills += end.killed;
      answer = end.said;
    }
    killed = point == 0 || tries > 1;
    const Traces left = difference(before, traces_of(site));
    if (!undisturbed) undisturbed = left;
    ++tally.runs;
    BOOST_TEST(shown(left) == shown(*undisturbed), flow.name << " killed at point " << point << " left " << shown(left)
                                                             << " instead of " << shown(*undisturbed));
    BOOST_TEST(!answer.starts_with("ANOTHER ANSWER"), flow.name << " killed at point " << point << ": " << answer);
  }
  BOOST_TEST(!killed, flow.name << " was never left alone");
  return tally;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(flow_sweep)

BOOST_AUTO_TEST_CASE(a_killed_deposit_remittance_import_change_or_delivery_leaves_the_state_of_an_undisturbed_one) {
  test::WebhookReceiver receiver;
  std::string counted;
  int kills = 0;
  for (const Engine engine : engines()) {
    const FreshSite fresh(engine, "dedup");
    const long step = engine == Engine::sqlite || test::is_deep() ? 1 : kMariaDbStep;
    run_in_child({}, [&] {
      TestService service(fresh.site(), kOpening);
      service.settle_in();
      return must(service.call("POST", "/v1/webhooks/endpoints", R"({"url":")" + receiver.url() + R"("})"));
    });
    for (const auto& flow : flows()) {
      const auto tally = sweep(fresh.site(), flow, step);
      BOOST_TEST(tally.kills * step > 5, flow.name << " passes hardly any crash point");
      kills += tally.kills;
      counted += ", " + flow.name + ' ' + std::to_string(tally.kills);
    }
    fresh.verify();
    const auto database = open_past_the_store(fresh.site());
    Banks banks(fresh.site());
    for (const auto& broken : broken_books(*database->reader(), banks)) BOOST_ERROR(broken);
  }

  // At least once, and each time the same: F30.
  std::map<std::string, std::set<std::string>> bodies;
  for (const auto& request : receiver.requests()) bodies[request.headers.at("webhook-id")].insert(request.body);
  for (const auto& [id, seen] : bodies) BOOST_TEST(seen.size() == 1u, id << " was delivered with different bytes");
  const auto again = static_cast<long>(receiver.request_count()) - static_cast<long>(bodies.size());
  BOOST_TEST(again > 0, "no kill made a delivery happen again");
  std::cout << "R1  kill -9 at the crash points of the other flows (SQLite, MariaDB)" << counted << ": " << kills
            << " kills, each left what an undisturbed run leaves; " << bodies.size() << " events delivered, " << again
            << " of them again with the same id and bytes" << std::endl;
}

BOOST_AUTO_TEST_SUITE_END()
