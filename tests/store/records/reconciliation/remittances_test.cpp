// RemittanceRecords: what is stored of a remittance, which ones wait, forward balances, and lists.
#include <optional>
#include <string>
#include <string_view>

#include "tests/store/records/reconciliation/payments.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

std::optional<Remittance> find_remittance(StoreUnderTest& store, std::uint64_t n) {
  return store.seen(
      [&](const ports::Records& records) { return records.remittances().find(kTenant, id_of<RemittanceId>(n)); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_reconciliation)

BOOST_DATA_TEST_CASE(a_remittance_comes_back_whole_with_its_claims, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto linked = sample_remittance(1);
  linked.deposit = id_of<DepositId>(1);
  Remittance bare;
  bare.id = id_of<RemittanceId>(2);
  store.write([&](ports::Records& records) {
    records.remittances().insert(kTenant, linked);
    records.remittances().insert(kTenant, bare);
  });
  BOOST_TEST(shown(find_remittance(store, 1)) == shown(linked));
  BOOST_TEST(shown(find_remittance(store, 2)) == shown(bare));
  BOOST_TEST(!find_remittance(store, 3));
  const auto by_content = store.seen(
      [&](const ports::Records& records) { return records.remittances().find_same(kTenant, sample_remittance(1)); });
  BOOST_TEST(shown(by_content) == shown(linked));
}

BOOST_DATA_TEST_CASE(the_same_remittance_is_stored_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto again = sample_remittance(2);
  again.content_sha256 = sample_remittance(1).content_sha256;
  store.write([&](ports::Records& records) { records.remittances().insert(kTenant, sample_remittance(1)); });
  const auto second =
      store.try_to_write([&](ports::Records& records) { records.remittances().insert(kTenant, again); });
  BOOST_TEST(second.value() == ErrorCode::conflict);
  BOOST_TEST(!find_remittance(store, 2));
}

BOOST_DATA_TEST_CASE(a_remittance_whose_claims_have_no_records_is_refused, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto forgotten = sample_remittance(1);
  forgotten.claims.clear();
  const auto refused =
      store.try_to_write([&](ports::Records& records) { records.remittances().insert(kTenant, forgotten); });
  BOOST_TEST(refused.value() == ErrorCode::internal_error);
}

BOOST_DATA_TEST_CASE(remittances_wait_by_trace_or_by_payer_until_a_deposit_is_linked, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    auto other_trace = sample_remittance(3);
    other_trace.draft.trace_number = "TRACE-B";
    auto other_payer = sample_remittance(4);
    other_payer.draft.payer_id = "PAYER-B";
    auto other_amount = sample_remittance(5);
    other_amount.draft.payment_amount += Money::cents(1);
    for (const auto& remittance :
         {sample_remittance(2), sample_remittance(1), other_trace, other_payer, other_amount}) {
      records.remittances().insert(kTenant, remittance);
    }
  });
  const auto waiting = [&](std::string_view trace, std::string_view payer) {
    return store.seen([&](const ports::Records& records) {
      return trace.empty()
                 ? records.remittances().waiting_of_payer(
                       kTenant, payer, MoneyRange::just(sample_remittance(1).draft.payment_amount), std::nullopt, 9)
                 : records.remittances().waiting_with_trace(kTenant, trace, MoneyRange::any(), 9);
    });
  };
  BOOST_TEST(order(waiting("TRACE-A", "PAYER-A")) == "1245");
  BOOST_TEST(waiting("TRACE-A", "PAYER-A").front().claims.empty());  // they are read for the one that is taken
  BOOST_TEST(shown(balance_of(waiting("TRACE-A", "PAYER-A").front().draft).difference) ==
             shown(balance_of(sample_remittance(1).draft).difference));
  BOOST_TEST(order(waiting("", "PAYER-A")) == "123");
  store.write([&](ports::Records& records) {
    records.remittances().link_deposit(kTenant, id_of<RemittanceId>(1), id_of<DepositId>(6));
  });
  BOOST_TEST(order(waiting("TRACE-A", "PAYER-A")) == "245");
  BOOST_TEST(shown(find_remittance(store, 1)->deposit) == id_of<DepositId>(6).text());
  store.write([&](ports::Records& records) {
    records.remittances().link_deposit(kTenant, id_of<RemittanceId>(1), std::nullopt);
  });
  BOOST_TEST(order(waiting("TRACE-A", "PAYER-A")) == "1245");
}

BOOST_DATA_TEST_CASE(another_remittance_of_a_trace_number_is_found_unless_it_is_another_payer_s, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  auto other_payer = sample_remittance(2), without_payer = sample_remittance(3), without_money = sample_remittance(4),
       takes_back = sample_remittance(5);
  other_payer.draft.payer_id = "PAYER-B";
  without_payer.draft.payer_id = "";
  without_money.draft.payment_amount = takes_back.draft.payment_amount = Money{};
  without_money.draft.provider_adjustments.clear();
  takes_back.draft.provider_adjustments = {{"FB", "", Money::cents(-100)}};  // a balance to be withheld later
  const auto found = [&] {
    return shown(store.seen([&](const ports::Records& records) {
      return records.remittances().another_with_trace(kTenant, sample_remittance(1), std::nullopt);
    }));
  };
  store.write([&](ports::Records& records) {
    for (const auto& remittance : {sample_remittance(1), other_payer, without_money})
      records.remittances().insert(kTenant, remittance);
  });
  BOOST_TEST(found() == "none");
  store.write([&](ports::Records& records) { records.remittances().insert(kTenant, takes_back); });
  BOOST_TEST(found() == takes_back.id.text());
  store.write([&](ports::Records& records) { records.remittances().insert(kTenant, without_payer); });
  BOOST_TEST(found() == without_payer.id.text());
}

