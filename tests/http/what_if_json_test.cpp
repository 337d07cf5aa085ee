// A claim with patches as JSON, and the comparison of their reviews.
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "core/http/wire/reviews/what_if_json.hpp"
#include "tests/fakes/printing.hpp"

using namespace tideover;
using domain::Money;

namespace {

/// A request with these members in addition to the required ones.
struct Decoded {
  explicit Decoded(const std::string& more) {
    BOOST_REQUIRE(
        bool(json::parse(R"({"claim_identifier":"CLM-1","chart_identifier":"CH-1","servicer_npi":"1234567893",)"
                         R"("billing_npi":"1999999984","patient_primary_payor_id":"SAMPLE-80",)"
                         R"("submitted_amount":1000.00)" +
                             more + "}",
                         document)));
    request = wire::decode_what_if(document.root(), *domain::parse_date("2026-11-20"), faults);
  }
  bool refuses(const std::string& path, const std::string& problem = "") const {
    return std::any_of(faults.fields.begin(), faults.fields.end(), [&](const domain::FieldFault& fault) {
      return fault.path == path && fault.problem.find(problem) != std::string::npos;
    });
  }
  const domain::ClaimDraft& claim(std::size_t index) const { return request.changes.at(index).claim; }

  json::Document document;
  wire::Faults faults;
  usecases::ComparisonRequest request;
};

usecases::ReviewOutcome outcome(std::int64_t expected, int denial_bps, domain::Decision decision) {
  usecases::ReviewOutcome made;
  made.review.forecast.expected = Money::cents(expected);
  made.review.forecast.allowed = Money::cents(100'000);
  made.review.forecast.denial_probability_bps = denial_bps;
  made.review.forecast.payment_date = *domain::parse_date("2026-12-01");
  made.review.rules.version = "2+8db85155";
  made.terms.decision = decision;
  made.terms.terms.advance_amount = Money::cents(expected * 8 / 10);
  made.terms.terms.fee_estimate = Money::cents(expected / 100);
  made.terms.reasons = {"why"};
  return made;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(what_if_json)

BOOST_AUTO_TEST_CASE(a_patch_replaces_adds_and_removes_members) {
  const Decoded one(R"(,"facility":"F-1","service_lines":[{"cpt":"99213","amount":400},{"cpt":"93000","amount":600}],)"
                    R"("patches":[{"submitted_amount":900,"label":"less"},{"facility":null},)"
                    R"({"service_lines":[{"cpt":"99214","amount":1000}]},{"place_of_service":"11"},{}],)"
                    R"("funding":{"rail":"RTP"})");
  BOOST_TEST(one.faults.fields.empty());
  BOOST_TEST(one.faults.ignored.empty());
  BOOST_TEST(one.request.rail == "RTP");
  BOOST_REQUIRE(one.request.changes.size() == 5u);
  const auto& base = one.request.claim;
  BOOST_TEST(base.submitted_amount == Money::cents(100'000));
  BOOST_TEST(base.service_lines.size() == 2u);
  BOOST_TEST(one.request.changes[0].label == "less");
  BOOST_TEST(one.request.changes[1].label == "");
  BOOST_TEST(one.request.changes[3].index == 3u);
  BOOST_TEST(one.request.changes[3].path == "patches[3].");
  auto expected = base;
  expected.submitted_amount = Money::cents(90'000);
  BOOST_TEST((one.claim(0) == expected));
  BOOST_TEST(base.facility == "F-1");
  BOOST_TEST(one.claim(1).facility == "");
  BOOST_TEST(one.claim(2).service_lines.size() == 1u);
  BOOST_TEST(one.claim(2).service_lines[0].cpt == "99214");
  BOOST_TEST(one.claim(3).details.place_of_service == "11");
  BOOST_TEST((one.claim(4) == base));
}

BOOST_AUTO_TEST_CASE(a_fault_names_its_patch_and_its_field) {
  const Decoded one(R"(,"patches":[{"servicer_npi":null},{"submitted_amount":"ten","date_of_service":"2026-13-01"},)"
                    R"({"service_lines":[{"units":-1}]},7,{"label":7}])");
  BOOST_TEST(one.refuses("patches[0].servicer_npi", "required"));
  BOOST_TEST(one.refuses("patches[1].submitted_amount"));
  BOOST_TEST(one.refuses("patches[1].date_of_service"));
  BOOST_TEST(one.refuses("patches[2].service_lines[0].units"));
  BOOST_TEST(one.refuses("patches[3]", "object"));
  BOOST_TEST(one.refuses("patches[4].label", "string"));
  BOOST_TEST(!one.refuses("servicer_npi"));
}

BOOST_AUTO_TEST_CASE(a_fault_of_the_claim_is_reported_once) {
  const Decoded one(R"(,"date_of_service":"soon","funding":{"rail":7},"patches":[{"facility":"F"},)"
                    R"({"date_of_submission":"later"}])");
  BOOST_TEST(one.refuses("date_of_service"));
  BOOST_TEST(one.refuses("funding.rail"));
  BOOST_TEST(!one.refuses("patches[0].date_of_service"));
  BOOST_TEST(!one.refuses("patches[1].date_of_service"));
  BOOST_TEST(one.refuses("patches[1].date_of_submission"));
  BOOST_TEST(one.faults.fields.size() == 3u);
}

BOOST_AUTO_TEST_CASE(more_patches_than_a_request_may_have_are_refused) {
  const auto patches = [](std::size_t n) {
    std::string list;
    for (std::size_t i = 0; i < n; ++i) list += i == 0 ? "{}" : ",{}";
    return R"(,"patches":[)" + list + "]";
  };
  BOOST_TEST(Decoded(patches(20)).request.changes.size() == 20u);
  const Decoded more(patches(21));
  BOOST_TEST(more.refuses("patches", "20"));
  BOOST_TEST(more.request.changes.empty());
  BOOST_TEST(Decoded(R"(,"patches":null)").faults.fields.empty());
  BOOST_TEST(Decoded(R"(,"patches":{})").refuses("patches", "array"));
}

BOOST_AUTO_TEST_CASE(unknown_members_are_named_where_they_are) {
  const Decoded one(R"(,"nickname":"x","service_lines":[{"cpt":"99213","color":1}],)"
                    R"("patches":[{"height":1,"facility":"F"},{"service_lines":[{"cpt":"99213","depth":1}]},)"
                    R"({"patches":[]}])");
  const std::vector<std::string> expected = {"service_lines[0].color", "nickname", "patches[0].height",
                                             "patches[1].service_lines[0].depth", "patches[2].patches"};
  BOOST_TEST(one.faults.ignored == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_outcome_has_no_ids_and_a_difference_to_the_base) {
  usecases::ReviewComparison compared;
  compared.rail = "RTP";
  compared.base = outcome(20'000, 7'000, domain::Decision::declined);
  compared.changes = {{1, "better", outcome(80'000, 500, domain::Decision::approved)},
                      {0, "", outcome(10'000, 7'500, domain::Decision::declined)}};
  compared.changes[0].outcome.review.forecast.payment_date = *domain::parse_date("2026-11-28");
  const auto body = wire::encode_what_if(compared);
  json::Document document;
  BOOST_REQUIRE(bool(json::parse(body, document)));
  BOOST_TEST(body.starts_with(R"({"rail":"RTP","base":{"decision":"declined","decision_reasons":["why"],)"
                              R"("denial_predicted":false)"));
  for (const char* absent : {"authorization_id", "claim_id", "created_at", "expires_at", "\"id\""})
    BOOST_TEST(count(body, absent) == 0u, absent);
  BOOST_TEST(count(body, "\"terms\":") == 1u);  // of the approved one
  BOOST_TEST(count(body, R"({"index":1,"label":"better","difference":{"expected":600.00,"allowed":0.00,)"
                         R"("denial_probability":-0.6500,"confidence":0.0000,"payment_days":-3,)"
                         R"("advance_amount":640.00,"fees_estimate":8.00},"decision":"approved")") == 1u,
             body);
  BOOST_TEST(count(body, R"({"index":0,"difference":{"expected":-100.00,"allowed":0.00,"denial_probability":0.0500,)"
                         R"("confidence":0.0000,"payment_days":0,"advance_amount":0.00,"fees_estimate":0.00},)") == 1u,
             body);
  BOOST_TEST(count(body, "2+8db85155") == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
