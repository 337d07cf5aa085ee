// `tideover rules backtest` beside a running service and without one.
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/rest/operations/rules_world.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(rules)

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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
