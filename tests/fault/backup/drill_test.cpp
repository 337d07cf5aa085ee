// The restore drill: a backup is taken while the service works, put into a fresh place, and served from there.
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/fault/backup/backup_command.hpp"
#include "tests/fault/figure.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

/// A POST under an idempotency key and what came back.
struct Acknowledged {
  std::string key, body, answer;
};

/// Reviews under load until end().
class Load {
 public:
  Load(const ApiClient& api, int threads) {
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([this, api, i] {
        for (int n = 0; !ended_; ++n) {
          const std::string key = "load-" + std::to_string(i) + '-' + std::to_string(n);
          const auto body = claim_body(key);
          const auto answer = api.post("/v1/claims/reviews", body, {{"Idempotency-Key", key}});
          if (answer.status != 200) continue;
          const std::lock_guard held(mutex_);
          acknowledged_.push_back({key, body, answer.body});
        }
      });
  }
  ~Load() { end(); }
  std::vector<Acknowledged> acknowledged() const {
    const std::lock_guard held(mutex_);
    return acknowledged_;
  }
  void end() {
    ended_ = true;
    for (auto& thread : threads_)
      if (thread.joinable()) thread.join();
  }

 private:
  std::atomic<bool> ended_ = false;
  mutable std::mutex mutex_;
  std::vector<Acknowledged> acknowledged_;
  std::vector<std::thread> threads_;
};

BOOST_AUTO_TEST_SUITE(drill)

BOOST_AUTO_TEST_CASE(a_backup_taken_under_load_is_served_with_all_that_was_acknowledged_before) {
  World world;
  const auto settlement = fund(*world.api, "CLM-BEFORE");
  std::vector<Acknowledged> before, after;
  const fs::path file = world.folder.path() / "drill.backup";
  {
    Load load(*world.api, 4);
    BOOST_REQUIRE(eventually([&] { return load.acknowledged().size() >= 200; }, std::chrono::seconds(60)));
    before = load.acknowledged();
    const auto made = backup(world.folder, {"create", file.string()});
    BOOST_REQUIRE_MESSAGE(made.exit_code == 0, made.err);
    BOOST_TEST(made.err.find((world.folder.path() / "keys").string()) != std::string::npos, made.err);
    BOOST_TEST(made.err.find("journal") != std::string::npos, made.err);
    const auto then = load.acknowledged().size();
    BOOST_TEST(eventually([&] { return load.acknowledged().size() > then; }));  // the service goes on
    load.end();
  }
  fund(*world.api, "CLM-AFTER");
  BOOST_TEST(((fs::status(file).permissions() & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write)));
  const auto verified = backup(world.folder, {"verify", file.string()});
  BOOST_TEST(verified.exit_code == 0, verified.out << verified.err);
  BOOST_TEST(verified.out.find("database: whole") != std::string::npos, verified.out);
  BOOST_TEST(!fs::exists(file.string() + "-wal"));
  world.service->kill();

  const auto keys = world.folder.path() / "keys";
  world.folder.set("store.sqlite.path", (world.folder.path() / "fresh" / "tideover.db").string());
  world.folder.write_config();
  const auto restored = backup(world.folder, {"restore", file.string()});
  BOOST_REQUIRE_MESSAGE(restored.exit_code == 0, restored.err);
  world.start();
  std::size_t there = 0;
  for (const auto& request : before) {
    const auto again = world.api->post("/v1/claims/reviews", request.body, {{"Idempotency-Key", request.key}});
    there += again.status == 200 && again.body == request.answer ? 1 : 0;
  }
  BOOST_TEST(there == before.size());
  BOOST_TEST(world.api->post_nothing("/v1/settlements/" + settlement + "/confirm").status == 200);
  const auto check = run_tideover({"db", "check", "--config", world.folder.config_file().string()});
  BOOST_TEST(check.exit_code == 0, check.out << check.err);
  survived("--  restore drill:", there, 200,
           "requests acknowledged before a backup under load are there after its restore");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
