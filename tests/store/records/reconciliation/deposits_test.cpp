// DepositRecords: what is stored of a deposit, which ones wait, and lists.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/store/records/reconciliation/payments.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

std::optional<Deposit> find_deposit(StoreUnderTest& store, std::uint64_t n) {
  return store.seen(
      [&](const ports::Records& records) { return records.deposits().find(kTenant, id_of<DepositId>(n)); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_reconciliation)

BOOST_DATA_TEST_CASE(a_deposit_comes_back_whole, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  Deposit bare;
  bare.id = id_of<DepositId>(2);
  store.write([&](ports::Records& records) {
    records.deposits().insert(kTenant, sample_deposit(1));
    records.deposits().insert(kTenant, bare);
  });
  BOOST_TEST(shown(find_deposit(store, 1)) == shown(sample_deposit(1)));
  BOOST_TEST(shown(find_deposit(store, 2)) == shown(bare));
  BOOST_TEST(!find_deposit(store, 3));
  const auto by_external = store.seen(
      [&](const ports::Records& records) { return records.deposits().find_external(kTenant, "external-1"); });
  BOOST_TEST(shown(by_external) == shown(sample_deposit(1)));
}

BOOST_DATA_TEST_CASE(a_returned_deposit_has_its_day_and_reason_and_repeats_none_after_its_return,
                     bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto returned = sample_deposit(1);
  store.write([&](ports::Records& records) { records.deposits().insert(kTenant, returned); });
  returned.status = MatchState::returned;
  returned.returned_date = returned.received_date.plus(1);
  returned.return_reason = "stop payment";
  store.write([&](ports::Records& records) { records.deposits().set_returned(kTenant, returned); });
  const auto found = find_deposit(store, 1);
  BOOST_TEST((found->status == MatchState::returned));
  BOOST_TEST((found->returned_date == returned.returned_date));
  BOOST_TEST(found->return_reason == "stop payment");
  const auto repeats = [&](int days_later) {
    auto again = sample_deposit(2);
    again.received_date = again.received_date.plus(days_later);
    return store
        .seen([&](const ports::Records& records) {
          return records.deposits().reported_twice(kTenant, again, {returned.received_date, again.received_date}, 9);
        })
        .size();
  };
  BOOST_TEST(repeats(1) == 1u);  // a late report of the same money
  BOOST_TEST(repeats(2) == 0u);  // deposited again
}

BOOST_DATA_TEST_CASE(an_external_id_is_unique_where_it_is_given, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto insert = [&](std::uint64_t n, const std::string& external_id) {
    auto deposit = sample_deposit(n);
    deposit.external_id = external_id;
    return store.try_to_write([&](ports::Records& records) { records.deposits().insert(kTenant, deposit); });
  };
  BOOST_TEST(!insert(1, "same"));
  BOOST_TEST(insert(2, "same").value() == ErrorCode::conflict);
  BOOST_TEST(!insert(3, ""));
  BOOST_TEST(!insert(4, ""));
}

BOOST_DATA_TEST_CASE(deposits_wait_by_trace_or_by_payer_until_they_are_matched, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    auto other_trace = sample_deposit(3);
    other_trace.trace_number = "TRACE-B";
    auto other_payer = sample_deposit(4);
    other_payer.payer_id = "PAYER-B";
    auto other_amount = sample_deposit(5);
    other_amount.amount += Money::cents(1);
    for (const auto& deposit : {sample_deposit(2), sample_deposit(1), other_trace, other_payer, other_amount}) {
      records.deposits().insert(kTenant, deposit);
    }
  });
  const auto waiting = [&](std::string_view trace, std::string_view payer) {
    return order(store.seen([&](const ports::Records& records) {
      return trace.empty() ? records.deposits().waiting_of_payer(
                                 kTenant, payer, MoneyRange::just(sample_deposit(1).amount), std::nullopt, 9)
                           : records.deposits().waiting_with_trace(kTenant, trace, MoneyRange::any(), 9);
    }));
  };
  BOOST_TEST(waiting("TRACE-A", "PAYER-A") == "1245");
  BOOST_TEST(waiting("00trace-a ", "PAYER-A") == "1245");
  BOOST_TEST(waiting("TRACEA", "PAYER-A") == "");
  BOOST_TEST(waiting("", "PAYER-A") == "123");
  BOOST_TEST(waiting("", "PAYER-C") == "");

  auto matched = sample_deposit(1);
  matched.status = MatchState::partly_matched;
  matched.matched_amount = Money::cents(5);
  store.write([&](ports::Records& records) { records.deposits().update_match(kTenant, matched); });
  BOOST_TEST(waiting("TRACE-A", "PAYER-A") == "245");
  BOOST_TEST(waiting("", "PAYER-A") == "23");
  BOOST_TEST(shown(find_deposit(store, 1)) == shown(matched));
}

