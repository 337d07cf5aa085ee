// Quotes: every rail with its day, fee, limits and next cut-off, or why it is not available. Nothing is stored.
#include "core/usecases/quotes/quote_funding.hpp"

#include "tests/usecases/funding/funding_world.hpp"

using namespace tideover;
using domain::Date;
using domain::ErrorCode;
using domain::Money;
using domain::Timestamp;
using tests::FundingWorld;
using tests::refusal_of;

namespace {

/// A time zone without offset, so that a test names its instants. Every other zone is 9 hours ahead.
class UtcTime final : public ports::BankTime {
 public:
  explicit UtcTime(int ahead_minutes = 0) : ahead_(ahead_minutes) {}
  Date date_at(Timestamp at) const override { return local(at).utc_date(); }
  int minute_of_day(Timestamp at) const override { return static_cast<int>(local(at).ms() / 60'000 % 1'440); }
  Timestamp instant(Date date, int minute) const override {
    return Timestamp::from_ms((date.days() * std::int64_t{1'440} + minute - ahead_) * 60'000);
  }
  std::unique_ptr<ports::BankTime> in_zone(const std::string&) const override { return std::make_unique<UtcTime>(540); }

 private:
  Timestamp local(Timestamp at) const { return at.plus_ms(ahead_ * std::int64_t{60'000}); }

  const int ahead_;
};

struct QuoteWorld : FundingWorld {
  UtcTime bank_time;
  usecases::QuoteFunding quote_funding{*create_adjudication, rails, bank_time};

  std::vector<usecases::RailQuote> quotes_of(const usecases::QuoteRequest& request) {
    const auto quotes = quote_funding(context("quote"), request);
    BOOST_REQUIRE_MESSAGE(quotes, "the quote was refused: " << tests::why(quotes));
    return *quotes;
  }
  std::vector<usecases::RailQuote> for_amount(Money amount) { return quotes_of({"", amount, std::nullopt}); }
  std::optional<Timestamp> cutoff_at(const char* now) {
    auto at = context("quote");
    at.now = *domain::parse_timestamp(now);
    return (*quote_funding(at, {"", Money::cents(100), std::nullopt}))[0].next_cutoff;
  }
};

Timestamp instant(const char* text) {
  return *domain::parse_timestamp(text);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quotes, QuoteWorld)

BOOST_AUTO_TEST_CASE(an_amount_is_quoted_for_every_rail_with_its_limits_fee_and_day) {
  rtp.description.fee = Money::cents(45);
  rtp.expected_settlement = clock.now();
  const auto quotes = for_amount(Money::cents(64'000));
  BOOST_REQUIRE(quotes.size() == 2u);
  BOOST_TEST(quotes[0].rail.rail == "SAME_DAY");
  BOOST_TEST(quotes[1].rail.rail == "RTP");
  BOOST_TEST(quotes[1].rail.fee == Money::cents(45));
  BOOST_TEST(quotes[1].amount == Money::cents(64'000));
  BOOST_TEST(!quotes[1].refusal.has_value());
  BOOST_REQUIRE(quotes[1].plan.has_value());
  BOOST_TEST((quotes[1].plan->effective_date == clock.now().utc_date()));
  BOOST_TEST((quotes[1].plan->expected_settlement_at == clock.now()));
  BOOST_TEST(!quotes[1].terms.has_value());
  BOOST_TEST(!quotes[1].next_cutoff.has_value());
}

BOOST_AUTO_TEST_CASE(a_rail_that_cannot_pay_says_why) {
  rtp.description.max_amount = Money::cents(100);
  same_day.description.status = "suspended";
  auto quotes = for_amount(Money::cents(64'000));
  BOOST_TEST(quotes[0].refusal->code == ErrorCode::rail_unavailable);
  BOOST_TEST(quotes[1].refusal->code == ErrorCode::rail_limit_exceeded);
  BOOST_TEST(!quotes[1].plan.has_value());
  rtp.plan_refusal = domain::Error::of(ErrorCode::invalid_desired_date, "not today");
  quotes = for_amount(Money::cents(100));
  BOOST_TEST(quotes[1].refusal->code == ErrorCode::invalid_desired_date);
}

BOOST_AUTO_TEST_CASE(an_authorization_is_quoted_with_the_terms_of_each_rail_and_nothing_is_stored) {
  rules.adapt = [](const ports::TermsFacts& facts, domain::TermsProposal proposal) {
    if (facts.rail == "RTP") proposal.fee_bps += 100;
    return proposal;
  };
  const auto reviewed = review(draft("CLM-1"));
  const int rows = audit_rows(), created = events("adjudication.created");
  const auto quotes = quotes_of({reviewed.authorization_id.text(), std::nullopt, std::nullopt});
  BOOST_TEST(quotes[0].amount == Money::cents(64'000));
  BOOST_TEST(quotes[0].terms->terms.fee_estimate == Money::cents(1'280));
  BOOST_TEST(quotes[1].terms->terms.fee_estimate == Money::cents(1'920));
  BOOST_TEST(audit_rows() == rows);
  BOOST_TEST(events("adjudication.created") == created);
  // The authorization is as free as before, and its adjudication gives the quoted terms.
  BOOST_TEST(adjudicate(reviewed).terms.fee_estimate == Money::cents(1'280));
  BOOST_TEST(refusal_of(quote_funding(context("quote"), {reviewed.authorization_id.text(), std::nullopt,
                                                         std::nullopt})) == ErrorCode::authorization_already_used);
  BOOST_TEST(refusal_of(quote_funding(context("quote"), {"nonsense", std::nullopt, std::nullopt})) ==
             ErrorCode::validation_error);
}

BOOST_AUTO_TEST_CASE(a_declined_rail_is_not_available) {
  rules.proposal.decision = domain::Decision::declined;
  const auto reviewed = review(draft("CLM-1"));
  const auto quotes = quotes_of({reviewed.authorization_id.text(), std::nullopt, std::nullopt});
  BOOST_TEST(quotes[0].refusal->code == ErrorCode::invalid_state);
  BOOST_TEST(!quotes[0].plan.has_value());
}

BOOST_AUTO_TEST_CASE(a_rail_that_needs_a_reviewer_is_not_available_and_says_so) {
  rules.adapt = [](const ports::TermsFacts& facts, domain::TermsProposal proposal) {
    if (facts.rail == "RTP") proposal = {domain::Decision::manual_review, 8000, 200, {"large_amount"}};
    return proposal;
  };
  const auto reviewed = review(draft("CLM-1"));
  auto quotes = quotes_of({reviewed.authorization_id.text(), std::nullopt, std::nullopt});
  BOOST_TEST(!quotes[0].refusal.has_value());
  BOOST_REQUIRE(quotes[1].refusal.has_value());
  BOOST_TEST(quotes[1].refusal->code == ErrorCode::manual_review_pending);
  BOOST_TEST(quotes[1].refusal->lists.front().second == std::vector<std::string>{"large_amount"},
             boost::test_tools::per_element());
  BOOST_TEST(!quotes[1].plan.has_value());
  // No reviewer makes a rail pay more than its limit.
  rtp.description.max_amount = Money::cents(100);
  quotes = quotes_of({reviewed.authorization_id.text(), std::nullopt, std::nullopt});
  BOOST_TEST(quotes[1].refusal->code == ErrorCode::rail_limit_exceeded);
}

BOOST_AUTO_TEST_CASE(nothing_is_quoted_while_a_terms_rule_fails) {
  const auto reviewed = review(draft("CLM-1"));
  rules.terms_faults = {{"terms.standard", "exceeded its budget"}};
  rules.proposal = {domain::Decision::manual_review, 0, 0, {}};
  const auto failed = quote_funding(context("quote"), {reviewed.authorization_id.text(), std::nullopt, std::nullopt});
  BOOST_TEST(refusal_of(failed) == ErrorCode::rules_unavailable);
  BOOST_TEST(failed.error().retry_after_s.has_value());
  // An amount asks no rule.
  BOOST_TEST(!for_amount(Money::cents(100))[0].refusal.has_value());
}

BOOST_AUTO_TEST_CASE(no_rail_pays_an_amount_of_nothing) {
  for (const auto& quote : for_amount(Money{})) {
    BOOST_REQUIRE(quote.refusal.has_value());
    BOOST_TEST(quote.refusal->code == ErrorCode::invalid_state);
    BOOST_TEST(!quote.plan.has_value());
  }
}

BOOST_AUTO_TEST_CASE(cutoffs_are_in_the_time_zone_of_the_rail) {
  same_day.description.cutoffs = {"10:00"};
  same_day.description.time_zone = "Asia/Tokyo";
  BOOST_TEST((cutoff_at("2026-11-20T00:59:00.000Z") == instant("2026-11-20T01:00:00.000Z")));
  // There it is Saturday.
  BOOST_TEST((cutoff_at("2026-11-20T15:30:00.000Z") == instant("2026-11-23T01:00:00.000Z")));
}

BOOST_AUTO_TEST_CASE(the_next_cutoff_is_the_first_one_ahead_on_a_banking_day) {
  same_day.description.cutoffs = {"14:15", "10:00"};
  BOOST_TEST((cutoff_at("2026-11-20T09:59:00.000Z") == instant("2026-11-20T10:00:00.000Z")));
  BOOST_TEST((cutoff_at("2026-11-20T10:00:00.000Z") == instant("2026-11-20T14:15:00.000Z")));
  BOOST_TEST((cutoff_at("2026-11-20T14:15:00.000Z") == instant("2026-11-23T10:00:00.000Z")));  // after a weekend
  BOOST_TEST((cutoff_at("2026-11-21T09:00:00.000Z") == instant("2026-11-23T10:00:00.000Z")));
  same_day.description.business_days_only = false;
  BOOST_TEST((cutoff_at("2026-11-21T09:00:00.000Z") == instant("2026-11-21T10:00:00.000Z")));
  same_day.description.cutoffs.clear();
  BOOST_TEST(!cutoff_at("2026-11-20T09:00:00.000Z").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
