// Releasing rules: clients and operators shadow, approve, promote and roll back; tables that a bundle needs.
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/rest/operations/rules_world.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(rules)

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
  const Json oldest = expect_ok(api.get("/v1/rules/bundles?limit=1&order=asc"));
  BOOST_TEST(oldest.text("/data/0/sha256") == rest.text("/data/0/sha256"));
  const auto second = expect_ok(api.get("/v1/rules/bundles?limit=1&order=asc&cursor=" + oldest.text("/next_cursor")));
  BOOST_TEST(second.text("/data/0/sha256") == page.text("/data/0/sha256"));
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
