// Changing the rules of a running service.
#include <unistd.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <sstream>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

struct RulesWorld {
  RulesWorld()
      : world(Store::sqlite, [this](ServiceFolder& folder) {
          rules = folder.copy_rules();
          tables = folder.path() / "tables";
          fs::create_directory(tables);
          folder.set("rules.operator_tenant", "default");
          folder.set("rules.tables_folder", tables.string());
        }) {}

  /// Replaces a text in a rule file, wherever it stands.
  void edit(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = read_file(rules / file);
    std::size_t at = text.find(from);
    BOOST_REQUIRE(at != std::string::npos);
    for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    save_file(rules / file, text);
  }
  /// Half of the expected payment instead of 80 %, together with the cases that say so.
  void lower_the_share() const {
    edit("cases/terms_standard.lua", "advance_percentage = 0.80", "advance_percentage = 0.50");
    edit("params.lua", "advance_percentage = { value = 0.80", "advance_percentage = { value = 0.50");
  }
  std::int64_t advance_of_a_new_claim() {
    const std::string identifier = "CLM-" + std::to_string(++claims);
    const Json review = expect_ok(world.api->post("/v1/claims/reviews", claim_body(identifier)));
    const Json terms =
        expect_ok(world.api->post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
    return terms.cents("/terms/advance_amount");
  }
  CommandResult command(std::vector<std::string> words) const {
    words.insert(words.begin(), "rules");
    words.insert(words.end(), {"--config", world.folder.config_file().string()});
    return run_tideover(words);
  }
  /// What `rules status` says of the live rules.
  std::string live() const {
    const auto status = command({"status"});
    BOOST_TEST(status.exit_code == 0, status.err);
    return status.out.substr(0, status.out.find('\n'));
  }
  std::string readiness() const { return ApiClient(world.service->ops_port()).get("/readyz").body; }

  fs::path rules, tables;
  World world;
  int claims = 0;
};

BOOST_AUTO_TEST_SUITE(rules)

BOOST_FIXTURE_TEST_CASE(a_saved_parameter_is_used_by_the_next_adjudication, RulesWorld) {
  BOOST_TEST(advance_of_a_new_claim() == 64000);
  lower_the_share();
  BOOST_TEST(eventually([&] { return advance_of_a_new_claim() == 40000; }));
}

BOOST_FIXTURE_TEST_CASE(a_saved_rule_is_used_by_the_next_review, RulesWorld) {
  const auto review = [&] {
    return expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-LONGER-THAN-PAYERS-KEEP")));
  };
  const Json before = review();
  BOOST_TEST(before.text("/warnings/0/rule") == "denial.claim_identifier_long");
  BOOST_TEST(before.number("/warnings/0/probability") == 0.01);
  edit("denial/claim_identifier_long.lua", "weight = 0.01", "weight = 0.03");
  BOOST_TEST(eventually([&] { return review().number("/warnings/0/probability") == 0.03; }));
  BOOST_TEST(review().text("/model/rules_sha256") != before.text("/model/rules_sha256"));
}

BOOST_FIXTURE_TEST_CASE(after_a_syntax_error_the_last_good_rules_serve, RulesWorld) {
  edit("denial/zero_charge.lua", "return {", "return {{");
  BOOST_TEST(eventually([&] { return readiness().find("zero_charge.lua:") != std::string::npos; }), readiness());
  BOOST_TEST(advance_of_a_new_claim() == 64000);
  BOOST_TEST(ApiClient(world.service->ops_port()).get("/readyz").status == 200);

  edit("denial/zero_charge.lua", "return {{", "return {");
  lower_the_share();
  BOOST_TEST(eventually([&] { return advance_of_a_new_claim() == 40000; }));
  BOOST_TEST(readiness().find("zero_charge.lua:") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_error_that_is_taken_back_leaves_no_trace_and_counts_as_no_reload, RulesWorld) {
  const std::string before = readiness();
  edit("denial/zero_charge.lua", "return {", "return {{");
  BOOST_TEST(eventually([&] { return readiness().find("zero_charge.lua:") != std::string::npos; }), readiness());
  const auto scrape = [&] { return ApiClient(world.service->ops_port()).get("/metrics").body; };
  BOOST_TEST(scrape().find("tideover_rules_stale 1\n") != std::string::npos);
  edit("denial/zero_charge.lua", "return {{", "return {");
  BOOST_TEST(eventually([&] { return readiness() == before; }), readiness());
  const std::string metrics = scrape();
  BOOST_TEST(metrics.find("tideover_rules_stale 0\n") != std::string::npos, metrics);
  BOOST_TEST(metrics.find("tideover_rules_reloads_total{result=\"failed\"} 1\n") != std::string::npos, metrics);
  BOOST_TEST(metrics.find("tideover_rules_reloads_total{result=\"ok\"} 0\n") != std::string::npos, metrics);
}

BOOST_FIXTURE_TEST_CASE(a_rollback_is_immediate_and_holds_against_the_folder_until_a_promotion, RulesWorld) {
  lower_the_share();
  BOOST_TEST(eventually([&] { return advance_of_a_new_claim() == 40000; }));
  const auto back = command({"rollback", "--reason", "too careful"});
  BOOST_TEST(back.exit_code == 0, back.err);
  BOOST_TEST(advance_of_a_new_claim() == 64000);  // with the answer of the command, not some time after it
  BOOST_TEST(readiness().find("pinned by a rollback") != std::string::npos, readiness());

  edit("denial/claim_identifier_long.lua", "weight = 0.01", "weight = 0.03");
  BOOST_TEST(eventually([&] { return readiness().find("removes the pin") != std::string::npos; }), readiness());
  BOOST_TEST(advance_of_a_new_claim() == 64000);
  const auto promoted = command({"promote"});
  BOOST_TEST(promoted.exit_code == 0, promoted.err);
  BOOST_TEST(advance_of_a_new_claim() == 40000);
  BOOST_TEST(readiness().find("pinned") == std::string::npos, readiness());

  const auto history = command({"history"}).out;
  BOOST_TEST(history.find("rolled_back") < history.find(": too careful"));
  BOOST_TEST(history.find("promoted") < history.find("rolled_back"));
}

BOOST_FIXTURE_TEST_CASE(the_last_good_rules_outlive_a_restart_with_a_broken_folder, RulesWorld) {
  lower_the_share();
  BOOST_TEST(eventually([&] { return advance_of_a_new_claim() == 40000; }));
  edit("denial/zero_charge.lua", "return {", "return {{");
  world.restart();
  BOOST_TEST(advance_of_a_new_claim() == 40000);
  BOOST_TEST(eventually([&] { return readiness().find("zero_charge.lua:") != std::string::npos; }), readiness());
  edit("denial/zero_charge.lua", "return {{", "return {");
  BOOST_TEST(eventually([&] { return readiness().find("zero_charge.lua:") == std::string::npos; }), readiness());
}

BOOST_FIXTURE_TEST_CASE(a_restart_does_not_undo_a_rollback, RulesWorld) {
  lower_the_share();
  BOOST_TEST(eventually([&] { return advance_of_a_new_claim() == 40000; }));
  BOOST_TEST(command({"rollback"}).exit_code == 0);
  world.restart();
  BOOST_TEST(advance_of_a_new_claim() == 64000);
  BOOST_TEST(eventually([&] { return readiness().find("the folder has other rules") != std::string::npos; }),
             readiness());
  BOOST_TEST(advance_of_a_new_claim() == 64000);
}

BOOST_FIXTURE_TEST_CASE(files_saved_while_no_service_runs_are_loaded_at_the_next_start, RulesWorld) {
  const auto before = live();
  lower_the_share();
  world.restart();
  BOOST_TEST(eventually([&] { return advance_of_a_new_claim() == 40000; }));
  BOOST_TEST(live() != before);
}

BOOST_FIXTURE_TEST_CASE(a_backtest_reports_the_effect_of_a_folder_and_refuses_a_regression, RulesWorld) {
  for (int i = 0; i < 3; ++i) BOOST_TEST(advance_of_a_new_claim() == 64000);
  const auto copy = world.folder.path() / "copy";
  fs::copy(rules, copy, fs::copy_options::recursive);
  const auto replace = [&](const char* file, const std::string& from, const std::string& to) {
    std::string text = read_file(copy / file);
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    save_file(copy / file, text);
  };
  replace("cases/terms_standard.lua", "advance_percentage = 0.80", "advance_percentage = 0.50");
  replace("params.lua", "advance_percentage = { value = 0.80", "advance_percentage = { value = 0.50");
  CommandResult plain;
  BOOST_TEST(eventually([&] {  // the service files a review within seconds
               plain = command({"backtest", "--folder", copy.string()});
               return plain.out.find("3 reviews of 3 claims, 0 answered by their payers") != std::string::npos;
             }),
             plain.out);
  BOOST_TEST(plain.exit_code == 0, plain.err);
  BOOST_TEST(plain.out.find("advanced                            1920.00          1200.00          -720.00") !=
                 std::string::npos,
             plain.out);
  const auto refused = command({"backtest", "--folder", copy.string(), "--max-advance-drop", "700.00"});
  BOOST_TEST(refused.exit_code == 3);
  BOOST_TEST(refused.err.find("Regression: The advances fall by 720.00; --max-advance-drop allows 700.00.") !=
                 std::string::npos,
             refused.err);
  BOOST_TEST(command({"backtest", "--folder", copy.string(), "--max-advance-drop", "720.00"}).exit_code == 0);
  BOOST_TEST(
      command({"backtest", "--from", "yesterday"}).err.find("--from 'yesterday' is not a date such as 2026-01-31") !=
      std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_backtest_reports_the_precision_of_a_rule_and_its_findings_before_and_after, RulesWorld) {
  std::string late = claim_body("LATE");
  late.replace(late.find(day(-5)), 10, "2020-01-02");
  expect_ok(world.api->post("/v1/claims/reviews", late));
  expect_ok(world.api->post(
      "/v1/remittances",
      R"({"payer_id":"SAMPLE-80","trace_number":"T-1","payment_date":")" + day(0) +
          R"(","payment_amount":0,"claims":[{"claim_identifier":"LATE","status":"4","charge_amount":1000.00,)"
          R"("paid_amount":0,)"
          R"("date_of_service":"2020-01-02","adjustments":[{"group":"CO","code":"29","amount":1000.00}]}]})"));
  CommandResult backtest;
  BOOST_TEST(eventually([&] {
               backtest = command({"backtest"});
               return backtest.out.find("1 reviews of 1 claims, 1 answered by their payers, 1 of these denied") !=
                      std::string::npos;
             }),
             backtest.out);
  std::vector<std::string> words;
  std::istringstream in(backtest.out.substr(backtest.out.find("denial.timely_filing ")));
  for (std::string word; words.size() < 8 && in >> word;) words.push_back(word);
  const std::vector<std::string> expected{
      "denial.timely_filing", "1", "1", "100.0%", "100.0%", "100.0%", "100.0%", "1000.00"};
  BOOST_TEST(words == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(without_a_service_a_backtest_covers_claims_taken_in_by_command, RulesWorld) {
  advance_of_a_new_claim();
  world.service->ask_to_stop();
  BOOST_TEST(world.service->wait_for_end() == 0);
  save_file(world.folder.path() / "claims.ndjson", claim_body("FILE-1") + '\n' + claim_body("FILE-2") + '\n');
  const auto imported = run_tideover(
      {"import", (world.folder.path() / "claims.ndjson").string(), "--config", world.folder.config_file().string()});
  BOOST_TEST(imported.exit_code == 0, imported.err);
  const auto backtest = command({"backtest"});
  BOOST_TEST(backtest.exit_code == 0, backtest.err);
  BOOST_TEST(backtest.out.find("3 reviews of 3 claims, 0 answered by their payers") != std::string::npos, backtest.out);
}

BOOST_FIXTURE_TEST_CASE(a_rule_that_fails_too_often_goes_into_shadow_mode_until_its_file_is_corrected, RulesWorld) {
  const ApiClient& api = *world.api;
  const auto mode = [&] { return expect_ok(world.api->get("/v1/rules/denial.zero_charge")).text("/mode"); };
  const auto review = [&] {
    return expect_ok(world.api->post("/v1/claims/reviews", claim_body("FAIL-" + std::to_string(++claims))));
  };
  const std::string sound = "return claim.amount_cents == 0";
  const std::string failing = "if claim.claim_identifier:sub(1, 5) == 'FAIL-' then return {} + 1 end\n    " + sound;
  edit("denial/zero_charge.lua", sound, failing);
  BOOST_TEST(eventually([&] { return review().has("/rule_faults/0"); }));
  BOOST_TEST(mode() == "live");
  for (int i = 0; i < 5; ++i) review();
  BOOST_TEST(eventually([&] { return mode() == "shadow"; }));
  BOOST_TEST(!review().has("/rule_faults/0"));

  const std::string problem = "denial.zero_charge failed on 6 of 6 calls; it is in shadow mode";
  BOOST_TEST(eventually([&] { return readiness().find(problem) != std::string::npos; }), readiness());
  BOOST_TEST(command({"status"}).out.find(problem) != std::string::npos, command({"status"}).out);
  BOOST_TEST(ApiClient(world.service->ops_port()).get("/metrics").body.find("tideover_rules_failing_total 1\n") !=
             std::string::npos);
  const Json tasks = expect_ok(api.get("/v1/tasks?status=open&kind=rule_failing"));
  BOOST_REQUIRE(tasks.size("/data") == 1u);
  BOOST_TEST(tasks.text("/data/0/object_id") == "denial.zero_charge");
  expect_ok(api.post("/v1/tasks/" + tasks.text("/data/0/task_id") + "/decide",
                     R"({"decision":"resolved","reason":"corrected"})"));

  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  world.start();
  BOOST_TEST(mode() == "shadow");
  BOOST_TEST(eventually([&] { return readiness().find(problem) != std::string::npos; }), readiness());

  // New text: rules that were live before do not replace the live ones at the first look of a start.
  edit("denial/zero_charge.lua", failing, sound + "  -- corrected");
  BOOST_TEST(eventually([&] { return mode() == "live"; }));
  BOOST_TEST(readiness().find(problem) == std::string::npos, readiness());
}

BOOST_FIXTURE_TEST_CASE(a_client_shadows_a_rule_brings_it_into_force_and_goes_back, RulesWorld) {
  const ApiClient& api = *world.api;
  const auto mode = [&] { return expect_ok(api.get("/v1/rules/denial.zero_charge")).text("/mode"); };
  const Json filed = expect_ok(api.post("/v1/rules/shadow", R"({"rule_id":"denial.zero_charge"})"));
  BOOST_TEST(filed.text("/state") == "tested");
  BOOST_TEST(filed.text("/filed_by") == "client " + world.client.id);
  BOOST_TEST(mode() == "live");
  const auto bundle = filed.text("/sha256");
  const auto before = expect_ok(api.get("/v1/rules")).text("/rules_sha256");

  const std::string promotion = R"({"bundle":")" + bundle.substr(0, 12) + R"(","reason":"too many"})";
  const Answer promoted = api.post("/v1/rules/promote", promotion, {{"Idempotency-Key", "p-1"}});
  BOOST_TEST(expect_ok(promoted).text("/rules_sha256") == bundle);
  BOOST_TEST(promoted.json().text("/previous_sha256") == before);
  BOOST_TEST(eventually([&] { return mode() == "shadow"; }));
  BOOST_TEST(expect_ok(api.post("/v1/claims/reviews", claim_body("CLM-1"))).text("/model/rules_sha256") == bundle);
  const Answer again = api.post("/v1/rules/promote", promotion, {{"Idempotency-Key", "p-1"}});
  BOOST_TEST(again.body == promoted.body);
  expect_error(api.post("/v1/rules/promote", promotion), 409, "invalid_state");
  expect_error(api.post("/v1/rules/shadow", R"({"rule_id":"denial.zero_charge"})"), 409, "invalid_state");

  BOOST_TEST(expect_ok(api.post("/v1/rules/rollback", "{}")).flag("/pinned"));
  BOOST_TEST(eventually([&] { return mode() == "live"; }));
  BOOST_TEST(expect_ok(api.get("/v1/rules")).text("/rules_sha256") == before);
  expect_error(api.post("/v1/rules/rollback", "{}"), 409, "invalid_state");
  const auto history = command({"history"}).out;
  BOOST_TEST(history.find("promoted     by client " + world.client.id + ": too many") != std::string::npos, history);

  // The bundles, page by page.
  const Json page = expect_ok(api.get("/v1/rules/bundles?limit=1"));
  BOOST_TEST(page.flag("/has_more"));
  const Json rest = expect_ok(api.get("/v1/rules/bundles?limit=1&cursor=" + page.text("/next_cursor")));
  BOOST_TEST(!rest.flag("/has_more"));
  BOOST_TEST(rest.text("/data/0/sha256") != page.text("/data/0/sha256"));
  expect_error(api.get("/v1/rules/bundles?cursor=nonsense"), 400, "invalid_cursor");

  expect_error(api.post("/v1/rules/shadow", R"({"rule_id":"denial.nothing"})"), 404, "not_found");
  expect_error(api.post("/v1/rules/promote", R"({"bundle":"0123456789"})"), 404, "not_found");
  expect_error(api.post("/v1/rules/promote", R"({"bundle":"0"})"), 400, "validation_error");
  const ApiClient reader(world.service->port(), world.folder.create_client({"--role", "auditor"}));
  expect_error(reader.post("/v1/rules/promote", promotion), 403, "insufficient_scope");
}

BOOST_FIXTURE_TEST_CASE(a_new_table_does_not_replace_a_promoted_bundle, RulesWorld) {
  const auto live_sha256 = [&] { return expect_ok(world.api->get("/v1/rules")).text("/rules_sha256"); };
  const auto first = live_sha256();
  save_file(tables / "mue@2026q1.csv", "code,units,indicator\n99213,3,2\n");
  BOOST_TEST(eventually([&] { return live_sha256() != first; }), command({"status"}).out);

  const auto shadowed =
      expect_ok(world.api->post("/v1/rules/shadow", R"({"rule_id":"denial.zero_charge"})")).text("/sha256");
  expect_ok(world.api->post("/v1/rules/promote", "{\"bundle\":\"" + shadowed + "\"}"));
  fs::create_directory(tables / "earlier");
  fs::rename(tables / "mue@2026q1.csv", tables / "earlier" / "mue@2026q1.csv");
  save_file(tables / "mue@2026q2.csv", "code,units,indicator\n99213,4,2\n");
  BOOST_TEST(eventually([&] {
               return command({"status"}).out.find("a table was added, but other rules were promoted") !=
                      std::string::npos;
             }),
             command({"status"}).out);
  BOOST_TEST(live_sha256() == shadowed);
  // Who saves a rule means the folder.
  edit("denial/claim_identifier_long.lua", "weight = 0.01", "weight = 0.03");
  BOOST_TEST(
      eventually([&] { return expect_ok(world.api->get("/v1/rules/denial.zero_charge")).text("/mode") == "live"; }),
      command({"status"}).out);
}

BOOST_FIXTURE_TEST_CASE(rules_that_decide_for_all_tenants_are_released_by_the_operators_clients_only, RulesWorld) {
  const ApiClient stranger(world.service->port(),
                           world.folder.create_client({"--role", "admin", "--tenant", "clinic"}));
  const std::string live = R"({"bundle":")" + expect_ok(world.api->get("/v1/rules")).text("/rules_sha256") + "\"}";
  for (const auto& [path, body] : std::vector<std::pair<std::string, std::string>>{
           {"shadow", R"({"rule_id":"denial.zero_charge"})"}, {"promote", live}, {"approve", live}, {"rollback", "{}"}})
    expect_error(stranger.post("/v1/rules/" + path, body), 403, "insufficient_scope");
  BOOST_TEST(expect_ok(world.api->get("/v1/rules/bundles")).size("/data") == 1u);
  expect_ok(world.api->post("/v1/rules/shadow", R"({"rule_id":"denial.zero_charge"})"));
}

BOOST_FIXTURE_TEST_CASE(effects_of_rules_on_all_tenants_are_shown_to_the_operators_clients_only, RulesWorld) {
  const ApiClient stranger(world.service->port(),
                           world.folder.create_client({"--role", "admin", "--tenant", "clinic"}));
  for (const char* member : {"fired", "failed"}) {
    BOOST_TEST(expect_ok(world.api->get("/v1/rules")).has(std::string("/rules/0/") + member));
    BOOST_TEST(expect_ok(world.api->get("/v1/rules/denial.zero_charge")).has(std::string("/") + member));
    BOOST_TEST(!expect_ok(stranger.get("/v1/rules")).has(std::string("/rules/0/") + member));
    BOOST_TEST(!expect_ok(stranger.get("/v1/rules/denial.zero_charge")).has(std::string("/") + member));
  }
}

BOOST_AUTO_TEST_CASE(rules_that_are_saved_under_load_fail_no_request_and_decide_by_one_edition_each) {
  RulesWorld fixture;
  constexpr int kSaves = 12;
  std::atomic<bool> is_over = false;
  std::mutex lock;
  std::map<std::string, std::set<std::int64_t>> advances;  // by the rules that decided
  std::vector<std::string> failures;
  std::size_t decided = 0;
  const auto bring_claims = [&](const std::string& name) {
    const ApiClient& api = *fixture.world.api;
    for (int i = 0; !is_over; ++i) {
      const auto review = api.post("/v1/claims/reviews", claim_body(name + std::to_string(i)));
      if (review.status != 200) {
        const std::lock_guard held(lock);
        failures.push_back(review.body);
        continue;
      }
      const auto terms =
          api.post("/v1/claims/adjudications", adjudication_body(review.json().text("/authorization_id")));
      const std::lock_guard held(lock);
      ++decided;
      if (terms.status != 200 || terms.json().text("/decision") != "approved")
        failures.push_back(terms.body);
      else
        advances[terms.header("Rules-Version")].insert(terms.json().cents("/terms/advance_amount"));
    }
  };
  std::vector<std::thread> clients;
  for (const char* name : {"ANN-", "BOB-"}) clients.emplace_back(bring_claims, name);
  const auto readiness = [&] { return ApiClient(fixture.world.service->ops_port()).get("/readyz").body; };
  bool is_high = true;
  for (int save = 0; save < kSaves; ++save, is_high = !is_high) {
    const std::size_t before = [&] {
      const std::lock_guard held(lock);
      return advances.size();
    }();
    // Each time another edition: first the cases, then the number that they speak of; in between the folder does not
    // pass.
    fixture.edit("cases/terms_standard.lua", is_high ? "advance_percentage = 0.80" : "advance_percentage = 0.50",
                 is_high ? "advance_percentage = 0.50" : "advance_percentage = 0.80");
    fixture.edit("params.lua", is_high ? "advance_percentage = { value = 0.80" : "advance_percentage = { value = 0.50",
                 is_high ? "advance_percentage = { value = 0.50" : "advance_percentage = { value = 0.80");
    fixture.edit("params.lua", "-- The numbers of the policy",
                 "-- " + std::to_string(save) + "\n-- The numbers of the policy");
    const bool switched = eventually([&] {
      const std::lock_guard held(lock);
      return advances.size() > before || !failures.empty();
    });
    BOOST_TEST(switched, readiness());
  }
  is_over = true;
  for (auto& client : clients) client.join();
  BOOST_TEST(failures.empty(), failures.size() << " of " << decided
                                               << " failed, the first: " << (failures.empty() ? "" : failures.front()));
  BOOST_TEST(advances.size() >= static_cast<std::size_t>(kSaves));
  std::set<std::int64_t> amounts;
  for (const auto& [version, seen] : advances) {
    BOOST_TEST(seen.size() == 1u, version << " advanced " << seen.size() << " different amounts");
    amounts.insert(seen.begin(), seen.end());
  }
  BOOST_TEST(amounts.size() == 2u);
}

BOOST_AUTO_TEST_CASE(without_an_operators_tenant_no_client_releases_rules) {
  const World world;
  expect_error(world.api->post("/v1/rules/shadow", R"({"rule_id":"denial.zero_charge"})"), 403, "insufficient_scope");
}

BOOST_AUTO_TEST_CASE(of_two_clients_one_files_and_the_other_approves) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("rules.promotion", "by_command");
    folder.set("rules.approval", "second_person");
    folder.set("rules.operator_tenant", "default");
  });
  const ApiClient& ann = *world.api;
  const ApiClient bob(world.service->port(), world.folder.create_client({"--role", "admin", "--name", "bob"}));
  const Json filed = expect_ok(ann.post("/v1/rules/shadow", R"({"rule_id":"denial.zero_charge"})"));
  const std::string bundle = R"({"bundle":")" + filed.text("/sha256") + "\"}";
  expect_error(ann.post("/v1/rules/promote", bundle), 409, "invalid_state");
  expect_error(ann.post("/v1/rules/approve", bundle), 409, "invalid_state");
  const Json approved = expect_ok(bob.post("/v1/rules/approve", bundle));
  BOOST_TEST(approved.text("/state") == "approved");
  BOOST_TEST(approved.text("/approved_by") != approved.text("/filed_by"));
  expect_ok(ann.post("/v1/rules/promote", bundle));
}

