// LedgerRecords: effective days, balances as of a day, closed periods.
#include <atomic>
#include <barrier>
#include <thread>

#include "core/store/records/funding/ledger_store.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

Date day(const char* text) {
  return *parse_date(text);
}

LedgerTransaction moved(std::uint64_t n, const char* effective_on, std::int64_t cents,
                        LedgerPhase phase = LedgerPhase::posted, std::optional<std::uint64_t> resolves = {}) {
  auto made =
      LedgerTransaction::of(id_of<LedgerTransactionId>(n), {"disbursement", "cause", {}}, kNow, day(effective_on));
  made.phase = phase;
  if (resolves) made.resolves = id_of<LedgerTransactionId>(*resolves);
  made.debit("purchased_receivable:A", Money::cents(cents)).credit("funding_cash", Money::cents(cents));
  return made;
}

struct Periods {
  explicit Periods(sql::Dialect engine) : store(engine) {
    store.write([](ports::Records& records) {
      records.clients().insert_tenant(sample_tenant(kTenant), kNow);
      records.clients().insert_tenant(sample_tenant(kOtherTenant), kNow);
    });
  }
  void append(const LedgerTransaction& transaction, const TenantId& tenant = kTenant) {
    store.write([&](ports::Records& records) { records.ledger().append(tenant, transaction); });
  }
  LedgerPeriod close(const char* month) {
    return store.written([&](ports::Records& records) {
      LedgerPeriod period;
      period.month = *Month::parse(month);
      period.closed_before = records.ledger().closed_through(kTenant);
      period.closed_at = kNow;
      period.closed_by = ClientId::trusted("cli_1");
      return records.ledger().close(kTenant, period);
    });
  }
  /// "funding_cash -5 0; purchased_receivable:A 5 0"
  std::string balances(const char* as_of, bool with_settled = false) {
    std::string text;
    for (const auto& balance : store.seen([&](const ports::Records& records) {
           return records.ledger().balances(kTenant,
                                            {"", 99, as_of ? std::optional(day(as_of)) : std::nullopt, with_settled});
         }))
      text += (text.empty() ? "" : "; ") + balance.account + ' ' + std::to_string(balance.posted.cents()) + ' ' +
              std::to_string(balance.pending.cents());
    return text;
  }
  std::string offenders() {
    return store.seen([](const ports::Records& records) {
      std::string text;
      const auto rules = records.invariants().rules();
      for (std::size_t rule = 0; rule < rules.size(); ++rule)
        for (const auto& offender : records.invariants().offenders(rule, 5))
          if (rules[rule].find("closed period") != std::string_view::npos || rules[rule].starts_with("closed"))
            text += std::string(rules[rule].substr(0, 20)) + ": " + offender + "; ";
      return text;
    });
  }
  std::optional<Date> closed_through() {
    return store.seen([](const ports::Records& records) { return records.ledger().closed_through(kTenant); });
  }

