// ClaimRecords.
#include "core/store/records/rows/service_lines.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

std::optional<ports::StoredClaim> claim_in(StoreUnderTest& store, std::string_view reference) {
  return store.seen([&](const ports::Records& records) { return records.claims().find(kTenant, reference); });
}

ClaimStatusRecord next_of(const ClaimStatusRecord& current) {
  auto next = current;
  next.status = ClaimStatus::submitted;
  next.previous = current.status;
  next.version = current.version + 1;
  next.source = StatusSource::client;
  next.reason_code = "next reason";
  next.note = "next note";
  next.effective_at = std::nullopt;
  next.updated_at = kNow.plus_ms(99);
  return next;
}

bool move(StoreUnderTest& store, const ClaimStatusRecord& next) {
  return store.written([&](ports::Records& records) { return records.claims().move(kTenant, next); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_claims)

BOOST_DATA_TEST_CASE(a_claim_comes_back_whole_by_its_identifier_and_by_its_id, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto claim = sample_claim(1);
  store.write([&](ports::Records& records) { records.claims().insert(kTenant, claim); });
  BOOST_TEST(shown(claim_in(store, "claim-1")) == shown(claim));
  BOOST_TEST(shown(claim_in(store, claim.claim.id.text())) == shown(claim));
  BOOST_TEST(!claim_in(store, "claim-2"));
  BOOST_TEST(!claim_in(store, id_of<ClaimId>(2).text()));
}

BOOST_DATA_TEST_CASE(a_claim_of_absent_values_comes_back_as_such, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  ports::StoredClaim bare;
  bare.claim.id = bare.status.claim = id_of<ClaimId>(1);
  bare.claim.draft.claim_identifier = bare.status.claim_identifier = "bare";
  store.write([&](ports::Records& records) { records.claims().insert(kTenant, bare); });
  BOOST_TEST(shown(claim_in(store, "bare")) == shown(bare));
}

BOOST_DATA_TEST_CASE(an_identifier_is_found_byte_by_byte_and_before_an_id, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto named_like_an_id = sample_claim(2);
  named_like_an_id.claim.draft.claim_identifier = id_of<ClaimId>(1).text();
  store.write([&](ports::Records& records) {
    records.claims().insert(kTenant, sample_claim(1));
    records.claims().insert(kTenant, named_like_an_id);
  });
  BOOST_TEST(shown(claim_in(store, id_of<ClaimId>(1).text())->claim.id) == shown(named_like_an_id.claim.id));
  BOOST_TEST(!claim_in(store, "CLAIM-1"));
  BOOST_TEST(!claim_in(store, "claim-1 "));
}

BOOST_DATA_TEST_CASE(an_identifier_is_taken_once_per_tenant, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.claims().insert(kTenant, sample_claim(1)); });
  auto second = sample_claim(2);
  second.claim.draft.claim_identifier = "claim-1";
  const auto insert = [&](const TenantId& tenant) {
    return store.try_to_write([&](ports::Records& records) { records.claims().insert(tenant, second); });
  };
  BOOST_TEST(insert(kTenant).value() == ErrorCode::conflict);
  BOOST_TEST(!insert(kOtherTenant));
}

BOOST_AUTO_TEST_CASE(details_stored_before_other_payers_existed_read_as_absent) {
  const ClaimDetails before{{"E119"}, "11", std::nullopt, "F", true, "7"};
  const std::string stored =
      "\x01\x1f"
      "11\x1f"
      "F\x1f"
      "7\x1f"
      "1\x1f"
      "\x1f"
      "0\x1f"
      "1\x1f"
      "E119\x1f"
      "\x1e";
  ClaimDraft draft;
  store::read_claim_content(stored, draft);
  BOOST_TEST(shown(draft.details) == shown(before));
  BOOST_TEST(store::claim_content_column({}, before) == stored);  // and are written so still
  auto stated = before;
  stated.is_test = false;
  draft = {};
  store::read_claim_content(store::claim_content_column({}, stated), draft);
  BOOST_TEST(shown(draft.details) == shown(stated));
}

BOOST_AUTO_TEST_CASE(institutional_details_are_a_record_of_their_own) {
  ClaimDraft draft;
  draft.service_lines = {{"", "", 1'000, Money::cents(5), "0250"}, {"99213", "", 1'000, std::nullopt}};
  draft.details.institutional.emplace();
  const auto stored = store::claim_content_column(draft.service_lines, draft.details);
  ClaimDraft read;
  store::read_claim_content(stored, read);
  BOOST_TEST(shown(read) == shown(draft));
  BOOST_TEST((read.details.type() == ClaimType::institutional));

  // A professional line is written as before there were revenue codes.
  BOOST_TEST(store::claim_content_column({draft.service_lines[1]}, {}) ==
             "99213\x1f\x1f"
             "1000\x1f\x1f\x1e");
}

