// tideover rails, beside a running service and without one.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

struct Rails : World {
  CommandResult rails(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "rails");
    arguments.insert(arguments.end(), {"--config", folder.config_file().string()});
    return run_tideover(arguments);
  }
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(simulated_rails)

BOOST_AUTO_TEST_CASE(production_refuses_them_without_permission) {
  ServiceFolder folder;
  folder.set("environment", "production");
  folder.write_config();
  for (const char* command : {"serve", "check"}) {
    const auto refused = run_tideover({command, "--config", folder.config_file().string()});
    BOOST_TEST(refused.exit_code == 1, command);
    for (const char* part :
         {"RTP, SAME_DAY, FUTURE_DATE are simulated", "no money moves", "funding.allow_simulated_rails: true"})
      BOOST_TEST(says(refused.err, part), refused.err);
  }
}

BOOST_AUTO_TEST_CASE(production_with_permission_says_so_everywhere) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("environment", "production");
    folder.set("funding.allow_simulated_rails", "true");
    folder.set("funding.residual_payouts", "by_request");
  });
  const auto ready = ApiClient(world.service->ops_port()).get("/readyz");
  BOOST_TEST(ready.status == 200);
  BOOST_TEST(says(ready.body, "simulated, no money moves: RTP, SAME_DAY, FUTURE_DATE"), ready.body);
  BOOST_TEST(
      says(ApiClient(world.service->ops_port()).get("/metrics").body, "tideover_rail_simulated{rail=\"RTP\"} 1\n"));
  BOOST_TEST(says(read_file(world.folder.log_file()), "\"level\":\"warning\",\"event\":\"simulated_rails\""));

  const auto rails = expect_ok(world.api->get("/v1/metadata/funding-rails"));
  for (const char* place : {"/data/0", "/data/1", "/data/2"}) BOOST_TEST(rails.flag(std::string(place) + "/simulated"));
  const auto review = expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1")));
  const auto made =
      expect_ok(world.api->post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
  BOOST_TEST(made.flag("/funding/simulated"));
  const auto id = made.text("/settlement_id");
  const auto first = world.api->post_nothing("/v1/settlements/" + id + "/confirm");
  BOOST_TEST(expect_ok(first).flag("/simulated"));
  BOOST_TEST(world.api->post_nothing("/v1/settlements/" + id + "/confirm").body == first.body);
  BOOST_TEST(expect_ok(world.api->get("/v1/settlements/" + id)).flag("/funding/simulated"));
  BOOST_TEST(expect_ok(world.api->get("/v1/claims/CLM-1")).flag("/adjudication/funding/simulated"));
  expect_ok(world.api->post("/v1/deposits", deposit_body("T-1", "790.00")));
  expect_ok(world.api->post("/v1/remittances", remittance_body("T-1", "CLM-1", "790.00")));
  BOOST_TEST(expect_ok(world.api->post_nothing("/v1/settlements/" + id + "/payouts")).flag("/simulated"));
}

BOOST_AUTO_TEST_CASE(a_rail_that_moves_money_says_nothing_of_it_and_needs_no_permission) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("environment", "production");
    folder.set("plugins", "[]");
    folder.use_plugin("payer_directory", "file", plugin_library("payer_directory", "file"),
                      {{"path", std::string(TIDEOVER_SOURCE_DIR) + "/config/payers.jsonl"}});
    save_file(folder.path() / "release", "");
    folder.use_plugin(
        "funding_rail", "held", TIDEOVER_HELD_RAIL,
        {{"seen_path", (folder.path() / "seen").string()}, {"release_path", (folder.path() / "release").string()}});
  });
  BOOST_TEST(!says(ApiClient(world.service->ops_port()).get("/readyz").body, "simulated"));
  BOOST_TEST(
      says(ApiClient(world.service->ops_port()).get("/metrics").body, "tideover_rail_simulated{rail=\"RTP\"} 0\n"));
  BOOST_TEST(!expect_ok(world.api->get("/v1/metadata/funding-rails")).flag("/data/0/simulated"));
  const auto id = advance(*world.api, "CLM-1");
  BOOST_TEST(!expect_ok(world.api->post_nothing("/v1/settlements/" + id + "/confirm")).has("/simulated"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(rails, Rails)

BOOST_AUTO_TEST_CASE(the_list_shows_the_declaration_of_each_rail) {
  const auto listed = rails({"list"});
  BOOST_TEST(listed.exit_code == 0, listed.err);
  for (const char* part : {"RTP", "SAME_DAY", "FUTURE_DATE", "recall=dedup", "statement=yes"})
    BOOST_TEST(says(listed.out, part), listed.out);
}

BOOST_AUTO_TEST_CASE(reconcile_agrees_until_the_rail_forgets_a_payment) {
  const auto kept = fund(*api, "CLM-1", "SAME_DAY");
  const auto lost = fund(*api, "CLM-2", "RTP");
  const auto agreed = rails({"reconcile"});
  BOOST_TEST(agreed.exit_code == 0, agreed.out << agreed.err);
  BOOST_TEST(says(agreed.out, "2 attempts, 2 journal entries, 2 statement lines"), agreed.out);
  BOOST_TEST(says(agreed.out, "The records agree."));

  service->ask_to_stop();
  BOOST_REQUIRE(service->wait_for_end() == 0);
  BOOST_REQUIRE(std::filesystem::remove(folder.path() / "rtp.bank"));
  const auto differs = rails({"reconcile"});
  BOOST_TEST(differs.exit_code == 3);
  BOOST_TEST(says(differs.out, "booked_not_paid"), differs.out << differs.err);
  BOOST_TEST(says(differs.out, lost));
  BOOST_TEST(!says(differs.out, kept));

  start();
  const auto tasks = expect_ok(api->get("/v1/tasks?status=open&kind=rail_disagreement"));
  BOOST_TEST(tasks.size("/data") == 1u);
  BOOST_TEST(tasks.text("/data/0/object_id") == lost);
  const auto closed = expect_ok(api->post("/v1/tasks/" + tasks.text("/data/0/task_id") + "/decide",
                                          R"({"decision":"resolved","reason":"the bank restored its file"})"));
  BOOST_TEST(closed.text("/status") == "closed");
}

BOOST_AUTO_TEST_CASE(reconcile_refuses_a_time_that_is_none) {
  const auto refused = rails({"reconcile", "--from", "yesterday"});
  BOOST_TEST(refused.exit_code == 1);
  BOOST_TEST(says(refused.err, "--from is not valid. Use a date"), refused.err);
  BOOST_TEST(rails({"reconcile", "--from", "2026-11-20", "--to", "2026-11-19"}).exit_code == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
