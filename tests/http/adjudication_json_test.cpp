// How an adjudication tells what became of its funding.
#include <boost/test/unit_test.hpp>

#include "core/http/wire/json/json.hpp"
#include "core/http/wire/reviews/adjudication_json.hpp"

using namespace tideover;

namespace {

usecases::SettlementView view_with(std::vector<domain::AttemptState> states) {
  usecases::SettlementView view;
  view.settlement.funding.rail = "SAME_DAY";
  for (const auto state : states) {
    auto& attempt = view.attempts.emplace_back();
    attempt.number = static_cast<int>(view.attempts.size());
    attempt.state = state;
    attempt.rail = "RTP";
    attempt.amount = domain::Money::cents(64'000);
    attempt.reason_code = is_undone(state) ? "R02" : "";
    attempt.reason = is_undone(state) ? "Account closed" : "";
    attempt.updated_at = *domain::parse_timestamp("2026-11-20T13:30:00.000Z");
  }
  return view;
}

/// The members of `funding` before its list of attempts.
std::string funding_of(std::optional<domain::AttemptState> state) {
  const auto body = wire::encode_adjudication(
      view_with(state ? std::vector<domain::AttemptState>{*state} : std::vector<domain::AttemptState>{}), false);
  const auto from = body.find("\"funding\":");
  return body.substr(from, body.find("\"attempts\":") - from);
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
  BOOST_TEST(has(funding, R"("reject":{"code":"R02","reason":"Account closed","at":"2026-11-20T13:30:00.000Z")"),
             funding);
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

BOOST_AUTO_TEST_CASE(every_attempt_is_listed_oldest_first_with_its_rail_and_its_reason) {
  const auto body =
      wire::encode_adjudication(view_with({domain::AttemptState::rejected, domain::AttemptState::accepted}), false);
  const auto list = body.substr(body.find("\"attempts\":"));
  const auto first = list.find("\"number\":1"), second = list.find("\"number\":2");
  BOOST_REQUIRE((first != std::string::npos && second != std::string::npos && first < second));
  const auto refused = list.substr(first, second - first), accepted = list.substr(second);
  BOOST_TEST(has(refused, R"("rail":"RTP","status":"rejected","amount":640.00)"), refused);
  BOOST_TEST(has(refused, R"("reject":{"code":"R02","reason":"Account closed","at":"2026-11-20T13:30:00.000Z"})"),
             refused);
  BOOST_TEST(has(accepted, R"("status":"submitted")"), accepted);
  BOOST_TEST(!has(accepted, "\"reject\""), accepted);
  BOOST_TEST(!has(funding_of(domain::AttemptState::accepted), "\"reject\""));
  BOOST_TEST(has(wire::encode_adjudication(view_with({}), false), "\"attempts\":[]"));
}

BOOST_AUTO_TEST_SUITE_END()
