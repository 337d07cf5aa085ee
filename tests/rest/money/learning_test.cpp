// The service learns from remittances that are posted to it, and its reviews change.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;
namespace data = boost::unit_test::data;

void learn_early(ServiceFolder& folder) {
  const fs::path params = folder.copy_rules() / "params.lua";
  std::string text = read_file(params);
  for (const auto& [name, number] :
       {std::pair{"learn_from_answers = { value = ", "200"}, std::pair{"payer_evidence = { value = ", "20"}}) {
    const auto at = text.find(std::string(name) + number);
    BOOST_REQUIRE(at != std::string::npos);
    text.replace(at + std::string(name).size(), std::string(number).size(), "4");
  }
  save_file(params, text);
}

/// Refused whole, with this CARC.
std::string refusal_body(const std::string& identifier, const std::string& carc) {
  return R"({"payer_id":"SAMPLE-80","trace_number":"T-)" + identifier + R"(","payment_date":")" + day(0) +
         R"(","payment_amount":0,"claims":[{"claim_identifier":")" + identifier +
         R"(","status":"4","charge_amount":1000.00,"paid_amount":0,"date_of_service":")" + day(-5) +
         R"(","adjustments":[{"group":"CO","code":")" + carc + R"(","amount":1000.00}]}]})";
}

Json review(const ApiClient& api, const std::string& identifier) {
  return expect_ok(api.post("/v1/claims/reviews", claim_body(identifier)));
}

/// Grades of 30 claims that were denied today, over the API and from the command line.
void expect_graded_denials(const World& world) {
  const Json rules = expect_ok(world.api->get("/v1/quality/rules"));
  BOOST_TEST(rules.integer("/answered_claims") == 30);
  BOOST_TEST(rules.integer("/denied_claims") == 30);
  BOOST_TEST(rules.text("/snapshot").starts_with("est:"));
  BOOST_TEST(expect_ok(world.api->get("/v1/quality/calibration")).integer("/denial_probability/claims") == 30);
  BOOST_TEST(expect_ok(world.api->get("/v1/quality/payers")).integer("/unknown_claims") == 0);
  BOOST_TEST(expect_ok(world.api->get("/v1/quality/advances")).integer("/claims") == 0);  // none is 90 days old
  const auto answered = [&](const std::string& period) {
    return expect_ok(world.api->get("/v1/quality/rules?" + period)).integer("/answered_claims");
  };
  BOOST_TEST(answered("from=" + day(0)) == 30);
  BOOST_TEST(answered("from=" + day(-1) + "&to=" + day(1)) == 30);
  BOOST_TEST(answered("to=" + day(-1)) == 0);
  BOOST_TEST(answered("from=" + day(1)) == 0);
  BOOST_TEST(expect_ok(world.api->get("/v1/quality/rules?from=" + day(0))).text("/from") == day(0));
  expect_error(world.api->get("/v1/quality/payers?from=" + day(1) + "&to=" + day(0)), 400, "invalid_parameter");
  BOOST_TEST(expect_error(world.api->get("/v1/quality/advances?from=last+week"), 400, "invalid_parameter")
                 .has("/details/fields/from"));
  const auto table = run_tideover({"quality", "calibration", "--config", world.folder.config_file().string()});
  BOOST_TEST(table.exit_code == 0, table.err);
  BOOST_TEST(table.out.find("denial probability: 30 claims") != std::string::npos, table.out);
  const auto none =
      run_tideover({"quality", "calibration", "--to", day(-1), "--config", world.folder.config_file().string()});
  BOOST_TEST(none.out.find("denial probability: 30 claims") == std::string::npos, none.out);
}

BOOST_AUTO_TEST_SUITE(learning)

