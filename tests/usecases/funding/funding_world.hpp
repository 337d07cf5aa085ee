// A world in which one settlement is confirmed and must be paid once.
#pragma once
#include "tests/usecases/world.hpp"

namespace tideover::tests {

struct FundingWorld : World {
  domain::Settlement ready(const std::string& identifier = "CLM-1") { return adjudicate(review(draft(identifier))); }
  std::string receivable(const domain::Settlement& settlement) {
    return domain::account::purchased_receivable(settlement.id);
  }
  void check_funded_once(const domain::Settlement& settlement) {
    const auto now = this->settlement(settlement.id);
    BOOST_TEST(now.status == domain::SettlementStatus::funded);
    BOOST_TEST(now.funding_status == domain::FundingStatus::submitted);
    BOOST_TEST(*now.funded_amount == settlement.terms.advance_amount);
    BOOST_TEST(same_day.payment_count() == 1);
    BOOST_TEST(same_day.payments().begin()->second.amount == settlement.terms.advance_amount);
    BOOST_TEST(balance(receivable(settlement)) == settlement.terms.advance_amount);
    BOOST_TEST(balance("funding_cash") == -settlement.terms.advance_amount);
    BOOST_TEST(pending("funding_cash") == domain::Money{});
    BOOST_TEST(events("settlement.funded") == 1);
  }
};

}  // namespace tideover::tests