BOOST_DATA_TEST_CASE(duplicates_are_claims_of_another_identifier_with_the_same_key, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto different = sample_claim(3);
  different.claim.duplicate_key = "Same service";
  store.write([&](ports::Records& records) {
    records.claims().insert(kTenant, sample_claim(1));
    records.claims().insert(kTenant, sample_claim(2));
    records.claims().insert(kTenant, different);
    records.claims().insert(kOtherTenant, sample_claim(4));
  });
  const auto count = [&](const char* key, const char* identifier, int day = 10) {
    auto claim = sample_claim(9).claim;
    claim.duplicate_key = key;
    claim.draft.claim_identifier = identifier;
    claim.draft.date_of_service = Date::from_days(20'000 + day);
    return store.seen([&](const ports::Records& records) { return records.claims().count_duplicates(kTenant, claim); });
  };
  BOOST_TEST(count("same service", "claim-1") == 1);
  BOOST_TEST(count("same service", "claim-9") == 2);
  BOOST_TEST(count("other service", "claim-1") == 0);
  BOOST_TEST(count("same service", "claim-9", 11) == 0);
}

BOOST_DATA_TEST_CASE(replacing_changes_the_draft_and_leaves_the_status, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.claims().insert(kTenant, sample_claim(1)); });
  auto changed = sample_claim(1);
  auto& draft = changed.claim.draft;
  draft.facility = "South";
  draft.chart_identifier = Sensitive<std::string>("other chart");
  draft.date_of_service = std::nullopt;
  draft.date_of_submission = Date::from_days(1);
  draft.servicer_npi = "1";
  draft.billing_npi = "2";
  draft.payer_id = "PAYER-B";
  draft.submitted_amount = Money::cents(2);
  draft.service_lines.clear();
  changed.claim.duplicate_key = "other service";
  const auto known = *claim_in(store, "claim-1");
  store.write(
      [&](ports::Records& records) { BOOST_TEST(records.claims().replace(kTenant, known, changed.claim, kNow)); });
  changed.revision = 1;
  BOOST_TEST(shown(claim_in(store, "claim-1")) == shown(changed));
  store.write([&](ports::Records& records) {
    BOOST_TEST(!records.claims().replace(kTenant, known, changed.claim, kNow));
  });  // replaced meanwhile
  const auto draft_of = [&](std::optional<int> revision) {
    const auto found = store.seen(
        [&](const ports::Records& records) { return records.claims().draft_of(kTenant, known.claim.id, revision); });
    return found ? shown(*found) : "none";
  };
  BOOST_TEST(draft_of(0) == shown(known.claim.draft));
  BOOST_TEST(draft_of(1) == shown(changed.claim.draft));
  BOOST_TEST(draft_of(2) == "none");
  BOOST_TEST(draft_of(std::nullopt) == shown(known.claim.draft));  // the earliest that is kept
  auto moved = *claim_in(store, "claim-1");
  BOOST_REQUIRE(move(store, next_of(moved.status)));
  store.write([&](ports::Records& records) {
    BOOST_TEST(!records.claims().replace(kTenant, moved, changed.claim, kNow));
  });  // decided on meanwhile
}

BOOST_DATA_TEST_CASE(a_status_moves_only_from_the_version_before_it, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto claim = sample_claim(1);
  store.write([&](ports::Records& records) { records.claims().insert(kTenant, claim); });
  const auto next = next_of(claim.status);
  BOOST_TEST(move(store, next));
  BOOST_TEST(shown(claim_in(store, "claim-1")->status) == shown(next));

  auto late = next;
  late.status = ClaimStatus::voided;
  BOOST_TEST(!move(store, late));
  late.version += 2;
  BOOST_TEST(!move(store, late));
  late.claim = id_of<ClaimId>(9);
  BOOST_TEST(!move(store, late));
  BOOST_TEST(shown(claim_in(store, "claim-1")->status) == shown(next));
}

BOOST_DATA_TEST_CASE(a_replaced_status_is_kept_in_the_history, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto claim = sample_claim(1);
  store.write([&](ports::Records& records) { records.claims().insert(kTenant, claim); });
  BOOST_REQUIRE(move(store, next_of(claim.status)));
  BOOST_REQUIRE(move(store, next_of(next_of(claim.status))));
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM claim_status_history") == 2);
  BOOST_TEST(store.count_past_the_store(
                 "SELECT COUNT(*) FROM claim_status_history WHERE version = 3 AND status = "
                 "'reviewed' AND previous = 'received' AND source = 'payer' AND reason_code = 'A1'") == 1);
  store.reopen();
  const auto replaced = [&](std::optional<int> after, domain::ListOrder order, std::size_t limit) {
    return store.seen([&](const ports::Records& records) {
      return records.claims().replaced_statuses(kTenant, claim.claim.id, after, order, limit);
    });
  };
  auto first = claim.status, second = next_of(claim.status);
  first.claim_identifier = second.claim_identifier = "";
  using enum domain::ListOrder;
  BOOST_TEST(shown(replaced({}, newest_first, 9)) == shown(std::vector{second, first}));
  BOOST_TEST(shown(replaced({}, oldest_first, 9)) == shown(std::vector{first, second}));
  BOOST_TEST(shown(replaced({}, newest_first, 1)) == shown(std::vector{second}));
  BOOST_TEST(shown(replaced(second.version, newest_first, 9)) == shown(std::vector{first}));
  BOOST_TEST(shown(replaced(first.version, oldest_first, 9)) == shown(std::vector{second}));
}

BOOST_AUTO_TEST_SUITE_END()
