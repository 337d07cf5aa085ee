// R19: the wall clock jumps while the service works, and nothing ends before its time.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ctime>
#include <thread>

#include "core/store/sql/database.hpp"
#include "tests/fault/clock/wall_wish.hpp"
#include "tests/fault/figure.hpp"
#include "tests/support/webhook_receiver/webhook_receiver.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kHour = 3600 * kSecond;
constexpr std::int64_t kDay = 24 * kHour;

class WallClock {
 public:
  explicit WallClock(ServiceFolder& folder) {
    const auto file = folder.path() / "wall-wish";
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0 || ::ftruncate(descriptor, sizeof(WallWish)) != 0)
      throw std::runtime_error("cannot make " + file.string());
    void* mapped = ::mmap(nullptr, sizeof(WallWish), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
    if (mapped == MAP_FAILED) throw std::runtime_error("cannot map " + file.string());
    wish_ = static_cast<WallWish*>(mapped);
    folder.set_variable("LD_PRELOAD", TIDEOVER_WALL_LIBRARY);
    folder.set_variable("TIDEOVER_TEST_WALL_WISH", file.string());
  }
  ~WallClock() { ::munmap(wish_, sizeof(WallWish)); }
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;

  void jump_to(std::int64_t ahead_ns) { wish_->ahead_ns = ahead_ns; }
  void run_at(std::int64_t speed) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    wish_->from_ns = now.tv_sec * kSecond + now.tv_nsec;
    wish_->speed = speed;
  }

 private:
  WallWish* wish_ = nullptr;
};

