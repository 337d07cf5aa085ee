// All faults of a request are in one response, each with the name of its field.
#include "tests/rest/money/changed_json.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

struct OwnService {
  World world;
  const ApiClient& api = *world.api;
};

BOOST_AUTO_TEST_SUITE(faults_of_fields)

BOOST_FIXTURE_TEST_CASE(names_that_the_service_does_not_have_are_reported_with_the_other_faults, OwnService) {
  struct Case {
    std::string target, body;
    std::vector<std::string> fields;
  };
  const std::vector<Case> cases{
      {"/v1/claims/adjudications",
       R"({"authorization_id":"x","funding":{"rail":"WIRE","fallback":["PIGEON"],"desired_date":"today"}})",
       {"authorization_id", "funding.rail", "funding.fallback", "funding.desired_date"}},
      {"/v1/webhooks/endpoints",
       R"({"url":"nonsense","events":["nope"],"description":5})",
       {"url", "events", "description"}},
      {"/v1/events/replay", R"({"from":"2026-11-20","to":"x","types":["nope"]})", {"to", "types"}},
      {"/v1/imports/claims",
       R"({"format":"xls","payload":"not base64!","dry_run":"no"})",
       {"format", "payload", "dry_run"}},
      {"/v1/remittances", R"({"format":"xls","payload":"not base64!"})", {"format", "payload"}},
      {"/v1/deposits/files", R"({"format":"xls","payload":"not base64!"})", {"format", "payload"}},
  };
  for (const auto& [target, body, fields] : cases) {
    const Json refused = expect_error(api.post(target, body), 400, "validation_error");
    BOOST_TEST(refused.at("/details/fields").MemberCount() == fields.size(), target);
    for (const auto& field : fields) BOOST_TEST(refused.has("/details/fields/" + field), target << ' ' << field);
  }
}

BOOST_FIXTURE_TEST_CASE(a_required_text_is_neither_empty_nor_blank, OwnService) {
  const std::string returned = R"({"returned_date":")" + day(0) + R"(","reason":"R01"})";
  const std::string paid = with(remittance_body("TRN-EMPTY", "CLM-NONE", "10.00"), "/claims/0/service_lines",
                                R"([{"cpt":"99213","charge_amount":10,"paid_amount":10,)"
                                R"("adjustments":[{"group":"CO","code":"45","amount":0}]}])");
  const std::string line = "/claims/0/service_lines/0";
  struct Case {
    std::string target, body, pointer, field;
  };
  const std::vector<Case> cases{
      {"/v1/deposits", deposit_body("TRN-EMPTY", "10.00"), "/payer_id", "payer_id"},
      {"/v1/deposits/none/return", returned, "/reason", "reason"},
      {"/v1/remittances", paid, "/payer_id", "payer_id"},
      {"/v1/remittances", paid, "/trace_number", "trace_number"},
      {"/v1/remittances", paid, "/claims/0/claim_identifier", "claims[0].claim_identifier"},
      {"/v1/remittances", paid, line + "/cpt", "claims[0].service_lines[0].cpt"},
      {"/v1/remittances", paid, line + "/adjustments/0/group", "claims[0].service_lines[0].adjustments[0].group"},
      {"/v1/remittances", paid, line + "/adjustments/0/code", "claims[0].service_lines[0].adjustments[0].code"},
      {"/v1/tasks/none/undo", R"({"reason":"x"})", "/reason", "reason"},
  };
  for (const auto& [target, body, pointer, field] : cases)
    for (const char* empty : {R"("")", R"(" ")"}) {
      const Json refused = expect_error(api.post(target, with(body, pointer, empty)), 400, "validation_error");
      BOOST_TEST(first_fault(refused, field) == "must not be empty", target << ' ' << field);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
