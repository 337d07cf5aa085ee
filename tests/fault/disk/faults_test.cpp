// R17: each store that the service keeps, on a disk that is full, fails, or takes half of a write.
#include <functional>

#include "tests/fault/disk/books.hpp"
#include "tests/fault/disk/faulty_disk.hpp"
#include "tests/fault/figure.hpp"

namespace tideover::test {
namespace {

constexpr const char* kLog = "tideover.db-wal";
constexpr const char* kMain = "/tideover.db";

/// A service on a disk that obeys, some acknowledged reviews, and an advance that waits for its confirm.
struct Bench {
  explicit Bench(const std::function<void(ServiceFolder&)>& configure = nullptr)
      : world(Store::sqlite, [&](ServiceFolder& folder) {
          disk.emplace(folder);
          if (configure) configure(folder);
        }) {
    settlement = advance(*world.api, "CLM-ADVANCE");
    for (int i = 0; i < 3; ++i) BOOST_REQUIRE(review() == 200);
  }

  int review() { return acknowledged.review(*world.api, "CLM-" + std::to_string(++reviews)); }
  Answer confirm() const {
    return attempt([this] { return world.api->post_nothing("/v1/settlements/" + settlement + "/confirm"); });
  }
  std::string readiness() const { return ApiClient(world.service->ops_port()).get("/readyz").body; }
  bool ready() const { return ApiClient(world.service->ops_port()).get("/readyz").status == 200; }

  /// The advance is paid once, now or by the confirm that this sends, and nothing that was acknowledged is lost.
  void settle_and_check() {
    BOOST_TEST(eventually([&] { return confirm().status == 200; }));
    BOOST_TEST(payments(world.folder) == 1);
    const auto check = run_tideover({"db", "check", "--config", world.folder.config_file().string()});
    BOOST_TEST(check.exit_code == 0, check.out << check.err);
    world.service->kill();
    BOOST_TEST(acknowledged.lost(world.folder).empty());
  }