BOOST_DATA_TEST_CASE(remittances_are_listed_by_status, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto posted = sample_remittance(1), held = sample_remittance(2), waiting = sample_remittance(3);
  for (auto* remittance : {&posted, &waiting}) {
    for (auto& record : remittance->claims) record.state = RemittanceClaimRecord::State::waiting;
    remittance->draft.payment_amount += balance_of(remittance->draft).difference;
  }
  held.draft.payment_amount = posted.draft.payment_amount + Money::cents(1);
  store.write([&](ports::Records& records) {
    for (const auto& remittance : {posted, held, waiting}) records.remittances().insert(kTenant, remittance);
  });
  const auto with = [&](std::optional<RemittanceStatus> status, std::string_view payer = {}) {
    std::string found;
    for (const auto& one : store.seen([&](const ports::Records& records) {
           return records.remittances().list(kTenant, {status, payer, {}}, {"", 9});
         }))
      found += one.remittance.id == posted.id ? '1' : one.remittance.id == held.id ? '2' : '3';
    return found;
  };
  BOOST_TEST(with(RemittanceStatus::received) == "13");
  for (auto& record : posted.claims) record.state = RemittanceClaimRecord::State::posted;
  store.write([&](ports::Records& records) { records.remittances().update_status(kTenant, posted); });
  BOOST_TEST(with(RemittanceStatus::received) == "3");
  BOOST_TEST(with(RemittanceStatus::posted) == "1");
  BOOST_TEST(with(RemittanceStatus::posted, "PAYER-OTHER") == "");
  BOOST_TEST(with(RemittanceStatus::unbalanced) == "2");
  BOOST_TEST(with(std::nullopt) == "123");
}

BOOST_DATA_TEST_CASE(the_outcome_of_one_claim_is_written_to_that_claim, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.remittances().insert(kTenant, sample_remittance(1)); });
  auto expected = sample_remittance(1);
  auto& claim = expected.claims[1];
  claim.state = RemittanceClaimRecord::State::unmatched;
  claim.settlement = id_of<SettlementId>(5);
  claim.record = id_of<ReconciliationId>(6);
  store.write(
      [&](ports::Records& records) { records.remittances().update_claim(kTenant, id_of<RemittanceId>(1), claim); });
  BOOST_TEST(shown(find_remittance(store, 1)) == shown(expected));
}

BOOST_DATA_TEST_CASE(a_remittance_is_the_same_by_its_content_or_by_its_payer, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.remittances().insert(kTenant, sample_remittance(1)); });
  const auto found = [&](const std::string& content, const std::string& payerless, const std::string& payer) {
    auto arriving = sample_remittance(2);
    arriving.content_sha256 = content;
    arriving.payerless_sha256 = payerless;
    arriving.draft.payer_id = payer;
    return store.seen([&](const ports::Records& records) { return records.remittances().find_same(kTenant, arriving); })
        .has_value();
  };
  const auto& known = sample_remittance(1);
  BOOST_TEST(found(known.content_sha256, "other", "PAYER-B"));
  BOOST_TEST(found("other", known.payerless_sha256, "PAYER-A"));
  BOOST_TEST(!found("other", known.payerless_sha256, "PAYER-B"));
  BOOST_TEST(!found("other", known.payerless_sha256, ""));
}

BOOST_DATA_TEST_CASE(a_payment_that_lacks_its_takeback_is_found_by_its_trace_number, bdata::make(engines()), engine) {
  using State = RemittanceClaimRecord::State;
  StoreUnderTest store(engine);
  std::uint64_t number = 0;
  const auto settlement = [](std::uint64_t n, std::int64_t charge) {
    auto stored = sample_settlement(n);
    stored.settlement.billed.charge = Money::cents(charge);
    return stored;
  };
  const auto remittance = [&](const std::string& prefix, std::uint64_t of, State state = State::posted) {
    auto made = sample_remittance(++number);
    made.draft.trace_number = prefix + id_of<SettlementId>(of).text();
    made.claims[0].settlement = id_of<SettlementId>(of);
    made.claims[0].state = state;
    return made;
  };
  store.write([&](ports::Records& records) {
    for (const auto& tenant : {kTenant, kOtherTenant}) records.clients().insert_tenant(sample_tenant(tenant), kNow);
    for (const std::uint64_t n : {1, 2, 3, 5}) records.settlements().insert(kTenant, settlement(n, 100'005));
    records.settlements().insert(kTenant, settlement(4, 100'001));
    records.settlements().insert(kOtherTenant, settlement(6, 200'005));
    for (const std::uint64_t n : {1, 3, 4}) records.remittances().insert(kTenant, remittance("Made-paid-", n));
    records.remittances().insert(kTenant, remittance("Made-paid-", 2, State::waiting));
    records.remittances().insert(kTenant, remittance("Made-other-", 5));
    records.remittances().insert(kTenant, remittance("Made-back-", 3));
    records.remittances().insert(kOtherTenant, remittance("Made-paid-", 6));
  });
  const auto found = [&](std::string_view after, std::size_t limit) {
    return shown(store.seen([&](const ports::Records& records) {
      return records.remittances().posted_without(5, "Made-paid-", "Made-back-", after, limit);
    }));
  };
  const auto first = std::pair(kTenant, id_of<SettlementId>(1)), last = std::pair(kOtherTenant, id_of<SettlementId>(6));
  BOOST_TEST(found("", 9) == shown(std::vector{first, last}));
  BOOST_TEST(found("", 1) == shown(std::vector{first}));
  BOOST_TEST(found(first.second.text(), 9) == shown(std::vector{last}));
}

BOOST_AUTO_TEST_SUITE_END()
