// ReviewRecords.
#include "tests/store/records/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

BOOST_AUTO_TEST_SUITE(store_reviews)

BOOST_DATA_TEST_CASE(a_review_comes_back_whole_by_its_authorization, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto review = sample_review(1);
  Review bare;
  bare.id = id_of<ReviewId>(2);
  bare.authorization_id = id_of<AuthorizationId>(2);
  store.write([&](ports::Records& records) {
    records.reviews().insert(kTenant, review);
    records.reviews().insert(kTenant, bare);
  });
  const auto find = [&](std::uint64_t n) {
    return store.seen(
        [&](const ports::Records& records) { return records.reviews().find(kTenant, id_of<AuthorizationId>(n)); });
  };
  BOOST_TEST(shown(find(1)) == shown(review));
  BOOST_TEST(shown(find(2)) == shown(bare));
  BOOST_TEST(!find(3));
}

BOOST_DATA_TEST_CASE(the_latest_review_of_a_claim_is_the_one_with_the_greatest_id, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto of_another_claim = sample_review(9);
  of_another_claim.claim_id = id_of<ClaimId>(8);
  store.write([&](ports::Records& records) {
    records.reviews().insert(kTenant, sample_review(2));
    records.reviews().insert(kTenant, sample_review(3));
    records.reviews().insert(kTenant, sample_review(1));
    records.reviews().insert(kTenant, of_another_claim);
  });
  const auto latest = [&](std::uint64_t claim) {
    return store.seen(
        [&](const ports::Records& records) { return records.reviews().latest_of(kTenant, id_of<ClaimId>(claim)); });
  };
  BOOST_TEST(shown(latest(7)) == shown(sample_review(3)));
  BOOST_TEST(!latest(6));
}

BOOST_AUTO_TEST_SUITE_END()
