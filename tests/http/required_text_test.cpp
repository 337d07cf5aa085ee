// Texts that a request must have: an empty or blank one is refused, as `minLength: 1` of openapi.yaml says.
#include <boost/test/unit_test.hpp>

#include "core/http/wire/basics/object_reader.hpp"
#include "core/http/wire/operations/task_json.hpp"
#include "core/http/wire/reconciliation/deposit_json.hpp"
#include "core/http/wire/reconciliation/remittance_json.hpp"

using namespace tideover;

namespace {

/// "path: problem" of each fault of the body.
template <class Decode>
std::vector<std::string> faults_of(Decode decode, const std::string& body) {
  json::Document document;
  BOOST_REQUIRE(bool(json::parse(body, document)));
  wire::Faults faults;
  (void)decode(document.root(), faults);
  std::vector<std::string> named;
  for (const auto& fault : faults.fields) named.push_back(fault.path + ": " + fault.problem);
  return named;
}

template <class Decode>
void check_faults(Decode decode, const std::string& body, const std::vector<std::string>& expected) {
  const auto faults = faults_of(decode, body);
  BOOST_TEST(faults == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(required_texts)

BOOST_AUTO_TEST_CASE(a_deposit_needs_its_payer) {
  check_faults(wire::decode_deposit, R"({"payer_id":"","amount":5,"received_date":"2026-11-20"})",
               {"payer_id: must not be empty"});
  check_faults(wire::decode_deposit, R"({"payer_id":"P","amount":5,"received_date":"2026-11-20","trace_number":""})",
               {});
}

BOOST_AUTO_TEST_CASE(a_returned_deposit_needs_its_reason) {
  check_faults(wire::decode_deposit_return, R"({"returned_date":"2026-11-20","reason":""})",
               {"reason: must not be empty"});
}

BOOST_AUTO_TEST_CASE(an_undone_decision_needs_its_reason) {
  check_faults(wire::decode_undo_reason, R"({"reason":""})", {"reason: must not be empty"});
  check_faults(wire::decode_undo_reason, R"({"reason":"the payer called"})", {});
}

BOOST_AUTO_TEST_CASE(a_remittance_needs_the_names_of_its_parts) {
  check_faults(wire::decode_remittance,
               R"({"payer_id":"","trace_number":"","payment_date":"2026-11-20","payment_amount":5,"claims":[
                   {"claim_identifier":"","status":"1","charge_amount":5,"paid_amount":5,"service_lines":[
                     {"cpt":"","charge_amount":5,"paid_amount":5,"adjustments":[
                       {"group":"CO","code":"","amount":1}]}]}],
                   "provider_adjustments":[{"code":"","amount":1}]})",
               {"payer_id: must not be empty", "trace_number: must not be empty",
                "claims[0].claim_identifier: must not be empty", "claims[0].service_lines[0].cpt: must not be empty",
                "claims[0].service_lines[0].adjustments[0].code: must not be empty",
                "provider_adjustments[0].code: must not be empty"});
}

BOOST_AUTO_TEST_CASE(a_remittance_is_a_file_if_it_names_a_format) {
  const auto is_file = [](const std::string& body) {
    json::Document document;
    BOOST_REQUIRE(bool(json::parse(body, document)));
    return wire::is_file(document.root());
  };
  BOOST_TEST(is_file(R"({"format":"csv","payload":"IA=="})"));
  BOOST_TEST(!is_file(R"({"format":null,"payer_id":"P"})"));
  BOOST_TEST(!is_file(R"({"payload":"IA=="})"));
}

BOOST_AUTO_TEST_SUITE_END()
