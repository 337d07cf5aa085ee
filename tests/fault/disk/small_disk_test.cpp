// A disk that is really full: the store on a small file system of its own, in a mount namespace of this process.
#include <sched.h>
#include <sys/mount.h>

#include <fstream>

#include "core/store/sql/mysql_session.hpp"
#include "tests/fault/disk/books.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"

namespace tideover::test {
namespace {

/// Mounts a small file system over the folder, where this user may.
bool mount_small_disk(const std::filesystem::path& folder, const char* options) {
  static const bool own_mounts =
      ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  return own_mounts && ::mount("tmpfs", folder.c_str(), "tmpfs", 0, options) == 0;
}

/// Leaves no space in the folder's file system; the file that took it.
std::filesystem::path fill(const std::filesystem::path& folder) {
  auto ballast = folder / "ballast";
  std::ofstream file(ballast, std::ios::binary);
  const std::string block(4096, 'x');
  while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
  }
  return ballast;
}

BOOST_AUTO_TEST_SUITE(small_disk)

BOOST_AUTO_TEST_CASE(a_full_disk_refuses_money_and_recovers_when_there_is_space) {
  bool mounted = false;
  World world(Store::sqlite,
              [&](ServiceFolder& folder) { mounted = mount_small_disk(folder.path() / "store", "size=4m,mode=0700"); });
  if (!mounted) {
    std::cout << "a real full disk needs root (mount): tried with an injected one only" << std::endl;
    return;
  }
  AcknowledgedReviews acknowledged;
  const auto settlement = advance(*world.api, "CLM-ADVANCE");
  const auto ballast = fill(world.folder.path() / "store");
  int number = 0;
  BOOST_TEST(eventually([&] { return acknowledged.review(*world.api, "CLM-" + std::to_string(++number)) == 503; },
                        std::chrono::seconds(60)));
  const auto refused = world.api->post_nothing("/v1/settlements/" + settlement + "/confirm");
  BOOST_TEST(refused.status == 503, refused.body);
  BOOST_TEST(payments(world.folder) == 0);
  BOOST_TEST(world.api->get("/v1/ledger/balances").status == 200);
  const ApiClient ops(world.service->ops_port());
  BOOST_TEST(eventually([&] { return ops.get("/readyz").status == 503; }));
  std::filesystem::remove(ballast);
  BOOST_TEST(eventually([&] { return ops.get("/readyz").status == 200; }));
  BOOST_TEST(
      eventually([&] { return world.api->post_nothing("/v1/settlements/" + settlement + "/confirm").status == 200; }));
  BOOST_TEST(payments(world.folder) == 1);
  world.service->kill();
  BOOST_TEST(acknowledged.lost(world.folder).empty());
  world.verify();
  world.verify_at_end = false;  // the store goes with its disk
  world.service.reset();
  ::umount2((world.folder.path() / "store").c_str(), MNT_DETACH);
}

BOOST_AUTO_TEST_CASE(a_mariadb_with_a_full_disk_turns_readiness_off_until_there_is_space) {
  ServiceFolder probe;
  if (tests::MariaDbInstance::skipped() || !mount_small_disk(probe.path() / "store", "size=1m")) {
    std::cout << "a full disk of MariaDB needs MariaDB and root (mount)" << std::endl;
    return;
  }
  ::umount2((probe.path() / "store").c_str(), MNT_DETACH);
  tests::MariaDbInstance server;  // only now: it has to see the mounts of this process
  const auto database = server.create_database("small");
  const std::filesystem::path folder =
      *sql::open_mysql_session(database, sql::MySqlRole::reader)
           ->first([](const sql::Row& row) { return row.text(0) + "small"; }, "SELECT @@datadir");
  BOOST_REQUIRE(mount_small_disk(folder, "size=24m,mode=0777"));
  World world(Store::sqlite, [&](ServiceFolder& service) { service.use_mysql(database); });
  const auto settlement = advance(*world.api, "CLM-ADVANCE");
  const auto ballast = fill(folder);

  const ApiClient ops(world.service->ops_port());
  const auto says_full = [](const std::string& body) {
    return body.find(R"("store":{"ok":false,"detail":"The disk of the database is full)") != std::string::npos;
  };
  int number = 0;
  const auto review = [&] {
    return attempt(
        [&] { return world.api->post("/v1/claims/reviews", claim_body("CLM-" + std::to_string(++number))); });
  };
  Answer refused;
  BOOST_TEST(eventually([&] { return (refused = review()).status == 503; }, std::chrono::seconds(60)));
  BOOST_TEST(refused.body.find("is full") != std::string::npos, refused.body);
  BOOST_TEST(eventually([&] { return says_full(ops.get("/readyz").body); }));
  std::filesystem::remove(ballast);
  BOOST_TEST(eventually([&] { return ops.get("/readyz").status == 200; }));
  BOOST_TEST(
      eventually([&] { return world.api->post_nothing("/v1/settlements/" + settlement + "/confirm").status == 200; }));
  BOOST_TEST(payments(world.folder) == 1);
  BOOST_TEST(review().status == 200);
  const auto pieces =
      sql::open_mysql_session(database, sql::MySqlRole::reader)
          ->first([](const sql::Row& row) { return row.integer(0); }, "SELECT COUNT(*) FROM import_pieces");
  BOOST_TEST(*pieces == 0);  // what the probe for space wrote is gone
  world.verify();
  world.verify_at_end = false;  // the tables go with their disk
  world.service.reset();
  server.kill();
  ::umount2(folder.c_str(), MNT_DETACH);
}

BOOST_AUTO_TEST_CASE(a_read_only_disk_is_named_at_the_start) {
  ServiceFolder folder;
  const auto store = folder.path() / "store";
  if (!mount_small_disk(store, "size=4m,mode=0700")) {
    std::cout << "a read-only disk needs root (mount): tried with an injected one only" << std::endl;
    return;
  }
  folder.write_config();
  BOOST_TEST(::mount("tmpfs", store.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=4m") == 0);
  const auto serve = run_tideover({"serve", "--config", folder.config_file().string()});
  BOOST_TEST(serve.exit_code == 1);
  BOOST_TEST(serve.err.find("Read-only file system") != std::string::npos, serve.err);
  ::umount2(store.c_str(), MNT_DETACH);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
