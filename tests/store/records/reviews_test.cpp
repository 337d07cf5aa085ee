// ReviewRecords.
#include "tests/store/records/support/store_under_test.hpp"

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

BOOST_DATA_TEST_CASE(a_review_is_found_by_its_own_id_too, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const std::uint64_t made = 1'795'186'800'000U << 16;
  auto review = sample_review(1);
  review.id = ReviewId::of({made, 5});
  review.authorization_id = AuthorizationId::of({made + (3U << 16), 6});
  auto neighbour = sample_review(2);
  neighbour.authorization_id = AuthorizationId::of({made, 7});
  store.write([&](ports::Records& records) {
    records.reviews().insert(kTenant, review);
    records.reviews().insert(kTenant, neighbour);
  });
  const auto find = [&](const TenantId& tenant, const ReviewId& id) {
    return store.seen([&](const ports::Records& records) { return records.reviews().find(tenant, id); });
  };
  BOOST_TEST(shown(find(kTenant, review.id)) == shown(review));
  BOOST_TEST(!find(kTenant, ReviewId::of({made, 4})));
  BOOST_TEST(!find(kOtherTenant, review.id));
}

BOOST_DATA_TEST_CASE(authorizations_are_read_between_two_bounds_in_order, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    for (const std::uint64_t n : {4, 2, 3, 1, 5}) records.reviews().insert(kTenant, sample_review(n));
    records.reviews().insert(kOtherTenant, sample_review(3));
  });
  const auto observed = [&](std::uint64_t after, std::uint64_t until, std::size_t limit) {
    return store.seen([&](const ports::Records& records) {
      return records.reviews().observed(kTenant, id_of<AuthorizationId>(after), id_of<AuthorizationId>(until), limit);
    });
  };
  BOOST_TEST((observed(1, 4, 9) ==
              std::vector{id_of<AuthorizationId>(2), id_of<AuthorizationId>(3), id_of<AuthorizationId>(4)}));
  BOOST_TEST((observed(1, 4, 2) == std::vector{id_of<AuthorizationId>(2), id_of<AuthorizationId>(3)}));
  BOOST_TEST(observed(5, 9, 9).empty());
}

BOOST_DATA_TEST_CASE(reviews_are_listed_by_authorization_and_by_filter, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto other = sample_review(4);
  other.claim_id = id_of<ClaimId>(8);
  other.payer_id = "PAYER-B";
  other.forecast.denial_predicted = false;
  store.write([&](ports::Records& records) {
    for (const std::uint64_t n : {2, 3, 1}) records.reviews().insert(kTenant, sample_review(n));
    records.reviews().insert(kTenant, other);
    records.reviews().insert(kOtherTenant, sample_review(5));
  });
  const auto listed = [&](const ports::ReviewFilter& filter, const std::string& after, std::size_t limit) {
    std::vector<AuthorizationId> ids;
    for (const auto& review : store.seen([&](const ports::Records& records) {
           return records.reviews().list(kTenant, filter, {after, limit});
         }))
      ids.push_back(review.authorization_id);
    return ids;
  };
  const auto id = [](std::uint64_t n) { return id_of<AuthorizationId>(n); };
  BOOST_TEST((listed({}, "", 9) == std::vector{id(1), id(2), id(3), id(4)}));
  BOOST_TEST((listed({}, id(1).text(), 2) == std::vector{id(2), id(3)}));
  BOOST_TEST((listed({.payer_id = "PAYER-B"}, "", 9) == std::vector{id(4)}));
  BOOST_TEST((listed({.denial_predicted = true}, "", 9) == std::vector{id(1), id(2), id(3)}));
  BOOST_TEST((listed({.denial_predicted = false}, "", 9) == std::vector{id(4)}));
  BOOST_TEST((listed({.claim = other.claim_id}, "", 9) == std::vector{id(4)}));
  BOOST_TEST(listed({.claim = other.claim_id, .denial_predicted = true}, "", 9).empty());
  BOOST_TEST((listed({.claim = sample_review(1).claim_id}, id(1).text(), 9) == std::vector{id(2), id(3)}));
}

BOOST_AUTO_TEST_SUITE_END()
