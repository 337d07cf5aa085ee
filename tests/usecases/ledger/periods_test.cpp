// Effective days of transactions, and the close of a month.
#include "core/usecases/ledger/close_period.hpp"

#include "core/usecases/audit/verify_ledger.hpp"
#include "core/usecases/ledger/export_ledger.hpp"
#include "core/usecases/reconciliation/return_deposit.hpp"
#include "tests/usecases/matching/matching_steps_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using domain::Money;
using domain::Month;
using tests::refusal_of;
using tests::why;

namespace {

struct PeriodWorld : tests::MatchingStepsWorld {
  PeriodWorld() {
    // The middle of a month: days before and after it are in the same one.
    clock.advance_days(days_between(clock.now().utc_date(), Month::of(clock.now().utc_date()).next().first_day()) + 14);
    today = clock.now().utc_date();
    this_month = Month::of(today);
  }
  domain::Result<usecases::StoredResponse> close(Month month) {
    return periods.close(context("close"), month.text(), [](const auto& period) { return period.month.text(); });
  }
  domain::Result<usecases::StoredResponse> reopen(Month month) {
    return periods.reopen(context("reopen"), month.text(), [](const auto& period) { return period.month.text(); });
  }
  void wait_for_next_month() {
    clock.advance_days(days_between(clock.now().utc_date(), Month::of(clock.now().utc_date()).next().first_day()));
  }
  /// Of the last transaction with this cause: "+0", or "+3 from -2", in days from `today`.
  std::string takes_effect(const std::string& cause) {
    std::string text = "none";
    for (const auto& one :
         seen([&](const ports::Records& records) { return records.ledger().list(caller.tenant, {}, "", 1000); })) {
      if (one.cause_kind != cause || one.phase == domain::LedgerPhase::pending) continue;
      text = "+" + std::to_string(days_between(today, one.effective_on));
      if (one.occurred_on) text += " from " + std::to_string(days_between(today, *one.occurred_on));
    }
    return text;
  }
  Money as_of(const std::string& account, domain::Date day) {
    for (const auto& balance : seen([&](const ports::Records& records) {
           return records.ledger().balances(caller.tenant, {"", 1000, day, false});
         }))
      if (balance.account == account) return balance.posted;
    return {};
  }
  std::vector<std::string> broken() {
    const auto found = usecases::VerifyLedger(*sql, checkpoints)();
    BOOST_REQUIRE(bool(found));
    std::vector<std::string> named;
    for (const auto& breach : found->first_breaches) named.push_back(breach.where);
    return named;
  }

  usecases::ClosePeriod periods{*store, ids};
  domain::Date today;
  Month this_month;
};

/// A world whose books may end broken.
struct BrokenPeriodWorld : PeriodWorld {
  void teardown() {}
};

}  // namespace

BOOST_AUTO_TEST_SUITE(ledger_periods)

