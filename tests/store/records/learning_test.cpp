// LearningRecords: batches follow on each other, and a number is taken once.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

LearningBatch sample_batch(std::int64_t seq) {
  LearningBatch batch;
  batch.seq = seq;
  batch.made_at = kNow.plus_ms(seq);
  batch.observed_until = kNow.plus_ms(-seq);
  batch.entries = {ReviewObserved{id_of<AuthorizationId>(static_cast<std::uint64_t>(seq))},
                   AnswerObserved{id_of<RemittanceId>(7), 9'999, id_of<ClaimId>(8)},
                   AnswerObserved{id_of<RemittanceId>(7), 10'000, id_of<ClaimId>(9), Date::from_days(20'001)}};
  return batch;
}

std::vector<LearningBatch> behind(StoreUnderTest& store, std::int64_t after, std::size_t limit = 10) {
  return store.seen([&](const ports::Records& records) { return records.learning().behind(kTenant, after, limit); });
}

void append(StoreUnderTest& store, const TenantId& tenant, const LearningBatch& batch) {
  store.write([&](ports::Records& records) { records.learning().append(tenant, batch); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_records)

BOOST_DATA_TEST_CASE(a_batch_comes_back_whole_and_at_its_position, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto closing = sample_batch(2);
  closing.entries.clear();
  closing.closes_day = Date::from_days(20'000);
  closing.state_digest = std::string(32, 'd');
  append(store, kTenant, sample_batch(1));
  append(store, kTenant, closing);
  append(store, kTenant, sample_batch(3));
  append(store, kOtherTenant, sample_batch(1));
  const auto all = behind(store, 0);
  BOOST_REQUIRE(all.size() == 3u);
  BOOST_TEST((all[0].entries == sample_batch(1).entries));
  BOOST_TEST((all[0].made_at == sample_batch(1).made_at));
  BOOST_TEST((all[0].observed_until == sample_batch(1).observed_until));
  BOOST_TEST(!all[0].closes_day);
  BOOST_TEST((all[1].closes_day == closing.closes_day));
  BOOST_TEST(all[1].state_digest == closing.state_digest);
  BOOST_TEST(all[1].entries.empty());
  BOOST_TEST(behind(store, 1, 1).front().seq == 2);
  BOOST_TEST(behind(store, 3).empty());
  const auto before =
      store.seen([&](const ports::Records& records) { return records.learning().before(kTenant, 3, 9); });
  BOOST_REQUIRE(before.size() == 2u);
  BOOST_TEST(before.front().seq == 2);
}

BOOST_DATA_TEST_CASE(the_digest_of_a_batch_is_of_all_that_came_before_it, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  append(store, kTenant, sample_batch(1));
  append(store, kTenant, sample_batch(2));
  auto other = sample_batch(1);
  std::get<AnswerObserved>(other.entries[1]).position = 3;
  append(store, kOtherTenant, other);
  append(store, kOtherTenant, sample_batch(2));
  const auto ours = behind(store, 0);
  const auto others =
      store.seen([&](const ports::Records& records) { return records.learning().behind(kOtherTenant, 0, 9); });
  BOOST_TEST(ours[0].sha256.size() == 64u);
  BOOST_TEST(ours[1].sha256 != others[1].sha256);  // of the same batch behind another one
}

BOOST_DATA_TEST_CASE(a_number_is_taken_once_and_none_is_left_out, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  append(store, kTenant, sample_batch(1));
  BOOST_TEST((store.try_to_write([&](ports::Records& records) {
    records.learning().append(kTenant, sample_batch(1));
  }) == ErrorCode::conflict));
  BOOST_TEST((store.try_to_write([&](ports::Records& records) { records.learning().append(kTenant, sample_batch(3)); })
                  .has_value()));
  BOOST_TEST(behind(store, 0).size() == 1u);
}

BOOST_DATA_TEST_CASE(every_tenant_has_a_head, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    records.clients().insert_tenant(sample_tenant(kTenant), kNow);
    records.clients().insert_tenant(sample_tenant(kOtherTenant), kNow);
  });
  append(store, kTenant, sample_batch(1));
  append(store, kTenant, sample_batch(2));
  const auto heads = store.seen([](const ports::Records& records) { return records.learning().heads(); });
  BOOST_REQUIRE(heads.size() == 2u);
  for (const auto& head : heads) BOOST_TEST(head.seq == (head.tenant == kTenant ? 2 : 0));
}

BOOST_DATA_TEST_CASE(an_entry_is_set_aside_once_and_counts_for_its_tenant, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.clients().insert_tenant(sample_tenant(kTenant), kNow); });
  const SetAside first{1, 2, id_of<RemittanceId>(7).text(), "claim 1: a service line is paid below zero"},
      day{3, 0, "", "it cannot be applied: no state takes this"};
  const auto put = [&](const TenantId& tenant, const SetAside& entry) {
    bool is_new = false;
    store.write([&](ports::Records& records) { is_new = records.learning().put_aside(tenant, entry, kNow); });
    return is_new;
  };
  BOOST_TEST(put(kTenant, day));
  BOOST_TEST(put(kTenant, first));
  BOOST_TEST(!put(kTenant, first));
  BOOST_TEST(put(kOtherTenant, first));
  const auto between = [&](std::int64_t after, std::int64_t until) {
    return store.seen(
        [&](const ports::Records& records) { return records.learning().set_aside(kTenant, after, until); });
  };
  BOOST_TEST((between(0, 9) == std::vector{first, day}));
  BOOST_TEST((between(0, 2) == std::vector{first}));
  BOOST_TEST((between(1, 3) == std::vector{day}));
  BOOST_TEST(store.seen([](const ports::Records& records) { return records.learning().heads(); }).at(0).set_aside == 2);
}

BOOST_DATA_TEST_CASE(an_edition_of_a_payer_is_kept_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  for (const char* record : {"the record", "another"})
    store.write([&](ports::Records& records) { records.learning().file_payer("edition", record); });
  BOOST_TEST(
      store.seen([](const ports::Records& records) { return records.learning().payer("edition"); }).value_or("") ==
      "the record");
  BOOST_TEST(!store.seen([](const ports::Records& records) { return records.learning().payer("unknown"); }));
}

BOOST_DATA_TEST_CASE(a_damaged_batch_is_reported_and_not_taken_for_an_empty_one, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  append(store, kTenant, sample_batch(1));
  store.run_past_the_store("UPDATE learning_batches SET entries = X'78'");
  store.reopen();
  BOOST_TEST(!store->read([&](const ports::Records& records) { (void)records.learning().behind(kTenant, 0, 9); }));
}

BOOST_AUTO_TEST_SUITE_END()
