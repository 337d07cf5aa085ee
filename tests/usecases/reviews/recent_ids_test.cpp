// Ids of the last minutes: nearly in order, each once, the oldest removed first.
#include "core/usecases/learning/recent_ids.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover;
using domain::Ulid;

BOOST_AUTO_TEST_SUITE(recent_ids)

BOOST_AUTO_TEST_CASE(late_and_repeated_ids_are_stored_once) {
  usecases::RecentIds ids;
  ids.insert({{1, 5}, {1, 3}, {1, 5}});
  ids.insert({{2, 0}});
  ids.insert({{1, 4}, {2, 0}, {3, 1}});
  BOOST_TEST(ids.size() == 5u);
  for (const Ulid known : {Ulid{1, 3}, Ulid{1, 4}, Ulid{1, 5}, Ulid{2, 0}, Ulid{3, 1}}) BOOST_TEST(ids.contains(known));
  BOOST_TEST(!ids.contains({1, 6}));
}

BOOST_AUTO_TEST_CASE(older_ids_are_removed) {
  usecases::RecentIds ids;
  ids.insert({{1, 1}, {1, 2}, {1, 3}});
  ids.forget({1, 2});
  BOOST_TEST(ids.size() == 1u);
  BOOST_TEST(ids.contains({1, 3}));
  ids.forget({9, 9});
  BOOST_TEST(ids.size() == 0u);
  ids.insert({});
  BOOST_TEST(ids.size() == 0u);
}

BOOST_AUTO_TEST_CASE(older_ids_may_arrive_later) {
  usecases::RecentIds ids;
  ids.insert({{5, 1}, {6, 0}});
  ids.insert({{1, 7}, {3, 0}});
  ids.insert({});
  ids.insert({{4, 0}, {3, 0}, {9, 9}});
  BOOST_TEST(ids.size() == 6U);
  for (const domain::Ulid& id : {domain::Ulid{1, 7}, {3, 0}, {4, 0}, {5, 1}, {6, 0}, {9, 9}})
    BOOST_TEST(ids.contains(id));
  ids.forget({4, 0});
  BOOST_TEST(ids.size() == 3U);
  BOOST_TEST(!ids.contains({3, 0}));
}

BOOST_AUTO_TEST_SUITE_END()