BOOST_AUTO_TEST_CASE(rules_whose_table_is_not_here_are_waited_for_and_never_replaced_by_a_folder) {
  for (const auto store : stores()) BOOST_TEST_CONTEXT(store) {
      World world(store, [](ServiceFolder& folder) {
        fs::create_directory(folder.path() / "official");
        folder.set("rules.promotion", "by_command");
        folder.set("rules.tables_folder", (folder.path() / "official").string());
      });
      const auto elsewhere = world.folder.path() / "elsewhere";
      fs::create_directory(elsewhere);
      save_file(elsewhere / "mue@2026q4.csv", "code,units,indicator\n00010,3,2\n");
      const auto rules = [&](std::vector<std::string> words,
                             const std::map<std::string, std::string>& environment = {}) {
        words.insert(words.begin(), "rules");
        words.insert(words.end(), {"--config", world.folder.config_file().string()});
        return run_tideover(words, environment);
      };
      const auto live = [&] { return expect_ok(world.api->get("/v1/rules")).text("/rules_sha256"); };
      const auto first = live();

      world.service.reset();
      const auto promoted = rules({"promote"}, {{"TIDEOVER_RULES_TABLES_FOLDER", elsewhere.string()}});
      BOOST_TEST(promoted.exit_code == 0, promoted.err);
      const auto wanted = promoted.out.substr(0, 12);
      const auto refused = run_tideover({"serve", "--config", world.folder.config_file().string()});
      BOOST_TEST(refused.exit_code == 1);
      BOOST_TEST(refused.err.find("mue") != std::string::npos, refused.err);
      BOOST_TEST(refused.err.find("tideover rules promote or rollback") != std::string::npos, refused.err);
      BOOST_TEST(rules({"rollback"}).exit_code == 0);
      world.start();
      BOOST_TEST(live() == first);

      // A node does not bring into force a bundle that it cannot use, nor does it report that it did.
      for (const auto& words :
           {std::vector<std::string>{"promote", "--bundle", wanted}, {"rollback", "--to", wanted}}) {
        const auto again = rules(words);
        BOOST_TEST(again.exit_code == 1);
        BOOST_TEST(again.err.find("is not valid on this node. Nothing was changed") != std::string::npos, again.err);
        BOOST_TEST(again.err.find("mue") != std::string::npos, again.err);
      }
      const auto readiness = [&] { return ApiClient(world.service->ops_port()).get("/readyz").body; };
      BOOST_TEST(readiness().find("not valid on this node") == std::string::npos, readiness());
      BOOST_TEST(live() == first);
      if (store == Store::sqlite) continue;  // one process at a time: no other brings it into force

      // Another node of the same database has the table.
      const auto other = world.folder.path() / "other";
      fs::create_directory(other);
      fs::copy(world.folder.config_file(), other / "tideover.yaml");
      const auto there =
          run_tideover({"rules", "promote", "--bundle", wanted, "--config", (other / "tideover.yaml").string()},
                       {{"TIDEOVER_RULES_TABLES_FOLDER", elsewhere.string()}});
      BOOST_TEST(there.exit_code == 0, there.err);
      BOOST_TEST(eventually([&] { return readiness().find("not valid on this node") != std::string::npos; }),
                 readiness());
      BOOST_TEST(live() == first);
      fs::copy(elsewhere / "mue@2026q4.csv", world.folder.path() / "official" / "mue@2026q4.csv");
      BOOST_TEST(eventually([&] { return live().starts_with(wanted); }), readiness());
    }
}

