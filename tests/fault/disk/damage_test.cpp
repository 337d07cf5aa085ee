// A damaged page: the service says so, stops writing and ends; it does not serve on.
#include <fstream>

#include "tests/fault/disk/books.hpp"

namespace tideover::test {
namespace {

/// Overwrites the first page of the table of claims with noise.
void damage(const std::filesystem::path& file) {
  std::int64_t page = 0, bytes = 0;
  {
    const auto database = sql::Database::open({sql::SqliteOptions{file}});
    const auto number = [&](sql::Sql sql) {
      return *database->writer()->first([](const sql::Row& row) { return row.integer(0); }, sql);
    };
    page = number("SELECT rootpage FROM sqlite_schema WHERE name = 'claims'");
    bytes = number("SELECT page_size FROM pragma_page_size()");
  }
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp((page - 1) * bytes);
  const std::string noise(static_cast<std::size_t>(bytes), '\x5a');
  stream.write(noise.data(), static_cast<std::streamsize>(noise.size()));
}

BOOST_AUTO_TEST_SUITE(damaged_page)

BOOST_AUTO_TEST_CASE(it_ends_the_service_with_one_clear_line) {
  World world;
  world.verify_at_end = false;
  std::vector<std::string> claims;
  for (int i = 0; i < 40; ++i) {
    const auto review = expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-" + std::to_string(i))));
    claims.push_back(review.text("/claim_id"));
  }
  world.restart();  // the log is moved into the main file, and nothing of it is in memory any more
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  damage(store_file(world.folder));

  const auto check = run_tideover({"db", "check", "--config", world.folder.config_file().string()});
  BOOST_TEST(check.exit_code == 1);

  // A job of the service may read the page before the first request does, and end the service during the start.
  int status = attempt([&] {
                 world.start();
                 return world.api->get("/v1/claims/" + claims.front());
               }).status;
  for (auto claim = claims.begin(); status == 200 && claim != claims.end(); ++claim)
    status = attempt([&] { return world.api->get("/v1/claims/" + *claim); }).status;
  BOOST_TEST((status == 503 || status == 0));  // 0: it does not listen any more
  BOOST_TEST(world.service->wait_for_end() == 1);
  const auto log = read_file(world.folder.log_file());
  const auto line = log.find("store_broken");
  BOOST_REQUIRE(line != std::string::npos);
  BOOST_TEST(log.find("store_broken", line + 1) == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
