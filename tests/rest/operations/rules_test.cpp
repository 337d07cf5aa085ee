// Changing the rules of a running service: saved files, errors, restarts, rollbacks and rules that fail.
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/rest/operations/rules_world.hpp"

namespace tideover::test {
namespace {

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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
