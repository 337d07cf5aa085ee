// Months of the ledger, effective days, and the accounts of the general ledger.
#include "core/domain/ledger/period.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "core/domain/ledger/account_map.hpp"
#include "core/domain/ledger/reports.hpp"
#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

Date period_day(const char* text) {
  return *parse_date(text);
}

std::string why_not_closed(const char* month, const char* today, const char* closed_through, const char* first) {
  LedgerDays days{period_day(today), {}, {}};
  if (*closed_through) days.closed_through = period_day(closed_through);
  if (*first) days.first = period_day(first);
  const auto refusal = refusal_of_close(*Month::parse(month), days);
  return refusal ? refusal->message : "";
}

std::string moved_to(const char* effective_on, const char* closed_through) {
  auto transaction =
      LedgerTransaction::of({}, {"deposit", "x"}, *parse_timestamp("2026-11-20T12:00:00Z"), period_day(effective_on));
  keep_out_of_closed(transaction, *closed_through ? std::optional(period_day(closed_through)) : std::nullopt);
  return format_date(transaction.effective_on) +
         (transaction.occurred_on ? " from " + format_date(*transaction.occurred_on) : "");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ledger_period)

BOOST_AUTO_TEST_CASE(a_month_has_its_days) {
  BOOST_TEST(format_date(Month::parse("2028-02")->first_day()) == "2028-02-01");
  BOOST_TEST(format_date(Month::parse("2028-02")->last_day()) == "2028-02-29");
  BOOST_TEST(format_date(Month::parse("2026-12")->last_day()) == "2026-12-31");
  BOOST_TEST(Month::parse("2026-12")->next().text() == "2027-01");
  BOOST_TEST(Month::of(period_day("2026-11-30")).text() == "2026-11");
  for (const char* none : {"", "2026", "2026-13", "2026-1", "2026-00", "26-01", "2026/01", "2026-01-01"})
    BOOST_TEST(!Month::parse(none), none);
}

BOOST_AUTO_TEST_CASE(a_month_is_closed_after_its_end_and_after_those_before_it) {
  const std::string running = "This period has not ended. Close it after 2026-10-31 (UTC).";
  BOOST_TEST(why_not_closed("2026-10", "2026-10-31", "", "") == running);
  BOOST_TEST(why_not_closed("2026-10", "2026-11-01", "", "") == "");
  BOOST_TEST(why_not_closed("2026-10", "2026-11-01", "", "2026-10-01") == "");
  BOOST_TEST(why_not_closed("2026-10", "2026-11-01", "", "2026-11-01") == "");
  BOOST_TEST(why_not_closed("2026-10", "2026-11-01", "", "2026-08-31") ==
             "An earlier period is open. Close 2026-08 first.");
  BOOST_TEST(why_not_closed("2026-10", "2026-11-01", "2026-09-30", "2026-08-31") == "");
  BOOST_TEST(why_not_closed("2026-10", "2026-11-01", "2026-08-31", "2026-08-31") ==
             "An earlier period is open. Close 2026-09 first.");
  BOOST_TEST(why_not_closed("2026-03", "2026-11-01", "2026-05-31", "2026-05-01") ==
             "This period is before the last closed one, and closed with it.");
}

BOOST_AUTO_TEST_CASE(a_closed_day_is_left_for_the_first_open_one) {
  BOOST_TEST(moved_to("2026-10-31", "") == "2026-10-31");
  BOOST_TEST(moved_to("2026-11-01", "2026-10-31") == "2026-11-01");
  BOOST_TEST(moved_to("2026-10-31", "2026-10-31") == "2026-11-01 from 2026-10-31");
  BOOST_TEST(moved_to("2025-12-31", "2026-10-31") == "2026-11-01 from 2025-12-31");
}

BOOST_AUTO_TEST_CASE(a_day_far_from_the_posting_counts_as_a_mistake) {
  BOOST_TEST(moved_to("2006-11-20", "") == "2026-11-20 from 2006-11-20");
  BOOST_TEST(moved_to("2126-11-20", "") == "2026-11-20 from 2126-11-20");
  BOOST_TEST(moved_to("2027-02-28", "") == "2027-02-28");  // 100 days later
}

BOOST_AUTO_TEST_CASE(a_transaction_without_a_day_of_its_own_takes_effect_when_it_is_posted) {
  const auto at = *parse_timestamp("2026-11-20T23:59:59Z");
  BOOST_TEST(format_date(LedgerTransaction::of({}, {"deposit", "x"}, at).effective_on) == "2026-11-20");
  BOOST_TEST(format_date(LedgerTransaction::of({}, {"deposit", "x"}, at, Date{}).effective_on) == "2026-11-20");
  BOOST_TEST(format_date(LedgerTransaction::of({}, {"deposit", "x"}, at, period_day("2026-11-18")).effective_on) ==
             "2026-11-18");
}

BOOST_AUTO_TEST_CASE(advances_are_aged_in_days_since_their_funding) {
  for (const auto& [days, bucket] :
       {std::pair(-1, 0), std::pair(0, 0), std::pair(30, 0), std::pair(31, 1), std::pair(60, 1), std::pair(61, 2),
        std::pair(90, 2), std::pair(91, 3), std::pair(120, 3), std::pair(121, 4), std::pair(9'999, 4)}) {
    PayerOutstanding payer;
    add_outstanding(payer, days, {1, Money::cents(5)});
    BOOST_TEST(payer.buckets[static_cast<std::size_t>(bucket)].amount == Money::cents(5), days);
    BOOST_TEST(payer.total.count == 1);
  }
}

BOOST_AUTO_TEST_CASE(accounts_have_the_codes_of_the_general_ledger) {
  const auto parsed =
      AccountMap::parse({{"purchased_receivable:*", "1200 Purchased receivables"}, {"fee_income", "4100"}});
  const auto& accounts = std::get<AccountMap>(parsed);
  BOOST_TEST(accounts.of("purchased_receivable:stl_1").code == "1200");
  BOOST_TEST(accounts.of("purchased_receivable:stl_1").name == "Purchased receivables");
  BOOST_TEST(accounts.of("fee_income").code == "4100");
  BOOST_TEST(accounts.of("fee_income").name == "");
  BOOST_TEST(accounts.of("fee_income2").code == "");
  BOOST_TEST(accounts.of("funding_cash").code == "");
}

BOOST_AUTO_TEST_CASE(one_message_names_all_accounts_that_are_not_valid) {
  const auto complaint = std::get<std::string>(
      AccountMap::parse({{"cash", "1"}, {"bank:*", "2"}, {"fee_income", "=1 x"}, {"funding_cash", "1010 Cash"}}));
  BOOST_TEST(complaint.starts_with("unknown accounts: bank:*, cash; use funding_cash, "), complaint);
  BOOST_TEST(complaint.ends_with(": fee_income"), complaint);
}

BOOST_AUTO_TEST_SUITE_END()
