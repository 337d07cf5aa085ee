// SettlementRecords: settlements and the attempts to fund them.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

std::optional<ports::StoredSettlement> settlement_in(StoreUnderTest& store, std::uint64_t n) {
  return store.seen(
      [&](const ports::Records& records) { return records.settlements().find(kTenant, id_of<SettlementId>(n)); });
}

bool update(StoreUnderTest& store, const ports::StoredSettlement& stored) {
  return store.written([&](ports::Records& records) { return records.settlements().update(kTenant, stored); });
}

std::optional<ErrorCode> insert(StoreUnderTest& store, const ports::StoredSettlement& stored) {
  return store.try_to_write([&](ports::Records& records) { records.settlements().insert(kTenant, stored); });
}

/// Settlement n of claim 1.
ports::StoredSettlement of_claim_one(std::uint64_t n, SettlementStatus status) {
  auto stored = sample_settlement(n);
  stored.settlement.claim_id = id_of<ClaimId>(1);
  stored.settlement.status = status;
  return stored;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_settlements)

BOOST_DATA_TEST_CASE(a_settlement_comes_back_whole, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  ports::StoredSettlement bare;
  bare.settlement.id = id_of<SettlementId>(2);
  store.write([&](ports::Records& records) {
    records.settlements().insert(kTenant, sample_settlement(1));
    records.settlements().insert(kTenant, bare);
  });
  BOOST_TEST(shown(settlement_in(store, 1)) == shown(sample_settlement(1)));
  BOOST_TEST(shown(settlement_in(store, 2)) == shown(bare));
  BOOST_TEST(!settlement_in(store, 3));
}

