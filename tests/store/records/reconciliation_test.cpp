// DepositRecords, RemittanceRecords and ReconciliationRecords.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

std::optional<Deposit> find_deposit(StoreUnderTest& store, std::uint64_t n) {
  return store.seen(
      [&](const ports::Records& records) { return records.deposits().find(kTenant, id_of<DepositId>(n)); });
}

std::optional<Remittance> find_remittance(StoreUnderTest& store, std::uint64_t n) {
  return store.seen(
      [&](const ports::Records& records) { return records.remittances().find(kTenant, id_of<RemittanceId>(n)); });
}

/// As sample_deposit's was received on the 60th and its remittance was paid on the 70th.
Date day(int days) {
  return sample_deposit(1).received_date.plus(days - 60);
}

/// The last digits of the ids, in the order given.
template <class Objects>
std::string order(const Objects& objects) {
  std::string digits;
  for (const auto& object : objects) digits += object.id.text().back();
  return digits;
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

BOOST_DATA_TEST_CASE(forward_balances_of_a_payer_are_summed_and_their_takers_are_found, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const auto remittance = [](std::uint64_t n, std::int64_t adjustment, std::int64_t carried) {
    auto made = sample_remittance(n);
    made.draft.provider_adjustments = {{"FB", "", Money::cents(adjustment)}};
    made.carried = Money::cents(carried);
    return made;
  };
  auto others = remittance(6, -900, 900);
  others.draft.payer_id = "PAYER-B";
  auto carrier = remittance(1, -500, 500);
  carrier.claims.push_back(carrier.claims.back());
  carrier.claims.back().index = static_cast<int>(carrier.claims.size()) - 1;
  carrier.claims.back().claim.paid_amount = Money::cents(-500);
  store.write([&](ports::Records& records) {
    // Carries 500; takes 300 of it; takes 400, of which 100 are taken; takes 700 and has no money yet; carries nothing.
    for (const auto& made : {carrier, remittance(2, 300, -300), remittance(3, 400, -100), remittance(4, 700, 0),
                             remittance(5, 0, 0), others})
      records.remittances().insert(kTenant, made);
    for (const std::uint64_t n : {2, 3})
      records.remittances().link_deposit(kTenant, id_of<RemittanceId>(n), id_of<DepositId>(n));
  });
  const auto carried = [&] {
    return store.seen(
        [](const ports::Records& records) { return records.remittances().carried_by(kTenant, "PAYER-A"); });
  };
  const auto taking = [&](std::size_t limit = 9) {
    std::string digits;
    for (const auto& id : store.seen(
             [&](const ports::Records& records) { return records.remittances().taking_of(kTenant, "PAYER-A", limit); }))
      digits += id.text().back();
    return digits;
  };
  const auto moved = [&](std::size_t limit) {
    return store.seen(
        [&](const ports::Records& records) { return records.remittances().moved_balances(kTenant, "PAYER-A", limit); });
  };
  BOOST_TEST(order(moved(9)) == "123");
  BOOST_TEST(order(moved(2)) == "23", "the latest");
  BOOST_TEST(moved(9).front().claims.size() == 1u, "of its claims the one that it takes back");
  BOOST_TEST(carried().cents() == 100);
  BOOST_TEST(taking() == "3");
  store.write(
      [&](ports::Records& records) { records.remittances().update_adjustments(kTenant, remittance(2, 300, -200)); });
  BOOST_TEST(taking() == "23");
  BOOST_TEST(taking(1) == "3", "the latest");
  auto posted = remittance(3, 400, -100);
  for (auto& claim : posted.claims) claim.state = RemittanceClaimRecord::State::posted;
  auto waits = remittance(2, 300, -200);
  for (auto& claim : waits.claims) claim.state = RemittanceClaimRecord::State::waiting;
  for (auto* changed : {&posted, &waits})
    changed->draft.payment_amount =
        balance_of(changed->draft).claims_total - balance_of(changed->draft).provider_adjustments_total;
  store.write([&](ports::Records& records) {
    for (const auto* changed : {&posted, &waits}) records.remittances().update_status(kTenant, *changed);
  });
  BOOST_TEST(taking(1) == "2", "of which claims wait");
  store.write(
      [&](ports::Records& records) { records.remittances().update_adjustments(kTenant, remittance(2, 300, -300)); });
  store.write(
      [&](ports::Records& records) { records.remittances().update_adjustments(kTenant, remittance(3, 400, -400)); });
  BOOST_TEST(carried().cents() == -200);
  BOOST_TEST(taking() == "");
  BOOST_TEST(order(store.seen([](const ports::Records& records) {
               return records.remittances().waiting_of_payer(kTenant, "PAYER-A", MoneyRange::any(), std::nullopt, 9);
             })) == "145");
}

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
      return records.remittances().another_with_trace(kTenant, sample_remittance(1));
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

BOOST_DATA_TEST_CASE(deposits_are_listed_by_status_and_payer_in_pages, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto matched = sample_deposit(2), other_payer = sample_deposit(3);
  matched.status = MatchState::matched;
  other_payer.payer_id = "PAYER-B";
  store.write([&](ports::Records& records) {
    for (const auto& deposit : {other_payer, matched, sample_deposit(1)}) records.deposits().insert(kTenant, deposit);
  });
  const auto listed = [&](const ports::DepositFilter& filter, const std::string& after = "", std::size_t limit = 9) {
    return order(store.seen(
        [&](const ports::Records& records) { return records.deposits().list(kTenant, filter, after, limit); }));
  };
  BOOST_TEST(listed({}) == "123");
  BOOST_TEST(listed({}, sample_deposit(1).id.text(), 1) == "2");
  BOOST_TEST(listed({MatchState::unmatched, ""}) == "13");
  BOOST_TEST(listed({std::nullopt, "PAYER-B"}) == "3");
}

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
           return records.remittances().list(kTenant, {status, payer, {}}, "", 9);
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

BOOST_AUTO_TEST_SUITE_END()