  StoreUnderTest store;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(store_ledger_periods)

BOOST_DATA_TEST_CASE(balances_of_a_day_count_what_took_effect_by_it, bdata::make(engines()), engine) {
  Periods in(engine);
  in.append(moved(1, "2026-09-30", 500));
  in.append(moved(2, "2026-10-01", 70));
  in.append(moved(3, "2026-10-31", -570));
  BOOST_TEST(in.balances("2026-09-29") == "");
  BOOST_TEST(in.balances("2026-09-30") == "funding_cash -500 0; purchased_receivable:A 500 0");
  BOOST_TEST(in.balances("2026-10-30") == "funding_cash -570 0; purchased_receivable:A 570 0");
  // A receivable of zero is listed on request only.
  BOOST_TEST(in.balances("2026-10-31") == "funding_cash 0 0");
  BOOST_TEST(in.balances("2026-10-31", true) == "funding_cash 0 0; purchased_receivable:A 0 0");
  BOOST_TEST(in.balances(nullptr) == "funding_cash 0 0");
  BOOST_TEST(in.balances(nullptr, true) == "funding_cash 0 0; purchased_receivable:A 0 0");
}

BOOST_DATA_TEST_CASE(what_is_pending_on_a_day_ends_with_the_transaction_that_resolves_it, bdata::make(engines()),
                     engine) {
  Periods in(engine);
  in.append(moved(1, "2026-09-30", 500, LedgerPhase::pending));
  in.append(moved(2, "2026-10-02", 500, LedgerPhase::posted, 1));
  in.append(moved(3, "2026-09-30", 70, LedgerPhase::pending));
  in.append(moved(4, "2026-10-01", 70, LedgerPhase::voided, 3));
  BOOST_TEST(in.balances("2026-09-30") == "funding_cash 0 -570; purchased_receivable:A 0 570");
  BOOST_TEST(in.balances("2026-10-01") == "funding_cash 0 -500; purchased_receivable:A 0 500");
  BOOST_TEST(in.balances("2026-10-02") == "funding_cash -500 0; purchased_receivable:A 500 0");
}

BOOST_DATA_TEST_CASE(a_close_stores_balances_from_which_later_days_are_summed, bdata::make(engines()), engine) {
  Periods in(engine);
  in.append(moved(1, "2026-08-15", 500));
  in.append(moved(2, "2026-09-15", 70, LedgerPhase::pending));
  in.append(moved(3, "2026-10-15", 30));
  in.append(moved(4, "2026-09-01", 9), kOtherTenant);
  const std::string september = in.balances("2026-09-30"), october = in.balances("2026-10-31");
  const auto closed = in.close("2026-09");
  BOOST_TEST(closed.balances == 2);
  BOOST_TEST(closed.balances_sha256.size() == 64u);
  BOOST_TEST((in.closed_through() == day("2026-09-30")));
  BOOST_TEST(in.balances("2026-09-30") == september);
  BOOST_TEST(in.balances("2026-10-31") == october);
  BOOST_TEST(in.balances("2026-08-31") == "funding_cash -500 0; purchased_receivable:A 500 0");
  BOOST_TEST(in.offenders() == "");
  in.close("2026-10");
  BOOST_TEST(in.offenders() == "");
  const auto periods = in.store.seen([](const ports::Records& records) { return records.ledger().periods(kTenant); });
  BOOST_REQUIRE(periods.size() == 2u);
  BOOST_TEST(periods[0].month.text() == "2026-09");
  BOOST_TEST(!periods[0].closed_before);
  BOOST_TEST((periods[1].closed_before == day("2026-09-30")));
  in.store.write([&](ports::Records& records) { records.ledger().reopen(kTenant, periods[1]); });
  BOOST_TEST((in.closed_through() == day("2026-09-30")));
  BOOST_TEST(in.balances("2026-10-31") == october);
  in.store.write([&](ports::Records& records) { records.ledger().reopen(kTenant, periods[0]); });
  BOOST_TEST(!in.closed_through());
  BOOST_TEST(in.offenders() == "");
}

BOOST_DATA_TEST_CASE(a_changed_closed_period_breaks_a_rule, bdata::make(engines()), engine) {
  const auto broken_by = [&](sql::Sql change) {
    Periods in(engine);
    in.append(moved(1, "2026-09-15", 500));
    in.close("2026-09");
    in.store.run_past_the_store(change);
    in.store.reopen();
    const auto stored = in.store.seen([](const ports::Records& records) {
      const auto period = records.ledger().periods(kTenant).front();
      return period.balances_sha256 == records.ledger().digest_of_closing(kTenant, period.month);
    });
    return in.offenders() + (stored ? "" : "digest");
  };
  BOOST_TEST(broken_by("UPDATE tenants SET name = 'same' WHERE id = ''") == "");
  BOOST_TEST(broken_by("UPDATE ledger_closings SET posted_cents = posted_cents + 1 WHERE account = 'funding_cash'") ==
             "the closing balances: 2026-09; digest");
  BOOST_TEST(broken_by("DELETE FROM ledger_closings WHERE account = 'funding_cash'") ==
             "the closing balances: 2026-09; digest");
  BOOST_TEST(broken_by("UPDATE tenants SET closed_through = NULL WHERE closed_through IS NOT NULL")
                 .starts_with("closed periods follo"));
  // A transaction that appears in a closed month after its close.
  Periods in(engine);
  in.append(moved(1, "2026-09-15", 500));
  in.close("2026-09");
  in.append(moved(2, "2026-09-16", 1));
  BOOST_TEST(in.offenders() == "the closing balances: 2026-09; the closing balances: 2026-09; ");
}

BOOST_DATA_TEST_CASE(the_journal_is_in_order_of_the_effective_day, bdata::make(engines()), engine) {
  Periods in(engine);
  in.append(moved(1, "2026-10-02", 1));
  in.append(moved(2, "2026-10-01", 2));
  in.append(moved(3, "2026-10-02", 3));
  in.append(moved(4, "2026-10-01", 4, LedgerPhase::pending));
  const auto page = [&](const JournalPlace& after, std::size_t limit) {
    std::string text;
    for (const auto& one : in.store.seen([&](const ports::Records& records) {
           return records.ledger().journal(kTenant, {day("2026-10-01"), day("2026-10-02")}, after, limit);
         }))
      text += std::to_string(one.entries.front().amount.cents());
    return text;
  };
  BOOST_TEST(page({}, 9) == "213");
  BOOST_TEST(page({}, 1) == "2");
  BOOST_TEST(page({day("2026-10-01"), id_of<LedgerTransactionId>(2).text()}, 9) == "13");
  BOOST_TEST(page({day("2026-10-02"), id_of<LedgerTransactionId>(1).text()}, 9) == "3");
}

BOOST_DATA_TEST_CASE(a_practice_is_owed_what_took_effect_by_the_day, bdata::make(engines()), engine) {
  Periods in(engine);
  const auto owe = [&](std::uint64_t n, const char* on, std::int64_t cents, const char* npi) {
    auto made = LedgerTransaction::of(id_of<LedgerTransactionId>(n), {"reconciliation", "rec", {}}, kNow, day(on));
    made.debit("suspense_unmatched", Money::cents(cents));
    made.credit(account::provider_payable(kTenant), Money::cents(cents), {"PAYER-A", npi});
    in.append(made);
  };
  owe(1, "2026-09-10", 500, "1999999984");
  owe(2, "2026-10-10", 30, "1999999984");
  owe(3, "2026-10-11", 7, "1234567893");
  for (const bool is_closed : {false, true}) {
    if (is_closed) in.close("2026-09");
    const auto owed = [&](const char* on) {
      return in.store.seen([&](const ports::Records& records) {
        return records.ledger().owed_to(kTenant, "1999999984", day(on)).cents();
      });
    };
    BOOST_TEST(owed("2026-09-09") == 0);
    BOOST_TEST(owed("2026-09-30") == 500);
    BOOST_TEST(owed("2026-10-31") == 530);
    const auto payees = in.store.seen(
        [&](const ports::Records& records) { return records.ledger().payees(kTenant, "", 9, day("2026-10-10")); });
    BOOST_REQUIRE(payees.size() == 1u);
    BOOST_TEST(payees[0].payers.at(0).owed.cents() == 530);
  }
  const auto movements = in.store.seen([&](const ports::Records& records) {
    return records.ledger().movements_of(kTenant, "1999999984", {day("2026-10-01"), day("2026-10-31")}, {}, 9);
  });
  BOOST_REQUIRE(movements.size() == 1u);
  BOOST_TEST(movements[0].amount.cents() == 30);
  BOOST_TEST(movements[0].payer_id == "PAYER-A");
}

BOOST_DATA_TEST_CASE(a_close_and_postings_at_the_same_time_leave_sums_that_hold, bdata::make(engines()), engine) {
  Periods in(engine);
  in.append(moved(1, "2026-09-01", 1));
  constexpr int kPosters = 8;
  std::barrier start(kPosters + 1);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kPosters; ++thread)
      threads.emplace_back([&, thread] {
        start.arrive_and_wait();
        for (int i = 0; i < 10; ++i)
          in.store.write([&](ports::Records& records) {
            records.clients().guard_matching(kTenant);
            auto late = moved(static_cast<std::uint64_t>(100 + thread * 10 + i), "2026-09-15", 1);
            keep_out_of_closed(late, records.ledger().closed_through(kTenant));
            records.ledger().append(kTenant, late);
          });
      });
    threads.emplace_back([&] {
      start.arrive_and_wait();
      in.store.write([&](ports::Records& records) {
        records.clients().guard_matching(kTenant);
        LedgerPeriod period;
        period.month = *Month::parse("2026-09");
        period.closed_by = ClientId::trusted("cli_1");
        records.ledger().close(kTenant, period);
      });
    });
  }
  BOOST_TEST(in.offenders() == "");
  BOOST_TEST(in.balances(nullptr) == "funding_cash -81 0; purchased_receivable:A 81 0");
}

BOOST_AUTO_TEST_SUITE_END()
