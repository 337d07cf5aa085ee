// ReconciliationRecords and MatchRecords, and what waits by day.
#include <optional>
#include <utility>
#include <vector>

#include "tests/store/records/reconciliation/payments.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

BOOST_AUTO_TEST_SUITE(store_reconciliation)

BOOST_DATA_TEST_CASE(match_candidates_come_back_whole_by_subject_and_by_candidate, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const MatchCandidate whole{id_of<MatchCandidateId>(1), "rmt_1", {},
                             MatchStep::trace_number,    "dep_1", MatchVerdict::rejected,
                             {"amount_differs", ""},     kNow};
  const MatchCandidate not_found{id_of<MatchCandidateId>(2), "rmt_1",           {},  MatchStep::amount_and_date, "",
                                 MatchVerdict::rejected,     {"nothing_found"}, kNow};
  const MatchCandidate first{id_of<MatchCandidateId>(3), "rmt_1", 0,   MatchStep::claim_identifier, "stl_1",
                             MatchVerdict::taken,        {},      kNow};
  const MatchCandidate second{id_of<MatchCandidateId>(4), "rmt_1", 1,   MatchStep::claim_identifier, "stl_2",
                              MatchVerdict::taken,        {},      kNow};
  store.write([&](ports::Records& records) {
    for (const auto& candidate : {second, first, not_found, whole}) records.matches().insert(kTenant, candidate);
  });
  const auto of_subject = [&](std::optional<int> claim) {
    return shown(store.seen(
        [&](const ports::Records& records) { return records.matches().of_subject(kTenant, "rmt_1", claim, 9); }));
  };
  BOOST_TEST(of_subject(1) == shown(std::vector{whole, not_found, second}));
  BOOST_TEST(of_subject({}) == shown(std::vector{whole, not_found}));
  const auto of_candidate =
      store.seen([&](const ports::Records& records) { return records.matches().of_candidate(kTenant, "stl_1", 9); });
  BOOST_TEST(shown(of_candidate) == shown(std::vector{first}));
}

BOOST_DATA_TEST_CASE(the_records_of_one_deposit_are_found_by_it, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto other = sample_record(2, 1);
  other.deposit = id_of<DepositId>(2);
  store.write([&](ports::Records& records) {
    for (const auto& record : {sample_record(3, 2), other, sample_record(1, 1)})
      records.reconciliations().insert(kTenant, record);
  });
  const auto found = store.seen([&](const ports::Records& records) {
    return records.reconciliations().of_deposit(kTenant, id_of<DepositId>(1));
  });
  BOOST_TEST(shown(found) == shown(std::vector{sample_record(1, 1), sample_record(3, 2)}));
}

BOOST_DATA_TEST_CASE(reconciliation_records_come_back_whole_and_oldest_first, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto bare = sample_record(1, 1);
  bare.deposit = std::nullopt;
  bare.remittance = std::nullopt;
  store.write([&](ports::Records& records) {
    records.reconciliations().insert(kTenant, sample_record(2, 1));
    records.reconciliations().insert(kTenant, bare);
    records.reconciliations().insert(kTenant, sample_record(3, 2));
  });
  const auto of = [&](std::uint64_t settlement) {
    return store.seen([&](const ports::Records& records) {
      return records.reconciliations().of(kTenant, id_of<SettlementId>(settlement));
    });
  };
  BOOST_TEST(shown(of(1)) == shown(std::vector{bare, sample_record(2, 1)}));
  BOOST_TEST(of(9).empty());
}

BOOST_DATA_TEST_CASE(a_settlement_s_records_are_numbered_and_each_number_is_given_once, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  auto late = sample_record(1, 1);  // its node's clock is behind
  late.number = 2;
  auto early = sample_record(2, 1);
  early.number = 1;
  store.write([&](ports::Records& records) {
    records.reconciliations().insert(kTenant, early);
    records.reconciliations().insert(kTenant, late);
  });
  BOOST_TEST(shown(store.seen([](const ports::Records& records) {
               return records.reconciliations().of(kTenant, id_of<SettlementId>(1));
             })) == shown(std::vector{early, late}));
  auto second = sample_record(3, 1);
  second.number = 2;
  BOOST_TEST(
      store.try_to_write([&](ports::Records& records) { records.reconciliations().insert(kTenant, second); }).value() ==
      ErrorCode::conflict);
}

BOOST_DATA_TEST_CASE(waiting_deposits_and_remittances_are_found_by_day, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto late = sample_deposit(2);
  late.received_date = day(90);
  late.effective_date = std::nullopt;
  auto late_remittance = sample_remittance(2);
  late_remittance.draft.payment_date = day(90);
  store.write([&](ports::Records& records) {
    for (const auto& deposit : {sample_deposit(1), late}) records.deposits().insert(kTenant, deposit);
    for (const auto& remittance : {sample_remittance(1), late_remittance})
      records.remittances().insert(kTenant, remittance);
  });
  const auto waiting = [&](Date from, Date to) {
    return store.seen([&](const ports::Records& records) {
      const std::optional<DateRange> days = DateRange{from, to};
      return order(records.deposits().waiting_of_payer(kTenant, "PAYER-A", MoneyRange::any(), days, 9)) + ' ' +
             order(records.remittances().waiting_of_payer(kTenant, "PAYER-A", MoneyRange::any(), days, 9));
    });
  };
  BOOST_TEST(waiting(day(90), day(90)) == "2 2");
  BOOST_TEST(waiting(day(61), day(61)) == "1 ");  // by its effective date
  BOOST_TEST(waiting(day(62), day(70)) == " 1");
  BOOST_TEST(waiting(day(91), day(99)) == " ");
}

BOOST_DATA_TEST_CASE(links_of_a_decision_are_found_whole_by_its_task, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  constexpr std::uint64_t kMany = 300;
  const auto task = id_of<TaskId>(7);
  const auto candidate = [&](std::uint64_t n, MatchStep step, MatchReasons reasons) {
    return MatchCandidate{id_of<MatchCandidateId>(n), "subject",          std::nullopt, step, "candidate",
                          MatchVerdict::taken,        std::move(reasons), kNow};
  };
  store.write([&](ports::Records& records) {
    for (std::uint64_t n = 1; n <= kMany; ++n)
      records.matches().insert(kTenant, candidate(n, MatchStep::person, {task.text()}));
    records.matches().insert(kTenant, candidate(kMany + 1, MatchStep::person, {id_of<TaskId>(8).text()}));
    records.matches().insert(kTenant, candidate(kMany + 2, MatchStep::trace_number, {}));
  });
  BOOST_TEST(
      store.seen([&](const ports::Records& records) { return records.matches().of_task(kTenant, task); }).size() ==
      kMany);
  const auto joined_by = store.seen(
      [&](const ports::Records& records) { return records.matches().joined_by(kTenant, "candidate", "subject"); });
  BOOST_TEST((joined_by == MatchStep::trace_number));  // the last word counts
  BOOST_TEST(!store.seen(
      [&](const ports::Records& records) { return records.matches().joined_by(kTenant, "candidate", "other"); }));
}

BOOST_AUTO_TEST_SUITE_END()