BOOST_DATA_TEST_CASE(the_portfolio_sums_by_payer_by_provider_and_over_thirty_days, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto today = Date::from_days(20'000);
  auto other = of_claim_one(2, SettlementStatus::canceled);  // of another payer, to the same provider
  other.settlement.payer_id = "PAYER-B";
  auto elsewhere = of_claim_one(3, SettlementStatus::canceled);
  elsewhere.settlement.billed.billing_npi = "1234567893";
  const auto add = [&](std::uint64_t n, int days, PortfolioChange change) {
    store.write([&](ports::Records& records) {
      records.settlements().add_to_portfolio(kTenant, id_of<SettlementId>(n), today.plus(days), change);
    });
  };
  const auto sums_of = [&](std::string_view payer, std::string_view npi) {
    return store.seen([&](const ports::Records& records) {
      const auto sums = records.settlements().portfolio(kTenant, payer, npi, today);
      return std::vector<std::int64_t>{sums.payer_open.cents(), sums.provider_open.cents(), sums.advanced.cents(),
                                       sums.lost.cents()};
    });
  };
  using Sums = std::vector<std::int64_t>;
  BOOST_TEST(sums_of("PAYER-A", "1999999984") == (Sums{0, 0, 0, 0}), boost::test_tools::per_element());
  store.write([&](ports::Records& records) {
    for (const auto& stored : {of_claim_one(1, SettlementStatus::canceled), other, elsewhere})
      records.settlements().insert(kTenant, stored);
  });
  add(1, -30, {Money::cents(500), Money::cents(500), {}});  // a day too old for the sums over days
  add(1, -29, {Money::cents(70), Money::cents(70), {}});
  add(2, 0, {Money::cents(8), Money::cents(8), {}});
  add(3, 0, {Money::cents(3'000), Money::cents(3'000), {}});
  add(1, -2, {Money::cents(-100), {}, Money::cents(40)});
  add(1, -2, {{}, {}, Money::cents(-1)});
  add(1, -1, {{}, Money::cents(-5), Money::cents(-6)});  // a day on which more came back than went out hides nothing
  add(1, 1, {{}, Money::cents(90'000), Money::cents(90'000)});  // by another clock
  BOOST_TEST(sums_of("PAYER-A", "1999999984") == (Sums{3'470, 478, 3'078, 39}), boost::test_tools::per_element());
  BOOST_TEST(sums_of("PAYER-B", "1234567893") == (Sums{8, 3'000, 3'078, 39}), boost::test_tools::per_element());
  BOOST_TEST(sums_of("PAYER-C", "") == (Sums{0, 0, 3'078, 39}), boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(an_update_writes_what_may_change_and_raises_the_version, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  BOOST_REQUIRE(!insert(store, sample_settlement(1)));
  auto changed = sample_settlement(1);
  auto& settlement = changed.settlement;
  settlement.decision = Decision::manual_review;
  settlement.decision_reasons = {"other"};
  settlement.status = SettlementStatus::canceled;
  settlement.cancel_reason = "requested";
  settlement.terms = {1, Money::cents(2), 3, Money::cents(4)};
  settlement.funding = {"RTP", {}, Date::from_days(5), false, {}};
  settlement.fallback = {"FUTURE_DATE"};
  settlement.funding_status = FundingStatus::canceled;
  settlement.payout_account_token = Sensitive<std::string>("tok_other");
  settlement.funded_amount = std::nullopt;
  settlement.funded_at = std::nullopt;
  changed.confirm_key = "other key";
  BOOST_TEST(update(store, changed));
  settlement.version += 1;
  BOOST_TEST(shown(settlement_in(store, 1)) == shown(changed));
}

BOOST_DATA_TEST_CASE(an_update_from_an_old_version_changes_nothing, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  BOOST_REQUIRE(!insert(store, sample_settlement(1)));
  auto late = sample_settlement(1);
  late.settlement.version -= 1;
  late.confirm_key = "late";
  BOOST_TEST(!update(store, late));
  BOOST_TEST(shown(settlement_in(store, 1)) == shown(sample_settlement(1)));
  auto unknown = sample_settlement(9);
  BOOST_TEST(!update(store, unknown));
}

BOOST_DATA_TEST_CASE(a_claim_has_one_live_settlement, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  BOOST_REQUIRE(!insert(store, of_claim_one(1, SettlementStatus::pending_confirmation)));
  BOOST_TEST(insert(store, of_claim_one(2, SettlementStatus::approved)).value() == ErrorCode::conflict);
  BOOST_TEST(!insert(store, of_claim_one(3, SettlementStatus::declined)));
  BOOST_TEST(!insert(store, of_claim_one(4, SettlementStatus::canceled)));

  auto canceled = *settlement_in(store, 1);
  canceled.settlement.status = SettlementStatus::canceled;
  BOOST_REQUIRE(update(store, canceled));
  BOOST_TEST(!insert(store, of_claim_one(5, SettlementStatus::pending_confirmation)));
  BOOST_TEST(insert(store, of_claim_one(6, SettlementStatus::funded)).value() == ErrorCode::conflict);
}

BOOST_DATA_TEST_CASE(the_live_and_the_latest_settlement_of_a_claim_are_found, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto live = [&] {
    return store.seen(
        [&](const ports::Records& records) { return records.settlements().live_of(kTenant, id_of<ClaimId>(1)); });
  };
  const auto latest = [&] {
    return store.seen(
        [&](const ports::Records& records) { return records.settlements().latest_of(kTenant, id_of<ClaimId>(1)); });
  };
  BOOST_TEST(!live());
  BOOST_TEST(!latest());
  BOOST_REQUIRE(!insert(store, of_claim_one(2, SettlementStatus::approved)));
  BOOST_REQUIRE(!insert(store, of_claim_one(3, SettlementStatus::declined)));
  BOOST_REQUIRE(!insert(store, of_claim_one(1, SettlementStatus::canceled)));
  BOOST_TEST(shown(live()) == shown(of_claim_one(2, SettlementStatus::approved)));
  BOOST_TEST(shown(latest()) == shown(of_claim_one(3, SettlementStatus::declined)));
}

BOOST_DATA_TEST_CASE(awaiting_payment_are_funded_ones_of_that_payer_and_amount_without_a_record, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    auto other_payer = sample_settlement(3);
    other_payer.settlement.payer_id = "PAYER-B";
    auto other_amount = sample_settlement(4);
    other_amount.settlement.expected_reimbursement = Money::cents(80'001);
    auto not_funded = sample_settlement(5);
    not_funded.settlement.status = SettlementStatus::approved;
    for (const auto& stored : {sample_settlement(2), sample_settlement(1), other_payer, other_amount, not_funded,
                               sample_settlement(6), sample_settlement(7)}) {
      records.settlements().insert(kTenant, stored);
    }
    records.reconciliations().insert(kTenant, sample_record(1, 6));
    records.reconciliations().insert(kOtherTenant, sample_record(2, 7));
  });
  const auto awaiting = [&](std::size_t limit) {
    return store.seen([&](const ports::Records& records) {
      return records.settlements().awaiting_payment(kTenant, "PAYER-A", MoneyRange::just(Money::cents(80'000)),
                                                    std::nullopt, limit);
    });
  };
  BOOST_TEST(shown(awaiting(9)) == shown(std::vector{sample_settlement(1).settlement, sample_settlement(2).settlement,
                                                     sample_settlement(7).settlement}));
  BOOST_TEST(awaiting(1).size() == 1);
}

BOOST_DATA_TEST_CASE(a_receivable_is_open_from_the_funding_until_it_is_closed_or_the_settlement_ends,
                     bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto open = [&](Date latest, const ports::Overdue& after = {}, std::size_t limit = 9) {
    std::string digits;
    for (const auto& one :
         store.seen([&](const ports::Records& records) { return records.settlements().overdue(latest, after, limit); }))
      digits += one.settlement.text().back();
    return digits;
  };
  const auto fund = [&](std::uint64_t n, int day, const std::string& payer) {
    auto stored = sample_settlement(n);
    stored.settlement.status = SettlementStatus::approved;
    stored.settlement.expected_payment_date = Date::from_days(day);
    stored.settlement.payer_id = payer;
    BOOST_REQUIRE(!insert(store, stored));
    stored.settlement.status = SettlementStatus::funded;
    BOOST_REQUIRE(update(store, stored));
    ++stored.settlement.version;
    return stored;
  };
  fund(1, 20'100, "PAYER-A");
  auto second = fund(2, 20'000, "PAYER-A");
  fund(3, 20'050, "PAYER-B");
  BOOST_TEST(open(Date::from_days(20'100)) == "231");
  BOOST_TEST(open(Date::from_days(20'099)) == "23");
  BOOST_TEST(open(Date::from_days(20'100), {Date::from_days(20'050), id_of<SettlementId>(3), kTenant}) == "1");
  BOOST_TEST(open(Date::from_days(20'100), {}, 1) == "2");

  auto record = sample_record(1, 3);
  record.split.recovered = Money::cents(3'999);
  store.write([&](ports::Records& records) { records.reconciliations().insert(kTenant, record); });
  const auto aging = [&] {
    return store.seen(
        [](const ports::Records& records) { return records.settlements().aging(kTenant, Date::from_days(20'100)); });
  };
  const auto ages = aging();
  BOOST_REQUIRE(ages.size() == 2u);
  BOOST_TEST(ages[0].payer_id == "PAYER-A");
  BOOST_TEST(ages[0].buckets[0].amount.cents() == 63'999);  // due today
  BOOST_TEST(ages[0].buckets[4].amount.cents() == 63'999);  // 100 days
  BOOST_TEST(ages[0].total.count == 2);
  BOOST_TEST(ages[1].buckets[2].amount.cents() == 60'000);  // 50 days
  BOOST_TEST(ages[1].total.amount.cents() == 60'000);

  store.write(
      [&](ports::Records& records) { records.settlements().set_receivable(kTenant, id_of<SettlementId>(1), false); });
  BOOST_TEST(open(Date::from_days(20'100)) == "23");
  BOOST_REQUIRE(update(store, second));  // changes nothing about it
  BOOST_TEST(open(Date::from_days(20'100)) == "23");
  ++second.settlement.version;
  second.settlement.status = SettlementStatus::canceled;
  BOOST_REQUIRE(update(store, second));
  BOOST_TEST(open(Date::from_days(20'100)) == "3");
  BOOST_TEST(aging().size() == 1u);
}

BOOST_DATA_TEST_CASE(owed_residuals_are_queued_until_they_are_claimed, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  for (std::uint64_t n = 1; n <= 4; ++n) {
    auto stored = sample_settlement(n);
    stored.settlement.payout_status = n == 3   ? FundingStatus::rejected
                                      : n == 2 ? FundingStatus::submitted
                                               : FundingStatus::none;
    BOOST_REQUIRE(!insert(store, stored));
  }
  const auto add = [&](std::uint64_t n, std::int64_t cents) {
    store.write([&](ports::Records& records) {
      records.settlements().add_residual_due(kTenant, id_of<SettlementId>(n), Money::cents(cents));
    });
  };
  for (std::uint64_t n = 1; n <= 3; ++n) add(n, 1'000);
  add(1, 700);
  add(2, -1);
  const auto queued = [&](std::int64_t minimum, const std::string& after = "", std::size_t limit = 9) {
    std::string digits;
    for (const auto& [tenant, id] : store.seen([&](const ports::Records& records) {
           return records.settlements().residuals_due(Money::cents(minimum), after, limit);
         })) {
      BOOST_TEST((tenant == kTenant));
      digits += id.text().back();
    }
    return digits;
  };
  BOOST_TEST(queued(1) == "12");
  BOOST_TEST(queued(1'000) == "1");
  BOOST_TEST(queued(1, id_of<SettlementId>(1).text()) == "2");
  BOOST_TEST(queued(1, "", 1) == "1");
}

BOOST_DATA_TEST_CASE(payouts_are_counted_apart_from_the_advance, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto payout = sample_attempt(1, 2);
  payout.purpose = domain::Purpose::residual;
  payout.number = 1;
  store.write([&](ports::Records& records) {
    records.settlements().insert_attempt(kTenant, sample_attempt(1, 1));
    records.settlements().insert_attempt(kTenant, payout);
  });
  const auto latest = [&](domain::Purpose purpose) {
    return store.seen([&](const ports::Records& records) {
      return records.settlements().latest_attempt(kTenant, id_of<SettlementId>(1), purpose);
    });
  };
  BOOST_TEST(shown(latest(domain::Purpose::advance)) == shown(sample_attempt(1, 1)));
  BOOST_TEST(shown(latest(domain::Purpose::residual)) == shown(payout));
  payout.state = AttemptState::rejected;
  BOOST_TEST(store.written([&](ports::Records& records) {
    return records.settlements().update_attempt(kTenant, payout, payout.epoch, AttemptState::unknown);
  }));
  BOOST_TEST(shown(latest(domain::Purpose::advance)) == shown(sample_attempt(1, 1)));
  BOOST_TEST(store
                 .seen([](const ports::Records& records) {
                   return records.settlements().payouts_of(kTenant, id_of<SettlementId>(1));
                 })
                 .size() == 1u);
}

BOOST_DATA_TEST_CASE(the_latest_attempt_comes_back_whole, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto latest = [&](std::uint64_t settlement) {
    return store.seen([&](const ports::Records& records) {
      return records.settlements().latest_attempt(kTenant, id_of<SettlementId>(settlement), domain::Purpose::advance);
    });
  };
  BOOST_TEST(!latest(1));
  store.write([&](ports::Records& records) {
    records.settlements().insert_attempt(kTenant, sample_attempt(1, 2));
    records.settlements().insert_attempt(kTenant, sample_attempt(1, 10));
    records.settlements().insert_attempt(kTenant, sample_attempt(1, 1));
    records.settlements().insert_attempt(kTenant, sample_attempt(2, 11));
  });
  BOOST_TEST(shown(latest(1)) == shown(sample_attempt(1, 10)));
}

BOOST_DATA_TEST_CASE(an_attempt_number_and_a_rail_key_are_used_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto insert_attempt = [&](const TenantId& tenant, const DisbursementAttempt& attempt) {
    return store.try_to_write([&](ports::Records& records) { records.settlements().insert_attempt(tenant, attempt); });
  };
  BOOST_REQUIRE(!insert_attempt(kTenant, sample_attempt(1, 1)));
  auto same_number = sample_attempt(1, 2);
  same_number.number = 1;
  BOOST_TEST(insert_attempt(kTenant, same_number).value() == ErrorCode::conflict);
  auto same_key = sample_attempt(2, 1);
  same_key.rail_key = sample_attempt(1, 1).rail_key;
  BOOST_TEST(insert_attempt(kTenant, same_key).value() == ErrorCode::conflict);
  BOOST_TEST(insert_attempt(kOtherTenant, same_key).value() == ErrorCode::conflict);
  BOOST_TEST(!insert_attempt(kTenant, sample_attempt(1, 2)));
}

BOOST_DATA_TEST_CASE(an_attempt_changes_only_from_the_expected_epoch_and_state, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.settlements().insert_attempt(kTenant, sample_attempt(1, 1)); });
  auto changed = sample_attempt(1, 1);
  changed.state = AttemptState::rejected;
  changed.epoch = 3;
  changed.rail_reference = "other reference";
  changed.reason_code = "R03";
  changed.reason = "other reason";
  changed.resolve_tries = 7;
  changed.next_resolve_at = kNow.plus_ms(100);
  changed.in_progress = false;
  changed.updated_at = kNow.plus_ms(101);
  const auto update_attempt = [&](int epoch, AttemptState state) {
    return store.written(
        [&](ports::Records& records) { return records.settlements().update_attempt(kTenant, changed, epoch, state); });
  };
  const auto latest = [&] {
    return store.seen([&](const ports::Records& records) {
      return records.settlements().latest_attempt(kTenant, id_of<SettlementId>(1), domain::Purpose::advance);
    });
  };
  BOOST_TEST(!update_attempt(1, AttemptState::unknown));
  BOOST_TEST(!update_attempt(2, AttemptState::submitting));
  BOOST_TEST(shown(latest()) == shown(sample_attempt(1, 1)));
  BOOST_TEST(update_attempt(2, AttemptState::unknown));
  BOOST_TEST(shown(latest()) == shown(changed));
  BOOST_TEST(!update_attempt(2, AttemptState::unknown));
}

BOOST_DATA_TEST_CASE(due_attempts_are_open_ones_of_all_tenants_oldest_first, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto attempt = [](std::uint64_t n, AttemptState state, std::int64_t due_in_ms) {
    auto made = sample_attempt(n, 1);
    made.state = state;
    made.next_resolve_at = kNow.plus_ms(due_in_ms);
    return made;
  };
  store.write([&](ports::Records& records) {
    auto& settlements = records.settlements();
    settlements.insert_attempt(kTenant, attempt(1, AttemptState::unknown, 0));
    settlements.insert_attempt(kOtherTenant, attempt(2, AttemptState::intent, -2));
    settlements.insert_attempt(kTenant, attempt(3, AttemptState::submitting, -1));
    settlements.insert_attempt(kTenant, attempt(4, AttemptState::unknown, 1));
    std::uint64_t n = 5;
    for (const auto ended : {AttemptState::accepted, AttemptState::settled, AttemptState::rejected,
                             AttemptState::returned, AttemptState::manual}) {
      settlements.insert_attempt(kTenant, attempt(n++, ended, -9));
    }
  });
  const auto due = [&](std::size_t limit) {
    return store.seen(
        [&](const ports::Records& records) { return records.settlements().attempts_due("node-a", kNow, limit); });
  };
  const auto second = std::pair(kOtherTenant, attempt(2, AttemptState::intent, -2));
  const auto third = std::pair(kTenant, attempt(3, AttemptState::submitting, -1));
  const auto first = std::pair(kTenant, attempt(1, AttemptState::unknown, 0));
  BOOST_TEST(shown(due(9)) == shown(std::vector{second, third, first}));
  BOOST_TEST(shown(due(2)) == shown(std::vector{second, third}));
  const auto followed =
      store.seen([](const ports::Records& records) { return records.settlements().payments_to_follow(kNow, 9); });
  BOOST_TEST(shown(followed) == shown(std::vector{std::pair(kTenant, attempt(5, AttemptState::accepted, -9)),
                                                  std::pair(kTenant, attempt(6, AttemptState::settled, -9))}));
}

BOOST_DATA_TEST_CASE(rails_with_undecided_payments_are_named_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    std::uint64_t n = 1;
    for (const auto& [rail, state] : {std::pair{"A", AttemptState::accepted},
                                      {"B", AttemptState::unknown},
                                      {"B", AttemptState::intent},
                                      {"C", AttemptState::submitting},
                                      {"D", AttemptState::settled},
                                      {"E", AttemptState::rejected},
                                      {"F", AttemptState::returned},
                                      {"G", AttemptState::manual}}) {
      auto attempt = sample_attempt(n, 1);
      attempt.rail = rail;
      attempt.state = state;
      records.settlements().insert_attempt(++n % 2 == 0 ? kTenant : kOtherTenant, attempt);
    }
  });
  const auto rails = store.seen([](const ports::Records& records) { return records.settlements().rails_under_way(); });
  BOOST_TEST((rails == std::vector<std::string>{"A", "B", "C"}));
}

BOOST_DATA_TEST_CASE(attempts_are_found_by_their_key_and_by_the_time_of_their_creation, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const auto made = [](std::uint64_t n, std::int64_t after_ms) {
    auto attempt = sample_attempt(n, 1);
    attempt.created_at = kNow.plus_ms(after_ms);
    return attempt;
  };
  store.write([&](ports::Records& records) {
    records.settlements().insert_attempt(kTenant, made(1, -1));
    records.settlements().insert_attempt(kOtherTenant, made(2, 0));
    records.settlements().insert_attempt(kTenant, made(3, 9));
    records.settlements().insert_attempt(kTenant, made(4, 10));
  });
  const auto between = [&](std::string_view after, std::size_t limit) {
    return store.seen([&](const ports::Records& records) {
      return records.settlements().attempts_between(kNow, kNow.plus_ms(10), after, limit);
    });
  };
  const auto second = std::pair(kOtherTenant, made(2, 0)), third = std::pair(kTenant, made(3, 9));
  BOOST_TEST(shown(between("", 9)) == shown(std::vector{second, third}));
  BOOST_TEST(shown(between("", 1)) == shown(std::vector{second}));
  BOOST_TEST(shown(between(second.second.id.text(), 9)) == shown(std::vector{third}));
  const auto by_key = [&](const std::string& key) {
    return store.seen([&](const ports::Records& records) { return records.settlements().find_attempt(key); });
  };
  BOOST_TEST(shown(by_key(second.second.rail_key)) == shown(std::optional(second)));
  BOOST_TEST(!by_key("no such key"));
}

BOOST_DATA_TEST_CASE(lapsed_are_unconfirmed_ones_at_rest_the_longest_ago_first, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto with = [](std::uint64_t n, SettlementStatus status, FundingStatus funding, std::int64_t expired_ms_ago) {
    auto stored = sample_settlement(n);
    stored.settlement.status = status;
    stored.settlement.funding_status = funding;
    stored.settlement.expires_at = kNow.plus_ms(-expired_ms_ago);
    return stored;
  };
  store.write([&](ports::Records& records) {
    auto& settlements = records.settlements();
    settlements.insert(kTenant, with(1, SettlementStatus::approved, FundingStatus::rejected, 0));
    settlements.insert(kOtherTenant, with(2, SettlementStatus::pending_confirmation, FundingStatus::none, 5));
    settlements.insert(kTenant, with(3, SettlementStatus::pending_confirmation, FundingStatus::none, -1));
    settlements.insert(kTenant, with(4, SettlementStatus::approved, FundingStatus::unknown, 5));
    settlements.insert(kTenant, with(5, SettlementStatus::funded, FundingStatus::settled, 5));
    settlements.insert(kTenant, with(6, SettlementStatus::canceled, FundingStatus::none, 5));
  });
  const auto lapsed = [&](std::size_t limit) {
    return store.seen([&](const ports::Records& records) { return records.settlements().lapsed(kNow, limit); });
  };
  const auto second = std::pair(kOtherTenant, id_of<SettlementId>(2)),
             first = std::pair(kTenant, id_of<SettlementId>(1));
  BOOST_TEST(shown(lapsed(9)) == shown(std::vector{second, first}));
  BOOST_TEST(shown(lapsed(1)) == shown(std::vector{second}));
}

BOOST_AUTO_TEST_SUITE_END()