BOOST_FIXTURE_TEST_CASE(money_takes_effect_on_the_day_on_which_it_moved, PeriodWorld) {
  fund({"A"});
  const auto paid = attempt(settlements["A"]);
  BOOST_TEST(takes_effect("disbursement") == "+" + std::to_string(days_between(today, paid.effective_date)));
  arrives(tests::Cash{"D1", 79'000, "T1", -3});
  BOOST_TEST(takes_effect("deposit") == "+-3");
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, -2});
  BOOST_TEST(takes_effect("reconciliation") == "+-2");
  BOOST_TEST(as_of("deposit_clearing", today.plus(-4)) == Money{});
  BOOST_TEST(as_of("deposit_clearing", today.plus(-3)) == Money::cents(79'000));
  BOOST_TEST(as_of("fee_income", today.plus(-3)) == Money{});
  BOOST_TEST(as_of("fee_income", today) == Money::cents(-1'280));

  clock.advance_days(5);
  usecases::ReturnDeposit return_deposit{*store, ids};
  BOOST_REQUIRE(bool(return_deposit(context("return"), {deposits["D1"].text(), today.plus(4), "R01"},
                                    [](const auto&) { return std::string(); })));
  BOOST_TEST(takes_effect("deposit_return") == "+4");
  BOOST_TEST(takes_effect("reconciliation") == "+4");
}

BOOST_FIXTURE_TEST_CASE(months_are_closed_in_order_after_they_have_ended, PeriodWorld) {
  arrives(tests::Cash{"D1", 500, "T1"});
  const auto refused = close(this_month);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(why(refused).find("has not ended") != std::string::npos, why(refused));
  wait_for_next_month();
  wait_for_next_month();
  BOOST_TEST(why(close(this_month.next())) == "An earlier period is open. Close " + this_month.text() + " first.");
  BOOST_REQUIRE(bool(close(this_month)));
  const int audited = audit_rows();
  const auto repeated = close(this_month);
  BOOST_REQUIRE(bool(repeated));
  BOOST_TEST(repeated->replayed);
  BOOST_TEST(audit_rows() == audited);
  BOOST_REQUIRE(bool(close(this_month.next())));
  BOOST_TEST(refusal_of(periods.close(context("close"), "2026-13", [](const auto&) { return std::string(); })) ==
             ErrorCode::invalid_parameter);

  const auto listed = periods.list(caller.tenant);
  BOOST_REQUIRE(bool(listed));
  BOOST_REQUIRE(listed->size() == 2u);
  BOOST_TEST(listed->front().month.text() == this_month.next().text());
  BOOST_TEST(listed->back().closed_by.text() == caller.client.text());
}

BOOST_FIXTURE_TEST_CASE(late_money_of_a_closed_month_takes_effect_on_the_first_open_day, PeriodWorld) {
  fund({"A"});
  wait_for_next_month();
  BOOST_REQUIRE(bool(close(this_month)));
  const int first_open = days_between(today, this_month.next().first_day());
  const int ago = -days_between(today, clock.now().utc_date());
  arrives(tests::Cash{"D1", 79'000, "T1", ago});
  BOOST_TEST(takes_effect("deposit") == "+" + std::to_string(first_open) + " from 0");
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, ago});
  BOOST_TEST(takes_effect("reconciliation") == "+" + std::to_string(first_open) + " from 0");
  BOOST_TEST(as_of("fee_income", this_month.last_day()) == Money{});
  BOOST_TEST(as_of("fee_income", this_month.next().first_day()) == Money::cents(-1'280));
  BOOST_TEST(broken().empty());
}

BOOST_FIXTURE_TEST_CASE(the_latest_closed_month_can_be_opened_again, PeriodWorld) {
  arrives(tests::Cash{"D1", 500, "T1"});
  BOOST_TEST(why(reopen(this_month)) == "No period is closed. There is nothing to reopen.");
  wait_for_next_month();
  wait_for_next_month();
  BOOST_REQUIRE(bool(close(this_month)));
  BOOST_REQUIRE(bool(close(this_month.next())));
  BOOST_TEST(why(reopen(this_month)) ==
             "Only the latest closed period can be reopened: " + this_month.next().text() + ".");
  const int audited = audit_rows();
  BOOST_REQUIRE(bool(reopen(this_month.next())));
  BOOST_TEST(audit_rows() == audited + 1);
  arrives(tests::Cash{"D2", 600, "T2", days_between(clock.now().utc_date(), this_month.next().first_day())});
  BOOST_TEST(takes_effect("deposit") == "+" + std::to_string(days_between(today, this_month.next().first_day())));
  BOOST_REQUIRE(bool(close(this_month.next())));
}

BOOST_FIXTURE_TEST_CASE(a_statement_of_a_practice_has_its_movements_between_its_balances, PeriodWorld) {
  const std::string npi = "1999999984";
  fund({"A", 100'000, "PAYER", {}, npi});
  arrives(tests::Cash{"D1", 79'000, "T1", -3});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, -2});
  const usecases::ExportLedger exports(*store);
  const auto statement = [&](int from, int to) {
    const auto made = exports.statement(caller.tenant, npi, {today.plus(from), today.plus(to), "", 9});
    BOOST_REQUIRE_MESSAGE(made, why(made));
    std::string text = format_money(made->opening);
    for (const auto& movement : made->movements)
      text += " " + movement.cause_kind + " " + format_money(movement.amount);
    return text + " " + format_money(made->closing);
  };
  BOOST_TEST(statement(-9, -3) == "0.00 0.00");
  BOOST_TEST(statement(-2, 0) == "0.00 reconciliation 137.20 137.20");
  BOOST_TEST(statement(-1, 0) == "137.20 137.20");
  BOOST_TEST(refusal_of(exports.statement(caller.tenant, "12", {today, today, "", 9})) == ErrorCode::invalid_parameter);
  BOOST_TEST(refusal_of(exports.statement(caller.tenant, npi, {today, today, "x", 9})) == ErrorCode::invalid_cursor);
  BOOST_TEST(refusal_of(exports.statement(caller.tenant, npi, {today, today.plus(-1), "", 9})) ==
             ErrorCode::invalid_parameter);
}

BOOST_FIXTURE_TEST_CASE(outstanding_advances_are_aged_from_their_funding, PeriodWorld) {
  fund({"A"});
  clock.advance_days(31);
  fund({"B"});
  const auto aged = usecases::ExportLedger(*store).aging(caller.tenant, clock.now().utc_date());
  BOOST_REQUIRE(bool(aged));
  BOOST_REQUIRE(aged->size() == 1u);
  BOOST_TEST(aged->front().buckets[0].amount == Money::cents(64'000));
  BOOST_TEST(aged->front().buckets[1].amount == Money::cents(64'000));
  BOOST_TEST(aged->front().total.count == 2);
}

BOOST_FIXTURE_TEST_CASE(a_transaction_that_appears_in_a_closed_month_is_found, BrokenPeriodWorld) {
  arrives(tests::Cash{"D1", 500, "T1"});
  wait_for_next_month();
  BOOST_REQUIRE(bool(close(this_month)));
  BOOST_TEST(broken().empty());
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    auto forged = domain::LedgerTransaction::of(ids.next<domain::LedgerTransactionId>(), {"withholding", "x"},
                                                clock.now(), today);
    forged.debit("fee_income", Money::cents(5)).credit("funding_cash", Money::cents(5));
    records.ledger().append(caller.tenant, forged);
    return {};
  })));
  const auto named = broken();
  BOOST_TEST(std::count(named.begin(), named.end(),
                        "the closing balances of a closed period are the sums of its transactions") >= 1);
}

BOOST_AUTO_TEST_SUITE_END()
