// What a review costs the writer, counted so that it cannot creep: statements of its unit, and index entries beyond
// primary keys. Explain an added one in core/store/README.md.
#include <algorithm>

#include "tests/store/records/support/store_under_test.hpp"
#include "tests/support/review_writes/review_writes.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

/// The tables that a unit inserts into, in order; any other write fails the test.
std::vector<std::string> tables_written(const std::vector<StatementTaken>& unit) {
  constexpr std::string_view kInsert = "INSERT INTO ";
  std::vector<std::string> tables;
  for (const auto& statement : unit) {
    if (statement.reads) continue;
    BOOST_REQUIRE_MESSAGE(statement.sql.starts_with(kInsert), statement.sql);
    tables.push_back(statement.sql.substr(kInsert.size(), statement.sql.find(' ', kInsert.size()) - kInsert.size()));
  }
  return tables;
}

/// Indexes of a table beyond its primary key.
std::int64_t secondary_indexes(StoreUnderTest& store, std::string_view table) {
  return store.count_past_the_store({"SELECT COUNT(*) FROM pragma_index_list(?) WHERE origin <> 'pk'",
                                     "SELECT COUNT(DISTINCT INDEX_NAME) FROM information_schema.STATISTICS "
                                     "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND INDEX_NAME <> 'PRIMARY'"},
                                    table);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_review_cost)

BOOST_DATA_TEST_CASE(a_review_is_four_inserts_and_its_key_a_fifth, bdata::make(engines()), engine) {
  ReviewWrites reviews(engine);
  reviews.next(false);  // the first of a process reads the head of its audit chain
  const std::vector<std::string> without_key = {"claims", "reviews", "outbox", "audit_rows"};
  auto with_key = without_key;
  with_key.push_back("answers");
  BOOST_TEST(tables_written(reviews.next(false)) == without_key, boost::test_tools::per_element());
  BOOST_TEST(tables_written(reviews.next(true)) == with_key, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(the_review_of_a_new_claim_reads_nothing_in_its_unit, bdata::make(engines()), engine) {
  ReviewWrites reviews(engine);
  reviews.next(true);
  const auto unit = reviews.next(true);
  BOOST_TEST(std::count_if(unit.begin(), unit.end(), [](const auto& statement) { return statement.reads; }) == 0);
}

BOOST_DATA_TEST_CASE(a_review_is_five_index_entries_and_its_key_a_sixth, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  BOOST_TEST(secondary_indexes(store, "claims") == 4);   // by identifier, by look-alikes, by status, by payer
  BOOST_TEST(secondary_indexes(store, "reviews") == 1);  // by claim
  BOOST_TEST(secondary_indexes(store, "outbox") == 0);
  BOOST_TEST(secondary_indexes(store, "audit_rows") == 0);
  BOOST_TEST(secondary_indexes(store, "answers") == 1);  // by key
}

BOOST_AUTO_TEST_SUITE_END()