BOOST_DATA_TEST_CASE(denials_of_a_payer_are_learned_and_outlive_a_restart, data::make(stores()), store) {
  World world(store, learn_early);
  const Json before = review(*world.api, "CLM-0");
  BOOST_TEST(!before.has("/prediction"));
  for (int i = 1; i <= 30; ++i) {
    const std::string identifier = "CLM-" + std::to_string(i);
    review(*world.api, identifier);
    expect_ok(world.api->post("/v1/remittances", refusal_body(identifier, "197")));
  }
  int asked = 0;
  std::optional<Json> after;
  BOOST_REQUIRE(eventually([&] {
    after.emplace(review(*world.api, "NEW-" + std::to_string(++asked)));
    return after->has("/prediction") && after->integer("/prediction/answered_claims") == 30;
  }));
  BOOST_TEST(after->number("/denial_probability") > before.number("/denial_probability"));
  BOOST_TEST(after->number("/prediction/denial_probability_low") <= after->number("/denial_probability"));
  BOOST_TEST(after->flag("/denial_predicted"));
  BOOST_TEST(after->text("/denial_reasons/0/code") == "197");
  BOOST_TEST(after->text("/denial_reasons/0/rule").starts_with("record."));
  // The terms follow.
  BOOST_TEST(expect_ok(world.api->post("/v1/claims/adjudications", adjudication_body(after->text("/authorization_id"))))
                 .text("/decision") == "declined");

  expect_graded_denials(world);

  // Everything that was asked meanwhile is learned as well; then nothing changes any more.
  std::string snapshot;
  BOOST_REQUIRE(eventually([&] {
    const std::string was = snapshot;
    const Json again = review(*world.api, "NEW-1");
    snapshot = again.text("/prediction/snapshot");
    return snapshot.starts_with("est:");
  }));
  const auto is_equal = [&](const std::string& reference) {
    return expect_ok(world.api->post("/v1/reviews/" + reference + "/replay", "{}")).flag("/equal");
  };
  BOOST_TEST(is_equal(before.text("/id")));
  BOOST_TEST(is_equal(after->text("/id")));
  BOOST_TEST(is_equal(after->text("/authorization_id")));
  world.restart();
  const Json restarted = review(*world.api, "AFTER");
  BOOST_TEST(restarted.has("/prediction"));
  BOOST_TEST(restarted.flag("/denial_predicted"));

  BOOST_TEST(is_equal(after->text("/id")));
  const Json replay = expect_ok(world.api->post("/v1/reviews/" + restarted.text("/id") + "/replay", "{}"));
  BOOST_TEST(replay.flag("/equal"));
  BOOST_TEST(replay.text("/snapshot") == restarted.text("/prediction/snapshot"));
  BOOST_TEST(replay.text("/replayed/id") == restarted.text("/id"));
  expect_error(world.api->post("/v1/reviews/" + restarted.text("/id") + "/replay", R"({"bundle":"0123abcd"})"), 404,
               "not_found");
  expect_error(world.api->post("/v1/reviews/rev_01M7WPD88K0000000000000001/replay", "{}"), 404, "not_found");
}

