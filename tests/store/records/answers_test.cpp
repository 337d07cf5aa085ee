// AnswerRecords.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

const std::string kScope = "POST /v1/settlements/stl_1/confirm|key " + std::string(255, '~');

std::optional<ports::StoredAnswer> answer_in(StoreUnderTest& store, std::string_view scope = kScope) {
  return store.seen([&](const ports::Records& records) { return records.answers().find(kTenant, scope); });
}

std::optional<ErrorCode> insert(StoreUnderTest& store, const ports::StoredAnswer& answer, Timestamp now,
                                std::string_view scope = kScope) {
  return store.try_to_write([&](ports::Records& records) { records.answers().insert(kTenant, scope, answer, now); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_answers)

BOOST_DATA_TEST_CASE(an_answer_comes_back_byte_for_byte, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto answer = sample_answer();
  answer.body += std::string(300'000, 'x');
  BOOST_REQUIRE(!insert(store, answer, kNow));
  BOOST_TEST((shown(answer_in(store)) == shown(answer)));
  BOOST_TEST(!answer_in(store, "POST /v1/settlements/stl_1/confirm|key"));
}

BOOST_DATA_TEST_CASE(a_scope_holds_one_answer_until_it_expires, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto first = sample_answer();
  BOOST_REQUIRE(!insert(store, first, kNow));
  auto second = first;
  second.fingerprint = std::string(64, 'd');
  second.outcome = "ok";
  second.body = "second";
  second.expires_at = first.expires_at.plus_ms(1'000);
  BOOST_TEST(insert(store, second, first.expires_at.plus_ms(-1)).value() == ErrorCode::conflict);
  BOOST_TEST(shown(answer_in(store)) == shown(first));
  BOOST_TEST(!insert(store, second, first.expires_at));
  BOOST_TEST(shown(answer_in(store)) == shown(second));
}

BOOST_DATA_TEST_CASE(pruning_removes_expired_answers_of_all_tenants_and_no_more_than_asked, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  auto answer = sample_answer();
  store.write([&](ports::Records& records) {
    for (int i = 0; i < 5; ++i) {
      answer.expires_at = kNow.plus_ms(i);
      records.answers().insert(i % 2 ? kTenant : kOtherTenant, "scope " + std::to_string(i), answer, kNow.plus_ms(-1));
    }
  });
  const auto prune = [&](std::size_t limit) {
    return store.written([&](ports::Records& records) { return records.answers().prune(kNow.plus_ms(3), limit); });
  };
  BOOST_TEST(prune(3) == 3);
  BOOST_TEST(answer_in(store, "scope 3").has_value());
  BOOST_TEST(prune(3) == 1);
  BOOST_TEST(prune(3) == 0);
  BOOST_TEST(!answer_in(store, "scope 3"));
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM answers") == 1);
}

BOOST_DATA_TEST_CASE(answers_that_expire_behind_longer_kept_ones_are_removed_in_pieces, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  constexpr int kKept = 60, kExpired = 40;
  constexpr std::size_t kLimit = 2;  // so a pass looks at 2 and 20
  auto answer = sample_answer();
  store.write([&](ports::Records& records) {
    for (int i = 0; i < kKept + kExpired; ++i) {
      answer.expires_at = i < kKept ? kNow.plus_days(30) : kNow;
      records.answers().insert(kTenant, "scope " + std::to_string(i), answer, kNow.plus_ms(-1));
    }
  });
  int removed = 0, passes = 0;
  for (; removed < kExpired && passes < 200; ++passes) {
    const auto minute = kNow.plus_ms(60'000LL * passes);
    const int now_removed =
        store.written([&](ports::Records& records) { return records.answers().prune(minute, kLimit); });
    BOOST_TEST(now_removed <= static_cast<int>(kLimit));
    removed += now_removed;
  }
  BOOST_TEST(removed == kExpired, removed << " removed in " << passes << " passes");
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM answers") == kKept);
}

BOOST_AUTO_TEST_SUITE_END()