  std::optional<FaultyDisk> disk;
  World world;
  AcknowledgedReviews acknowledged;
  std::string settlement;
  int reviews = 0;
};

/// There is no space or no permission: money is refused before the rail is asked, reading goes on, and it heals by
/// itself.
void refuses_and_heals(DiskFault fault, const std::string& reason) {
  Bench bench;
  bench.disk->fail(fault, kLog);
  for (int i = 0; i < 3; ++i) BOOST_TEST(bench.review() == 503);
  const auto refused = bench.confirm();
  BOOST_TEST(refused.status == 503);
  BOOST_TEST(refused.body.find(reason) != std::string::npos, refused.body);
  BOOST_TEST(payments(bench.world.folder) == 0);
  BOOST_TEST(bench.world.api->get("/v1/ledger/balances").status == 200);
  BOOST_TEST(eventually([&] { return !bench.ready(); }));
  BOOST_TEST(bench.readiness().find(reason) != std::string::npos, bench.readiness());
  BOOST_TEST(bench.disk->hits() > 0);
  bench.disk->heal();
  BOOST_TEST(eventually([&] { return bench.ready(); }));
  BOOST_TEST(bench.review() == 200);
  bench.settle_and_check();
}

/// The disk fails: nothing is acknowledged any more, the service ends, and the next start has all that was.
void ends_and_starts_again(DiskFault fault, const std::string& file, const std::function<void(Bench&)>& work) {
  Bench bench;
  bench.disk->fail(fault, file);
  work(bench);
  BOOST_TEST(bench.world.service->wait_for_end() == 1);
  BOOST_TEST(bench.disk->hits() > 0);
  const auto log = read_file(bench.world.folder.log_file());
  BOOST_TEST(log.find("store_broken") != std::string::npos);
  BOOST_TEST(log.find("store_broken", log.find("store_broken") + 1) == std::string::npos);
  BOOST_TEST(bench.acknowledged.lost(bench.world.folder).empty());
  bench.disk->heal();
  bench.world.start();
  BOOST_TEST(bench.review() == 200);
  bench.settle_and_check();
}

void write_until_it_hurts(Bench& bench) {
  for (int i = 0; i < 3; ++i) BOOST_TEST(bench.review() != 200);
  BOOST_TEST(bench.confirm().status != 200);
  BOOST_TEST(payments(bench.world.folder) == 0);
}

/// Fills the log until it has to be moved into the main file.
void review_until_checkpoint(Bench& bench) {
  const auto stops = [&] { return bench.disk->hits() > 0 || bench.review() == 0; };
  BOOST_TEST(eventually(stops, std::chrono::seconds(60)));
}

/// The main file has no space: the log keeps what was acknowledged, also through a kill in the middle of it.
void lives_on_its_log(DiskFault fault) {
  Bench bench;
  bench.disk->fail(fault, kMain);
  review_until_checkpoint(bench);
  BOOST_TEST(bench.review() == 200);
  bench.world.service->kill();
  BOOST_TEST(bench.acknowledged.lost(bench.world.folder).empty());
  bench.disk->heal();
  bench.world.start();
  review_until_checkpoint(bench);
  bench.settle_and_check();
}

/// An import is either acknowledged with its bytes kept, or refused.
void keeps_or_refuses_imports(DiskFault fault) {
  Bench bench;
  bench.disk->fail(fault, kLog);
  const auto refused = attempt(
      [&] { return bench.world.api->post("/v1/imports/claims", file_body("ndjson", claim_body("CLM-FILE") + "\n")); });
  BOOST_TEST(refused.status != 200);
  if (fault == DiskFault::write_error) {
    BOOST_TEST(bench.world.service->wait_for_end() == 1);
    bench.disk->heal();
    bench.world.start();
  } else {
    BOOST_TEST(refused.status == 503);
    bench.disk->heal();
    BOOST_TEST(eventually([&] { return bench.review() == 200; }));
  }
  const auto job =
      expect_ok(bench.world.api->post("/v1/imports/claims", file_body("ndjson", claim_body("CLM-FILE") + "\n")))
          .text("/job_id");
  BOOST_TEST(eventually(
      [&] { return expect_ok(bench.world.api->get("/v1/imports/claims/" + job)).text("/status") == "succeeded"; }));
  BOOST_TEST(expect_ok(bench.world.api->get("/v1/imports/claims/" + job)).integer("/accepted_rows") == 1);
  bench.settle_and_check();
}

/// The service does not need its log file: it serves on and writes whole lines again once it can.
void serves_without_its_log_file(DiskFault fault) {
  Bench bench([](ServiceFolder& folder) { folder.set("log.file", (folder.path() / "service.log").string()); });
  bench.disk->fail(fault, "/service.log");
  for (int i = 0; i < 3; ++i) BOOST_TEST(bench.review() == 200);
  BOOST_TEST(eventually([&] { return bench.disk->hits() > 0; }));  // lines are gathered for a moment
  BOOST_TEST(bench.review() == 200);
  bench.disk->heal();
  const auto torn = std::filesystem::file_size(bench.world.folder.path() / "service.log");
  BOOST_TEST(bench.review() == 200);
  BOOST_TEST(eventually([&] { return std::filesystem::file_size(bench.world.folder.path() / "service.log") > torn; }));
  bench.settle_and_check();
  const auto log = read_file(bench.world.folder.path() / "service.log");
  const auto last = log.rfind("\n", log.size() - 2);
  BOOST_CHECK_NO_THROW(Json(log.substr(last + 1)));
}

/// What the journal cannot witness is not sent; once it can, the confirm goes through.
void sends_nothing_unwitnessed(DiskFault fault) {
  Bench bench;
  bench.disk->fail(fault, "/rail-journal");
  BOOST_TEST(bench.confirm().status != 200);
  BOOST_TEST(payments(bench.world.folder) == 0);
  BOOST_TEST(bench.disk->hits() > 0);
  BOOST_TEST(bench.review() == 200);
  bench.disk->heal();
  bench.settle_and_check();
}

/// Checkpoints of the chains that cannot be noted are noted later; requests do not wait for them.
void notes_checkpoints_later(DiskFault fault) {
  Bench bench;
  bench.disk->fail(fault, "/checkpoints");
  for (int i = 0; i < 3; ++i) BOOST_TEST(bench.review() == 200);
  bench.world.service->ask_to_stop();  // the last thing that a service does is to note how far the chains go
  BOOST_TEST(bench.world.service->wait_for_end() == 0);
  BOOST_TEST(bench.disk->hits() > 0);
  bench.disk->heal();
  bench.world.start();
  BOOST_TEST(bench.review() == 200);
  bench.settle_and_check();
}

struct Case {
  std::string store, fault;
  std::function<void()> run;
};

std::vector<Case> all_cases() {
  return {
      {"database", "full", [] { lives_on_its_log(DiskFault::full); }},
      {"database", "EIO", [] { ends_and_starts_again(DiskFault::write_error, kMain, review_until_checkpoint); }},
      {"database", "short", [] { lives_on_its_log(DiskFault::short_write); }},
      {"log of the database", "full", [] { refuses_and_heals(DiskFault::full, "is full"); }},
      {"log of the database", "EIO", [] { ends_and_starts_again(DiskFault::write_error, kLog, write_until_it_hurts); }},
      {"log of the database", "EIO of fsync",
       [] { ends_and_starts_again(DiskFault::sync_error, kLog, write_until_it_hurts); }},
      {"log of the database", "short", [] { refuses_and_heals(DiskFault::short_write, "is full"); }},
      {"log of the database", "read-only", [] { refuses_and_heals(DiskFault::read_only, "read-only"); }},
      {"rail journal", "full", [] { sends_nothing_unwitnessed(DiskFault::full); }},
      {"rail journal", "EIO", [] { sends_nothing_unwitnessed(DiskFault::write_error); }},
      {"rail journal", "EIO of fsync", [] { sends_nothing_unwitnessed(DiskFault::sync_error); }},
      {"rail journal", "short", [] { sends_nothing_unwitnessed(DiskFault::short_write); }},
      {"import pieces", "full", [] { keeps_or_refuses_imports(DiskFault::full); }},
      {"import pieces", "EIO", [] { keeps_or_refuses_imports(DiskFault::write_error); }},
      {"import pieces", "short", [] { keeps_or_refuses_imports(DiskFault::short_write); }},
      {"checkpoints", "full", [] { notes_checkpoints_later(DiskFault::full); }},
      {"checkpoints", "EIO", [] { notes_checkpoints_later(DiskFault::write_error); }},
      {"checkpoints", "short", [] { notes_checkpoints_later(DiskFault::short_write); }},
      {"log file", "full", [] { serves_without_its_log_file(DiskFault::full); }},
      {"log file", "EIO", [] { serves_without_its_log_file(DiskFault::write_error); }},
      {"log file", "short", [] { serves_without_its_log_file(DiskFault::short_write); }},
  };
}

BOOST_AUTO_TEST_SUITE(disk_faults)

BOOST_AUTO_TEST_CASE(no_store_on_a_bad_disk_acknowledges_falsely_and_all_heal) {
  const auto cases_of_figure = all_cases();
  const std::size_t rounds = cases(1, 20);
  std::size_t ran = 0;
  for (std::size_t round = 0; round < rounds; ++round)
    for (const auto& [store, fault, run] : cases_of_figure) {
      const auto began = std::chrono::steady_clock::now();
      BOOST_TEST_CONTEXT(store << " x " << fault) {
        run();
      }
      BOOST_TEST_MESSAGE(store << " x " << fault << ": "
                               << std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count()
                               << " s");
      ++ran;
    }
  survived("R17", ran, 18 * rounds,
           "stores x disk faults (full, EIO, short write): no false acknowledgement, all heal");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
