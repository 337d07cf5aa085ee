// Changing the rules of a running service.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

struct RulesWorld {
  RulesWorld() : world(Store::sqlite, [this](ServiceFolder& folder) { rules = folder.copy_rules(); }) {}

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
  std::string readiness() const { return ApiClient(world.service->ops_port()).get("/readyz").body; }

  fs::path rules;
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
  edit("denial/claim_identifier_long.lua", "probability = 0.01", "probability = 0.03");
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
