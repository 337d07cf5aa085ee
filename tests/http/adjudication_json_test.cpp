// How an adjudication tells what became of its funding.
#include <boost/test/unit_test.hpp>

#include "core/http/wire/json/json.hpp"
#include "core/http/wire/reviews/adjudication_json.hpp"

using namespace tideover;

namespace {

std::string funding_of(std::optional<domain::AttemptState> state) {
  usecases::SettlementView view;
  view.settlement.funding.rail = "SAME_DAY";
  if (state) {
    view.attempt.emplace();
    view.attempt->state = *state;
    view.attempt->reason_code = "R02";
    view.attempt->reason = "Account closed";
    view.attempt->updated_at = *domain::parse_timestamp("2026-11-20T13:30:00.000Z");
  }
  const auto body = wire::encode_adjudication(view, false);
  const auto from = body.find("\"funding\":"),
             to = body.find('}', body.rfind("\"reason\":") == std::string::npos ? from : body.rfind("\"reason\":"));
  return body.substr(from, to - from);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(adjudication_json)

BOOST_AUTO_TEST_CASE(money_that_came_back_says_why_and_when) {
  const auto funding = funding_of(domain::AttemptState::returned);
  BOOST_TEST(has(funding, R"("return":{"code":"R02","reason":"Account closed","at":"2026-11-20T13:30:00.000Z")"),
             funding);
  BOOST_TEST(!has(funding, "\"reject\""), funding);
}

BOOST_AUTO_TEST_CASE(a_payment_that_was_refused_says_why) {
  const auto funding = funding_of(domain::AttemptState::rejected);
  BOOST_TEST(has(funding, R"("reject":{"code":"R02","reason":"Account closed")"), funding);
  BOOST_TEST(!has(funding, "\"return\""), funding);
}

BOOST_AUTO_TEST_CASE(a_payment_that_is_neither_names_its_transfer_only) {
  for (const auto state :
       {domain::AttemptState::accepted, domain::AttemptState::settled, domain::AttemptState::unknown}) {
    const auto funding = funding_of(state);
    BOOST_TEST(has(funding, "\"transfer_id\":"), funding);
    BOOST_TEST((!has(funding, "\"reject\"") && !has(funding, "\"return\"")), funding);
  }
  BOOST_TEST(!has(funding_of(std::nullopt), "\"transfer_id\""));
}

BOOST_AUTO_TEST_SUITE_END()