BOOST_DATA_TEST_CASE(deposits_that_another_stands_for_are_found_by_it, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto pooled = sample_deposit(2);
  pooled.pooled_into = id_of<DepositId>(1);
  store.write([&](ports::Records& records) {
    for (const auto& deposit : {sample_deposit(1), sample_deposit(2), sample_deposit(3)})
      records.deposits().insert(kTenant, deposit);
    records.deposits().update_match(kTenant, pooled);
  });
  const auto found = store.seen(
      [](const ports::Records& records) { return records.deposits().pooled_into(kTenant, id_of<DepositId>(1)); });
  BOOST_TEST(shown(found) == shown(std::vector{pooled}));
  const auto waiting = [&](std::size_t limit) {
    return order(store.seen([&](const ports::Records& records) {
      return records.deposits().waiting_of_payer(kTenant, "PAYER-A", MoneyRange::any(), std::nullopt, limit);
    }));
  };
  BOOST_TEST(waiting(9) == "123");
  BOOST_TEST(waiting(2) == "12");
}

BOOST_DATA_TEST_CASE(deposits_are_listed_by_status_and_payer_in_pages, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto matched = sample_deposit(2), other_payer = sample_deposit(3);
  matched.status = MatchState::matched;
  other_payer.payer_id = "PAYER-B";
  store.write([&](ports::Records& records) {
    for (const auto& deposit : {other_payer, matched, sample_deposit(1)}) records.deposits().insert(kTenant, deposit);
  });
  const auto listed = [&](const ports::DepositFilter& filter, const std::string& after = "", std::size_t limit = 9) {
    return order(store.seen([&](const ports::Records& records) {
      return records.deposits().list(kTenant, filter, {after, limit});
    }));
  };
  BOOST_TEST(listed({}) == "123");
  BOOST_TEST(listed({}, sample_deposit(1).id.text(), 1) == "2");
  BOOST_TEST(listed({MatchState::unmatched, ""}) == "13");
  BOOST_TEST(listed({std::nullopt, "PAYER-B"}) == "3");
}

BOOST_DATA_TEST_CASE(possible_duplicates_are_found_by_number_or_payer_amount_and_day, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto known = sample_deposit(2), same_channel = sample_deposit(3), other_amount = sample_deposit(4),
       duplicate = sample_deposit(5), far = sample_deposit(6), other_number = sample_deposit(7),
       other_payer = sample_deposit(8), neither = sample_deposit(9);
  known.channel = "api";
  other_amount.channel = duplicate.channel = far.channel = "api";
  other_amount.amount += Money::cents(1);
  duplicate.status = MatchState::duplicate;
  far.received_date = day(99);
  other_number.trace_number = neither.trace_number = "T0";
  other_payer.payer_id = neither.payer_id = "OTHER";
  store.write([&](ports::Records& records) {
    for (const auto& deposit : {known, same_channel, other_amount, duplicate, far, other_number, other_payer, neither})
      records.deposits().insert(kTenant, deposit);
  });
  BOOST_TEST(order(store.seen([](const ports::Records& records) {
               return records.deposits().reported_twice(kTenant, sample_deposit(1), {day(58), day(62)}, 9);
             })) == "2378");
}

BOOST_AUTO_TEST_SUITE_END()
