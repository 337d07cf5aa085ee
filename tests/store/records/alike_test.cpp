// AlikeRecords: what is found by a claim number in another form, by the payer's number and by what was billed; in rows
// of older databases too.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

constexpr const char* kNumber = "CLINIC-7-VISIT-2026-000123";

/// Settlement 1 for kNumber; remittance 1 posts claim 0 to it, under a number of the payer's, and says of claim 1 what
/// it belongs to nothing.
void write_both(StoreUnderTest& store) {
  auto settlement = sample_settlement(1);
  settlement.settlement.claim_identifier = kNumber;
  auto remittance = sample_remittance(1);
  remittance.draft.claims = {remittance.draft.claims[0], remittance.draft.claims[0]};
  remittance.draft.claims[1].claim_identifier = "clm/77";
  remittance.draft.provider_adjustments.clear();
  remittance.draft.payment_amount = Money::cents(40'000);
  remittance.claims[0].claim = remittance.draft.claims[0];
  remittance.claims[1] = {1, remittance.draft.claims[1], RemittanceClaimRecord::State::unmatched, {}, {}};
  store.write([&](ports::Records& records) {
    records.settlements().insert(kTenant, settlement);
    records.remittances().insert(kTenant, remittance);
  });
}

/// What all look-ups find: "numbered cut payer's answers".
std::string found(StoreUnderTest& store, const TenantId& tenant = kTenant) {
  return store.seen([&](const ports::Records& records) {
    const auto& alike = records.alike();
    std::string counts;
    for (const auto count : {alike.advances_numbered(tenant, "C11N1C7V1S1T2026000123", "", {}, 9).size(),
                             alike.advances_numbered(tenant, "C11N1C7V1S1T2026", "", {}, 9).size(),
                             alike.advances_known_as(tenant, "C1A1M1ATTHEPAYER", 9).size(),
                             alike.answers_numbered(tenant, {"C1M77", "C1M78"}, std::nullopt, 9).size()})
      counts += std::to_string(count) + ' ';
    return counts;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_alike)

BOOST_DATA_TEST_CASE(numbers_are_found_in_their_forms_of_one_tenant, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  write_both(store);
  BOOST_TEST(found(store) == "1 1 1 1 ");
  BOOST_TEST(found(store, kOtherTenant) == "0 0 0 0 ");
}

BOOST_DATA_TEST_CASE(rows_of_an_older_database_are_found_from_the_next_start_on, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  write_both(store);
  store.run_past_the_store("UPDATE settlements SET numbered = 0");
  store.run_past_the_store("DELETE FROM advance_numbers");
  store.run_past_the_store("UPDATE remittance_claims SET number_form = NULL, payer_number_form = NULL");
  store.reopen();
  BOOST_TEST(found(store) == "1 1 1 1 ");
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM settlements WHERE numbered = 0") == 0);
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM remittance_claims WHERE number_form IS NULL") == 0);
}

BOOST_DATA_TEST_CASE(an_old_row_whose_key_is_missing_leaves_the_other_rows_to_be_found, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  write_both(store);
  auto second = sample_settlement(2);
  second.settlement.claim_identifier = "CLM-77";
  store.write([&](ports::Records& records) { records.settlements().insert(kTenant, second); });
  store.run_past_the_store("UPDATE settlements SET numbered = 0");
  store.run_past_the_store("DELETE FROM advance_numbers");
  store.run_past_the_store("UPDATE remittance_claims SET number_form = NULL, payer_number_form = NULL");
  // The bytes behind the version and the length name the key.
  store.run_past_the_store(
      {"UPDATE settlements SET claim_identifier = CAST(substr(claim_identifier, 1, 2) || 'other' || "
       "substr(claim_identifier, 8) AS BLOB) WHERE id LIKE '%1'",
       "UPDATE settlements SET claim_identifier = CONCAT(SUBSTR(claim_identifier, 1, 2), 'other', "
       "SUBSTR(claim_identifier, 8)) WHERE id LIKE '%1'"});
  store.reopen();
  BOOST_TEST(found(store) == "0 0 1 1 ");
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM settlements WHERE numbered = 0") == 1);
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM remittance_claims WHERE number_form IS NULL") == 0);
  store.reopen();
  BOOST_TEST(store.failures().find("other") != std::string::npos, store.failures());
  BOOST_TEST(store.seen([](const ports::Records& records) {
    return records.alike().advances_numbered(kTenant, "C1M77", "", {}, 9).size();
  }) == 1u);
}

BOOST_DATA_TEST_CASE(advances_are_found_by_payer_charge_and_day_where_something_is_owed, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const auto day = Date::from_days(20'000);
  const auto insert = [&](std::uint64_t n, std::optional<Date> service, bool is_open,
                          std::optional<FinalStatus> ended = std::nullopt, const char* payer = "PAYER-A") {
    auto stored = sample_settlement(n);
    stored.settlement.billed.charge = Money::cents(100'000);
    stored.settlement.billed.date_of_service = service;
    stored.settlement.payer_id = payer;
    store.write([&](ports::Records& records) {
      records.settlements().insert(kTenant, stored);
      records.settlements().set_receivable(kTenant, stored.settlement.id, is_open);
      if (!ended) return;
      auto record = sample_record(n, n);
      record.split.status = *ended;
      records.reconciliations().insert(kTenant, record);
    });
  };
  insert(1, day, true);
  insert(2, std::nullopt, true);
  insert(3, day.plus(1), true);
  insert(4, day, false, FinalStatus::settled_short);
  insert(5, day, false, FinalStatus::settled);
  insert(6, day, true, std::nullopt, "OTHER");
  const auto billed = [&](const char* payer, std::int64_t cents, std::optional<DateRange> days) {
    return store.seen([&](const ports::Records& records) {
      std::string digits;
      for (const auto& advance : records.alike().advances_billed(kTenant, payer, Money::cents(cents), days, 9))
        digits += advance.settlement.text().back();
      std::sort(digits.begin(), digits.end());
      return digits;
    });
  };
  BOOST_TEST(billed("PAYER-A", 100'000, DateRange{day, day}) == "124");
  BOOST_TEST(billed("PAYER-A", 100'000, std::nullopt) == "123");
  BOOST_TEST(billed("", 100'000, DateRange{day, day}) == "1246");
  BOOST_TEST(billed("PAYER-A", 100'001, std::nullopt).empty());
}

BOOST_DATA_TEST_CASE(answers_are_found_by_payer_charge_and_day_once_the_service_was, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  write_both(store);
  const auto sample = sample_remittance(1);
  const auto service = *sample.draft.claims[0].date_of_service, paid = *sample.draft.payment_date;
  const auto among = [&](const char* payer, std::int64_t cents, std::optional<DateRange> days, Date since) {
    return store.seen([&](const ports::Records& records) {
      return records.alike().answers_charged(kTenant, payer, Money::cents(cents), days, since, 9).size();
    });
  };
  const auto charged = [&](const char* payer, std::int64_t cents, std::optional<Date> day, Date since) {
    return among(payer, cents, day ? std::optional(DateRange{*day, *day}) : std::nullopt, since);
  };
  BOOST_TEST(among("PAYER-A", 30'000, DateRange{service.plus(-3), service}, service) == 1u);
  BOOST_TEST(among("PAYER-A", 30'000, DateRange{service.plus(-3), service.plus(-1)}, service) == 0u);
  BOOST_TEST(charged("PAYER-A", 30'000, service, service) == 1u);
  BOOST_TEST(charged("PAYER-A", 30'000, std::nullopt, service) == 1u);
  BOOST_TEST(charged("PAYER-A", 30'000, service.plus(1), service) == 0u);
  BOOST_TEST(charged("PAYER-A", 30'000, service, paid.plus(1)) == 0u);
  BOOST_TEST(charged("OTHER", 30'000, service, service) == 0u);
  BOOST_TEST(charged("PAYER-A", 30'001, service, service) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
