// The text of inserts, and the number of values that they take.
#include "core/store/records/rows/insert_row.hpp"

#include <boost/test/unit_test.hpp>
#include <string_view>

#include "tests/store/sql/test_database.hpp"

using namespace tideover;
using namespace tideover::store;
namespace bdata = boost::unit_test::data;

namespace {

template <Literal columns>
std::string_view insert_of() {
  return kInsertText<"INSERT INTO ", "t", columns>.data();
}

/// Whether an insert with these values compiles.
template <Literal columns, class... Values>
concept Inserts = requires(sql::Session& session, const Values&... values) {
  insert_row<"t", columns>(session, values...);
  insert_row_if_new<"t", columns>(session, values...);
};

static_assert(Inserts<"id, number", const char*, int>);
static_assert(!Inserts<"id, number", const char*>);
static_assert(!Inserts<"id, number", const char*, int, int>);
static_assert(Inserts<"id, number = 1, note", const char*, const char*>);
static_assert(!Inserts<"id, number = 1, note", const char*, int, const char*>);

}  // namespace

BOOST_AUTO_TEST_SUITE(store_insert_row)

BOOST_AUTO_TEST_CASE(the_text_has_a_placeholder_for_each_column_without_a_fixed_value) {
  BOOST_TEST(insert_of<"id">() == "INSERT INTO t (id) VALUES (?)");
  BOOST_TEST(insert_of<"id, number, note">() == "INSERT INTO t (id, number, note) VALUES (?, ?, ?)");
  BOOST_TEST(insert_of<"id, number = 0, note">() == "INSERT INTO t (id, number, note) VALUES (?, 0, ?)");
  BOOST_TEST(insert_of<"number = 0, id, note = ''">() == "INSERT INTO t (number, id, note) VALUES (0, ?, '')");
}

BOOST_AUTO_TEST_CASE(the_number_of_columns_counts_those_with_a_fixed_value_too) {
  BOOST_TEST(count_columns("") == 0);
  BOOST_TEST(count_columns("id") == 1);
  BOOST_TEST(count_columns("id, number = 0, note") == 3);
}

BOOST_AUTO_TEST_CASE(a_question_mark_in_quoted_text_is_no_placeholder) {
  BOOST_TEST(sql::placeholders_in("SELECT id FROM t WHERE note = '?' AND number IN (?, ?) AND id = ''") == 2u);
}

BOOST_DATA_TEST_CASE(a_row_is_inserted_once_and_a_row_with_its_key_stays, bdata::make(tests::engines()), engine) {
  tests::TestDatabase database(engine);
  database.create_tables();
  const auto session = database->writer();
  insert_row<"t", "id, number = 7, note">(*session, "a", "first");
  BOOST_TEST(!(insert_row_if_new<"t", "id, note">(*session, "a", "second")));
  BOOST_TEST((insert_row_if_new<"t", "id, note">(*session, "b", "third")));
  const auto shown = [&](std::string_view id) {
    return session->first(
        [](const sql::Row& row) { return row.text(1) + ' ' + std::to_string(row.optional_integer(0).value_or(-1)); },
        "SELECT number, note FROM t WHERE id = ?", id);
  };
  BOOST_TEST(shown("a").value() == "first 7");
  BOOST_TEST(shown("b").value() == "third -1");
}

BOOST_AUTO_TEST_SUITE_END()
