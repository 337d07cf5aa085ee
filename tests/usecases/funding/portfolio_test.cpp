// Exposure and losses of earlier advances, as terms rules see them.
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"
#include "tests/usecases/matching/matching_steps_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::Remittance;

namespace {

struct PortfolioWorld : tests::MatchingStepsWorld {
  int asked = 0;

  /// "payer 640.00, provider 640.00, advanced 640.00, lost 0.00", as the adjudication of another claim sees it.
  std::string exposure(const std::string& payer = "PAYER", const std::string& billing_npi = "1234567893") {
    auto claim = draft("ASKING-" + std::to_string(++asked));
    claim.payer_id = payer;
    claim.billing_npi = billing_npi;
    rules.portfolio_seen = {};
    adjudicate(review(claim));
    const auto& sums = rules.portfolio_seen;
    return "payer " + format_money(sums.payer_open) + ", provider " + format_money(sums.provider_open) + ", advanced " +
           format_money(sums.advanced) + ", lost " + format_money(sums.lost);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(portfolio, PortfolioWorld)

BOOST_AUTO_TEST_CASE(funded_advances_count_as_exposure_and_unconfirmed_terms_do_not) {
  terms_of({"PROMISED"});
  BOOST_TEST(exposure() == "payer 0.00, provider 0.00, advanced 0.00, lost 0.00");
  fund({"A"});
  BOOST_TEST(exposure() == "payer 640.00, provider 640.00, advanced 640.00, lost 0.00");
  BOOST_TEST(exposure("ANOTHER") == "payer 0.00, provider 640.00, advanced 640.00, lost 0.00");
  BOOST_TEST(exposure("PAYER", "1999999984") == "payer 640.00, provider 0.00, advanced 640.00, lost 0.00");
  fund({"B", 200'000});
  BOOST_TEST(exposure() == "payer 1920.00, provider 1920.00, advanced 1920.00, lost 0.00");
}

BOOST_AUTO_TEST_CASE(a_payment_ends_the_exposure_and_a_shortfall_is_a_loss) {
  fund({"A"});
  fund({"B"});
  arrives(Remittance{"N1", "T1", {{"A", 60'000}}});
  arrives(Cash{"D1", 60'000, "T1"});
  BOOST_TEST(exposure() == "payer 640.00, provider 640.00, advanced 1280.00, lost 40.00");
  arrives(Remittance{"N2", "T2", {{"B", 79'000}}});
  arrives(Cash{"D2", 79'000, "T2"});
  BOOST_TEST(exposure() == "payer 0.00, provider 0.00, advanced 1280.00, lost 40.00");
}

BOOST_AUTO_TEST_CASE(confirmation_is_refused_if_the_exposure_has_grown_beyond_the_limit) {
  const auto early = terms_of({"EARLY"}), other = terms_of({"OTHER"});
  fund({"A"});
  rules.most_open = domain::Money::cents(50'000);
  const auto refused = try_confirm(early);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == domain::ErrorCode::invalid_state));
  BOOST_TEST(refused.error().message.starts_with("The exposure has grown"));
  BOOST_TEST(exposure() == "payer 640.00, provider 640.00, advanced 640.00, lost 0.00");
  // Rules that decline everything now do not withdraw earlier approvals.
  rules.proposal.decision = domain::Decision::declined;
  BOOST_TEST(bool(try_confirm(other)));
}

BOOST_AUTO_TEST_CASE(a_write_off_counts_as_a_loss_for_thirty_days) {
  fund({"A"});
  clock.advance_days(29);
  BOOST_TEST(exposure() == "payer 640.00, provider 640.00, advanced 640.00, lost 0.00");
  clock.advance_days(1);
  BOOST_TEST(exposure() == "payer 640.00, provider 640.00, advanced 0.00, lost 0.00");
  clock.advance_days(300);
  BOOST_REQUIRE(bool(usecases::WriteOffOverdue(*store, rules, ids, clock)({}, 100)));
  BOOST_TEST(exposure() == "payer 0.00, provider 0.00, advanced 0.00, lost 640.00");
  clock.advance_days(30);
  BOOST_TEST(exposure() == "payer 0.00, provider 0.00, advanced 0.00, lost 0.00");
}

BOOST_AUTO_TEST_CASE(a_returned_advance_does_not_count) {
  usecases::FollowUpPayments follow_up_payments{*store, *disburse, rails, clock, ids, {}};
  fund({"A"});
  same_day.now_stands(same_day.only_key(), ports::RailOutcome::Kind::returned, "R02");
  clock.advance_days(1);
  BOOST_REQUIRE(bool(follow_up_payments()));
  BOOST_TEST(exposure() == "payer 0.00, provider 0.00, advanced 0.00, lost 0.00");
}

BOOST_AUTO_TEST_CASE(an_advance_counts_for_the_billing_provider_of_its_terms) {
  fund({"A"});
  auto moved = draft("A");
  moved.billing_npi = "1999999984";
  (void)try_review(moved);
  arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(Cash{"D1", 79'000, "T1"});
  BOOST_TEST(exposure() == "payer 0.00, provider 0.00, advanced 640.00, lost 0.00");
  BOOST_TEST(exposure("PAYER", "1999999984") == "payer 0.00, provider 0.00, advanced 640.00, lost 0.00");
}

BOOST_AUTO_TEST_SUITE_END()
