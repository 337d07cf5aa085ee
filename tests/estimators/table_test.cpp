// The bounded map.
#include "core/estimators/basics/table.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <random>

using namespace tideover::estimators;

namespace {
std::uint64_t by_value(int value) {
  return static_cast<std::uint64_t>(value);
}
}  // namespace

BOOST_AUTO_TEST_SUITE(bounded_table)

BOOST_AUTO_TEST_CASE(a_table_holds_the_same_entries_as_a_map) {
  Table<int> table(100'000);
  std::map<Key, int> map;
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const Key key = random() % 3'000;  // 0 among them
    if (random() % 4 == 0) {
      table.erase(key);
      map.erase(key);
    } else {
      table.at(key, by_value) += i;
      map[key] += i;
    }
  }
  BOOST_TEST(table.size() == map.size());
  for (Key key = 0; key < 3'000; ++key) {
    const auto known = map.find(key);
    const int* found = table.find(key);
    BOOST_REQUIRE_EQUAL(found != nullptr, known != map.end());
    if (found) BOOST_REQUIRE_EQUAL(*found, known->second);
  }
}

BOOST_AUTO_TEST_CASE(a_table_keeps_all_entries_as_it_grows) {
  constexpr int kMany = 700'000;  // many pieces of memory
  Table<int> table(1'000'000);
  for (int i = 1; i <= kMany; ++i) {
    table.at(static_cast<Key>(i), by_value) = i;
    if ((i & (i - 1)) != 0) continue;
    for (int known = 1; known <= i; ++known) BOOST_REQUIRE_EQUAL(*table.find(static_cast<Key>(known)), known);
  }
  BOOST_TEST(table.size() == static_cast<std::size_t>(kMany));
  for (int i = 1; i <= kMany; ++i) BOOST_REQUIRE_EQUAL(*table.find(static_cast<Key>(i)), i);
  BOOST_TEST(!table.find(kMany + 1));
}

BOOST_AUTO_TEST_CASE(a_full_table_drops_the_entries_of_least_weight) {
  Table<int> table(800);
  for (int i = 1; i <= 800; ++i) table.at(static_cast<Key>(i), by_value) = i;
  table.at(9'999, by_value) = 5'000;
  BOOST_TEST(table.size() <= 800U);
  BOOST_TEST(!table.find(1));
  BOOST_TEST(!table.find(100));
  BOOST_TEST(table.find(101));
  BOOST_TEST(table.find(800));
  BOOST_TEST(*table.find(9'999) == 5'000);
}

BOOST_AUTO_TEST_CASE(removed_entries_are_gone_and_the_others_are_found) {
  Table<int> table(10'000);
  for (int i = 1; i <= 5'000; ++i) table.at(static_cast<Key>(i) * 977, by_value) = i;
  table.erase_if([](int value) { return value % 3 != 0; });
  BOOST_TEST(table.size() == 1'666U);
  for (int i = 1; i <= 5'000; ++i) BOOST_REQUIRE_EQUAL(table.find(static_cast<Key>(i) * 977) != nullptr, i % 3 == 0);
}

BOOST_AUTO_TEST_SUITE_END()