// What the readers take and what the books hold never ends a service, nor keeps one from starting.
BOOST_DATA_TEST_CASE(an_answer_below_zero_is_set_aside_and_the_service_starts_again, data::make(stores()), store) {
  World world(store, learn_early);
  struct Poison {
    std::string name, claim;
  };
  const std::vector<Poison> poisons{
      {"N-LINE", R"("status":"1","charge_amount":1000,"paid_amount":0,"service_lines":[{"cpt":"99213",)"
                 R"("charge_amount":-0.01,"paid_amount":-0.01}])"},
      {"N-TOLD",
       R"("status":"1","charge_amount":1000,"paid_amount":0,"service_lines":[{"cpt":"99213","charge_amount":-1,)"
       R"("paid_amount":-1,"allowed_amount":0}])"},
      {"N-WHOLE", R"("status":"1","charge_amount":-1000,"paid_amount":0)"}};
  std::map<std::string, std::string> remittances;
  for (const auto& [name, claim] : poisons) {
    review(*world.api, name);
    const Json posted = expect_ok(world.api->post(
        "/v1/remittances", R"({"payer_id":"SAMPLE-80","trace_number":"T-)" + name + R"(","payment_date":")" + day(0) +
                               R"(","payment_amount":0,"claims":[{"claim_identifier":")" + name + R"(",)" + claim +
                               "}]}"));
    remittances[posted.text("/remittance_id")] = name;
  }
  const auto tasks = [&] { return expect_ok(world.api->get("/v1/tasks?status=open&kind=learning_set_aside")); };
  BOOST_REQUIRE(eventually([&] { return tasks().size("/data") == poisons.size(); }));
  for (std::size_t i = 0; i < poisons.size(); ++i)
    BOOST_TEST(remittances.contains(tasks().text("/data/" + std::to_string(i) + "/object_id")));
  world.restart();
  review(*world.api, "AFTER");
  BOOST_TEST(tasks().size("/data") == poisons.size());  // a start passes them over and tells no more of them
  BOOST_TEST(ApiClient(world.service->ops_port()).get("/metrics").body.find("tideover_learning_set_aside_total 3") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_service_starts_without_learning_where_that_is_switched_off) {
  World world(Store::sqlite, [&](ServiceFolder& folder) {
    learn_early(folder);
    folder.set("learning.enabled", "false");
  });
  for (int i = 1; i <= 6; ++i) {
    const std::string identifier = "CLM-" + std::to_string(i);
    review(*world.api, identifier);
    expect_ok(world.api->post("/v1/remittances", refusal_body(identifier, "197")));
  }
  world.restart();
  BOOST_TEST(!review(*world.api, "NEW").has("/prediction"));
  BOOST_TEST(expect_ok(world.api->get("/v1/quality/rules")).text("/snapshot").empty());
}

BOOST_AUTO_TEST_CASE(a_review_is_replayed_with_other_rules_from_the_command_line) {
  fs::path rules;
  World world(Store::sqlite, [&](ServiceFolder& folder) { rules = folder.copy_rules(); });
  const Json given = review(*world.api, "CLM-1-LONGER-THAN-PAYERS-KEEP");
  const auto replay = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"review", "replay", given.text("/id")});
    more.insert(more.end(), {"--config", world.folder.config_file().string()});
    return run_tideover(more);
  };
  const auto same = replay({});
  BOOST_TEST(same.exit_code == 0, same.err);
  BOOST_TEST(same.out.find("equal, byte for byte") != std::string::npos, same.out);
  const auto by_digest = replay({"--bundle", given.text("/model/rules_sha256").substr(0, 12)});
  BOOST_TEST(by_digest.out.find("equal, byte for byte") != std::string::npos, by_digest.out + by_digest.err);

  const fs::path other = world.folder.path() / "other";
  fs::copy(rules, other, fs::copy_options::recursive);
  std::string params = read_file(other / "params.lua");
  const std::string quantile = "date_quantile = { value = 0.80";
  params.replace(params.find(quantile), quantile.size(), "date_quantile = { value = 0.95");
  save_file(other / "params.lua", params);
  const auto differs = replay({"--folder", other.string()});
  BOOST_TEST(differs.exit_code == 3, differs.out + differs.err);
  BOOST_TEST(differs.out.find("expected_payment_date") != std::string::npos, differs.out);

  const fs::path worded = world.folder.path() / "worded";
  fs::copy(rules, worded, fs::copy_options::recursive);
  save_file(worded / "params.lua", read_file(worded / "params.lua") + "\n-- Another name, the same word.\n");
  const auto renamed = replay({"--folder", worded.string()});
  BOOST_TEST(renamed.exit_code == 0, renamed.out + renamed.err);
  BOOST_TEST(renamed.out.find("equal except for the name of the rules") != std::string::npos, renamed.out);
  BOOST_REQUIRE_EQUAL(given.text("/warnings/0/rule"), "denial.claim_identifier_long");
  const fs::path rule = worded / "denial" / "claim_identifier_long.lua";
  std::string text = read_file(rule);
  const auto fix = text.find("fix = '");
  BOOST_REQUIRE(fix != std::string::npos);
  save_file(rule, text.insert(fix + 7, "Today: "));
  const auto reworded = replay({"--folder", worded.string()});
  BOOST_TEST(reworded.exit_code == 3, reworded.out + reworded.err);
  BOOST_TEST(reworded.out.find("warnings[0].fix") != std::string::npos, reworded.out);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
