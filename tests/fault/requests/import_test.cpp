// R12: an import that is killed over and over ends as if nothing had happened.
#include <random>

#include "core/store/sql/database.hpp"
#include "tests/fault/figure.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

BOOST_AUTO_TEST_SUITE(imports)

BOOST_AUTO_TEST_CASE(an_import_killed_over_and_over_misses_and_doubles_nothing) {
  const std::size_t rows = cases(100'000, 1'000'000);
  const std::size_t kills = cases(20, 300);
  constexpr std::size_t kPerJob = 50'000;
  const unsigned seed = std::random_device{}();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937 random(seed);

  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("log.level", "error");
    folder.set("imports.lease_seconds", "1");
  });
  std::size_t good = 0, bad = 0;
  std::vector<std::string> jobs;
  for (std::size_t from = 0; from < rows; from += kPerJob) {
    std::string file;
    for (std::size_t i = from; i < std::min(rows, from + kPerJob); ++i) {
      const bool is_bad = i % 20 == 7;
      ++(is_bad ? bad : good);
      file +=
          is_bad ? R"({"claim_identifier":"BAD","submitted_amount":"much"})" : claim_body("CLM-" + std::to_string(i));
      file += '\n';
    }
    jobs.push_back(expect_ok(world.api->post("/v1/imports/claims", file_body("ndjson", file))).text("/job_id"));
  }
  const auto done_rows = [&] {
    std::int64_t done = 0;
    for (const auto& job : jobs) {
      const Json state = expect_ok(world.api->get("/v1/imports/claims/" + job));
      done += state.integer("/accepted_rows") + state.integer("/rejected_rows");
    }
    return static_cast<std::size_t>(done);
  };
  for (std::size_t kill = 0; kill < kills; ++kill) {
    // Some way into the rows that are left, so that each kill finds the import at work.
    const std::size_t until = rows * kill / kills + random() % (rows / kills);
    BOOST_REQUIRE(eventually([&] { return done_rows() >= until; }, std::chrono::minutes(3)));
    world.service->kill();
    world.service.emplace(world.folder);
    world.api = world.api->at(world.service->port());
  }
  BOOST_TEST(eventually([&] { return done_rows() == rows; }, std::chrono::minutes(5)));
  std::int64_t accepted = 0, rejected = 0, doubled = 0;
  for (const auto& job : jobs) {
    BOOST_TEST(eventually(
        [&] { return expect_ok(world.api->get("/v1/imports/claims/" + job)).text("/status") == "succeeded"; }));
    const Json state = expect_ok(world.api->get("/v1/imports/claims/" + job));
    accepted += state.integer("/accepted_rows");
    rejected += state.integer("/rejected_rows");
    doubled += state.integer("/duplicate_rows");
  }
  BOOST_TEST(static_cast<std::size_t>(accepted) == good);
  BOOST_TEST(static_cast<std::size_t>(rejected) == bad);
  BOOST_TEST(doubled == 0);

  world.service->ask_to_stop();
  BOOST_TEST(world.service->wait_for_end() == 0);
  const auto database = sql::Database::open({sql::SqliteOptions{world.folder.path() / "store" / "tideover.db", 5000}});
  const auto writer = database->writer();
  const auto count = [&](sql::Sql sql) {
    return static_cast<std::size_t>(*writer->first([](const sql::Row& row) { return row.integer(0); }, sql));
  };
  BOOST_TEST(count("SELECT COUNT(*) FROM claims") == good);
  BOOST_TEST(count("SELECT COUNT(*) FROM reviews") == good);
  BOOST_TEST(count("SELECT COUNT(*) FROM (SELECT COUNT(*) FROM import_faults GROUP BY job_id, claim_row)") ==
             count("SELECT COUNT(*) FROM import_faults"));
  survived("R12", rows, rows,
           "rows imported through " + std::to_string(kills) + " kills: each once, " + std::to_string(bad) +
               " bad ones named");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
