// An unchanged file is read once. A change is detected even if time and size stay the same.
#include <boost/test/unit_test.hpp>

#include <stdlib.h>

#include <fstream>

#include "core/tables/table_file_cache.hpp"

using namespace tideover;

namespace {

class TableFolder {
 public:
  TableFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tideover-tables-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TableFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path write(const std::string& text) const {
    std::ofstream(path_ / "list.csv", std::ios::binary) << text;
    return path_ / "list.csv";
  }

 private:
  std::filesystem::path path_;
};

const tables::Schema kList = {"list", {{"code", tables::ColumnType::code, false, {}}}, {0}, {}, {}};

}  // namespace

BOOST_AUTO_TEST_SUITE(file_cache)

BOOST_AUTO_TEST_CASE(an_unchanged_file_is_read_once_and_a_changed_one_is_read_again) {
  const TableFolder folder;
  tables::TableFileCache file_cache;
  const auto file = folder.write("code\n00010\n");
  const auto first = file_cache.digest_of(file);
  const auto one = file_cache.read(file, kList, {"list.csv", "", first}),
             same = file_cache.read(file, kList, {"list.csv", "", first});
  BOOST_TEST(one == same);
  BOOST_TEST(one->table->row_count() == 1u);

  const auto before = std::filesystem::last_write_time(file);
  folder.write("code\n00011\n");
  std::filesystem::last_write_time(file, before);  // the same size and time
  const auto second = file_cache.digest_of(file);
  BOOST_TEST(second != first);
  BOOST_TEST(file_cache.read(file, kList, {"list.csv", "", second}) != one);
}

BOOST_AUTO_TEST_CASE(a_file_that_changed_after_its_digest_was_taken_is_a_fault) {
  const TableFolder folder;
  tables::TableFileCache file_cache;
  const auto file = folder.write("code\n00010\n");
  const auto digest = file_cache.digest_of(file);
  folder.write("code\n00010\n00011\n");
  const auto reading = file_cache.read(file, kList, {"list.csv", "", digest});
  BOOST_REQUIRE(reading->faults.size() == 1u);
  BOOST_TEST(reading->faults.front().message == "changed while it was read");
  BOOST_TEST(file_cache.digest_of(folder.write("").parent_path() / "absent.csv").empty());
}

BOOST_AUTO_TEST_CASE(a_file_is_read_again_for_another_schema) {
  const TableFolder folder;
  tables::TableFileCache file_cache;
  const auto file = folder.write("code,name\n00010,x\n");
  const auto digest = file_cache.digest_of(file);
  auto wider = kList;
  wider.columns.push_back({"name", tables::ColumnType::text, false, {}});
  BOOST_TEST(file_cache.read(file, kList, {"list.csv", "", digest})->table->schema().columns.size() == 1u);
  BOOST_TEST(file_cache.read(file, wider, {"list.csv", "", digest})->table->schema().columns.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