std::size_t payments(const ServiceFolder& folder) {
  const auto text = read_file(folder.path() / "rtp.bank");
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// A service with something of everything that has an end: a token, advances that wait for their confirm, answers under
/// keys, a delivery that will be tried again, an import at work.
struct Bench {
  Bench()
      : world(Store::sqlite, [this](ServiceFolder& folder) {
          wall.emplace(folder);
          folder.set("imports.chunk_rows", "20");
        }) {
    receiver.script({WebhookReceiver::Answer::with(500)});
    expect_ok(world.api->post("/v1/webhooks/endpoints",
                              R"({"url":")" + receiver.url() + R"(","events":["review.completed"]})"));
    for (auto* settlement : {&before, &after})
      *settlement = advance(*world.api, settlement == &before ? "CLM-A" : "CLM-B");
    review_body = claim_body("CLM-KEPT");
    kept =
        expect_ok(world.api->post("/v1/claims/reviews", review_body, {{"Idempotency-Key", "kept"}})).text("/claim_id");
    std::string file;
    for (int i = 0; i < 200; ++i) file += claim_body("CLM-FILE-" + std::to_string(i)) + "\n";
    job = expect_ok(world.api->post("/v1/imports/claims", file_body("ndjson", file))).text("/job_id");
  }

  Answer confirm(const std::string& settlement) const {
    return world.api->post_nothing("/v1/settlements/" + settlement + "/confirm");
  }

  /// All that had not ended goes on, as if the clock had stayed.
  void nothing_has_ended() {
    BOOST_TEST(confirm(before).status == 200);
    const auto again = expect_ok(world.api->post("/v1/claims/reviews", review_body, {{"Idempotency-Key", "kept"}}));
    BOOST_TEST(again.text("/claim_id") == kept);
    BOOST_TEST(ApiClient(world.service->port(), world.client).get("/v1/ledger/balances").status ==
               200);                            // a new token, too
    BOOST_TEST(receiver.wait_for_requests(2));  // the delivery that failed, again
    BOOST_TEST(eventually(
        [&] { return expect_ok(world.api->get("/v1/imports/claims/" + job)).text("/status") == "succeeded"; }));
    BOOST_TEST(ApiClient(world.service->ops_port()).get("/readyz").status == 200);
  }
  std::string next_id() {
    return expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-ID-" + std::to_string(++ids))))
        .text("/claim_id");
  }

  std::optional<WallClock> wall;
  WebhookReceiver receiver;
  World world;
  std::string before, after, review_body, kept, job;
  int ids = 0;
};

/// The clock is bent in some way; meanwhile nothing ends and ids only rise.
void survives(const std::function<void(WallClock&)>& bend) {
  Bench bench;
  const auto first = bench.next_id();
  bend(*bench.wall);
  const auto second = bench.next_id();
  BOOST_TEST(first < second);
  bench.nothing_has_ended();
  bench.wall->run_at(1);
  bench.wall->jump_to(0);
  const auto third = bench.next_id();
  BOOST_TEST(second < third);
  BOOST_TEST(bench.confirm(bench.after).status == 200);
  BOOST_TEST(payments(bench.world.folder) == 2);
}

void survives_jump(std::int64_t by) {
  survives([by](WallClock& wall) { wall.jump_to(by); });
}

/// Wrong from the start on, the clock is all there is: by it tokens and offers have ended. But nothing is removed or
/// canceled for its age before the clock has stood, and when it is right again all is as it was.
void survives_a_wrong_start() {
  Bench bench;
  constexpr int kAnswers = 200;
  for (int i = 0; i < kAnswers; ++i)
    expect_ok(bench.world.api->post("/v1/claims/reviews", claim_body("CLM-OLD-" + std::to_string(i)),
                                    {{"Idempotency-Key", "old-" + std::to_string(i)}}));
  bench.world.service->ask_to_stop();
  BOOST_REQUIRE(bench.world.service->wait_for_end() == 0);
  const auto answers = [&] {
    const auto database =
        sql::Database::open({sql::SqliteOptions{bench.world.folder.path() / "store" / "tideover.db"}});
    return *database->writer()->first([](const sql::Row& row) { return row.integer(0); },
                                      "SELECT COUNT(*) FROM answers");
  };
  const auto had = answers();
  BOOST_TEST(had > kAnswers);

  bench.wall->jump_to(400 * kDay);
  bench.world.start();
  BOOST_TEST(bench.confirm(bench.after).status == 409);
  bench.world.service->ask_to_stop();
  BOOST_REQUIRE(bench.world.service->wait_for_end() == 0);
  BOOST_TEST(answers() == had);

  bench.wall->jump_to(0);
  bench.world.start();
  bench.nothing_has_ended();
  BOOST_TEST(payments(bench.world.folder) == 1);
}

BOOST_AUTO_TEST_SUITE(clock_jumps)

BOOST_AUTO_TEST_CASE(no_jump_of_the_clock_ends_anything_before_its_time) {
  const std::vector<std::pair<std::string, std::function<void()>>> all{
      {"+1 h", [] { survives_jump(kHour); }},
      {"-1 h", [] { survives_jump(-kHour); }},
      {"+400 d", [] { survives_jump(400 * kDay); }},
      {"-400 d", [] { survives_jump(-400 * kDay); }},
      {"back and forth",
       [] {
         survives([](WallClock& wall) {
           for (int i = 0; i < 20; ++i) {
             wall.jump_to((i % 2 == 0 ? 1 : -1) * kHour);
             std::this_thread::sleep_for(std::chrono::milliseconds(10));
           }
         });
       }},
      {"10 times as fast", [] { survives([](WallClock& wall) { wall.run_at(10); }); }},
      {"400 d ahead from the start on", survives_a_wrong_start},
  };
  const std::size_t rounds = cases(1, 10);
  std::size_t ran = 0;
  for (std::size_t round = 0; round < rounds; ++round)
    for (const auto& [name, run] : all) {
      BOOST_TEST_CONTEXT(name) {
        run();
      }
      ++ran;
    }
  survived("R19", ran, 7 * rounds, "jumps of the clock: 0 early ends, 0 mass prunes, ids in order");
}

BOOST_AUTO_TEST_CASE(an_advance_of_one_tenant_ends_nothing_of_others_by_a_clock_that_is_not_trusted) {
  Bench bench;
  auto& world = bench.world;
  const auto other = world.folder.create_client({"--role", "admin", "--tenant", "other"});
  const auto advance_clock = [&] {
    const ApiClient api(world.service->port(), other);
    expect_ok(api.post("/v1/sandbox/clock", R"({"advance":"P60D"})"));
  };
  const auto settlement = advance(ApiClient(world.service->port(), other), "CLM-OTHER");
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  bench.wall->jump_to(400 * kDay);
  world.start();
  advance_clock();
  const ApiClient api(world.service->port(), other);
  BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement)).text("/status") == "canceled");
  const ApiClient of_bench(world.service->port(), world.client);
  BOOST_TEST(expect_ok(of_bench.get("/v1/settlements/" + bench.before)).text("/status") == "pending_confirmation");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