BOOST_AUTO_TEST_CASE(rules_wait_for_a_command_and_for_a_second_reviewer) {
  if (::geteuid() != 0) {
    BOOST_TEST_MESSAGE("skipped: only root can act as two users");
    return;
  }
  fs::path rules;
  World world(Store::sqlite, [&](ServiceFolder& folder) {
    rules = folder.copy_rules();
    folder.set("rules.promotion", "by_command");
    folder.set("rules.approval", "second_person");
  });
  const auto as = [&](const char* person, std::vector<std::string> words) {
    words.insert(words.begin(), "rules");
    words.insert(words.end(), {"--config", world.folder.config_file().string()});
    return run_tideover(words, {{"SUDO_USER", person}});
  };
  const auto readiness = [&] { return ApiClient(world.service->ops_port()).get("/readyz").body; };
  const auto text = read_file(rules / "denial/zero_charge.lua");
  save_file(rules / "denial/zero_charge.lua", text + "-- looked at\n");
  BOOST_TEST(eventually([&] { return readiness().find("waits for tideover rules promote") != std::string::npos; }),
             readiness());
  const auto filed = as("ann", {"promote"});
  BOOST_TEST(filed.exit_code == 0, filed.err);
  const auto at = filed.out.find("tideover rules approve ");
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, filed.out);
  const auto digest = filed.out.substr(at + 23, 12);
  BOOST_TEST(as("ann", {"approve", digest}).err.find("another operator must approve it") != std::string::npos);
  BOOST_TEST(as("ann", {"promote", "--bundle", digest}).exit_code == 1);
  BOOST_TEST(as("bob", {"approve", digest}).exit_code == 0);
  BOOST_TEST(as("ann", {"promote", "--bundle", digest}).exit_code == 0);
  BOOST_TEST(as("bob", {"status"}).out.find("live         " + digest) == 0u);
  BOOST_TEST(eventually([&] { return readiness().find("waits for") == std::string::npos; }), readiness());
  BOOST_TEST(as("bob", {"reject", digest, "--reason", "late"}).err.find(" is live.") != std::string::npos);
  BOOST_TEST(as("bob", {"approve", "abc"}).err.find("at least 6 characters") != std::string::npos);
  BOOST_TEST(as("bob", {"approve", "zzzzzz"}).err.find("No rule bundle starts with zzzzzz") != std::string::npos);
  world.verify();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
