// A disk that is really full: the store on a small file system of its own, in a mount namespace of this process.
#include <sched.h>
#include <sys/mount.h>

#include <fstream>

#include "tests/fault/disk/books.hpp"

namespace tideover::test {
namespace {

/// Mounts a small file system over the folder, where this user may.
bool mount_small_disk(const std::filesystem::path& folder, const char* options) {
  static const bool own_mounts = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  return own_mounts && ::mount("tmpfs", folder.c_str(), "tmpfs", 0, options) == 0;
}

BOOST_AUTO_TEST_SUITE(small_disk)

BOOST_AUTO_TEST_CASE(a_disk_that_fills_up_refuses_money_and_heals_when_there_is_room) {
  bool mounted = false;
  World world(Store::sqlite, [&](ServiceFolder& folder) { mounted = mount_small_disk(folder.path() / "store", "size=4m,mode=0700"); });
  if (!mounted) {
    std::cout << "a real full disk needs root (mount): tried with an injected one only" << std::endl;
    return;
  }
  Told told;
  const auto settlement = advance(*world.api, "CLM-ADVANCE");
  const auto ballast = world.folder.path() / "store" / "ballast";
  {
    std::ofstream fill(ballast, std::ios::binary);
    const std::string block(4096, 'x');
    while (fill.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  int number = 0;
  BOOST_TEST(eventually([&] { return told.review(*world.api, "CLM-" + std::to_string(++number)) == 503; }, std::chrono::seconds(60)));
  const auto refused = world.api->post_nothing("/v1/settlements/" + settlement + "/confirm");
  BOOST_TEST(refused.status == 503, refused.body);
  BOOST_TEST(payments(world.folder) == 0);
  BOOST_TEST(world.api->get("/v1/ledger/balances").status == 200);
  const ApiClient ops(world.service->ops_port());
  BOOST_TEST(eventually([&] { return ops.get("/readyz").status == 503; }));
  std::filesystem::remove(ballast);
  BOOST_TEST(eventually([&] { return ops.get("/readyz").status == 200; }));
  BOOST_TEST(eventually([&] { return world.api->post_nothing("/v1/settlements/" + settlement + "/confirm").status == 200; }));
  BOOST_TEST(payments(world.folder) == 1);
  world.service->kill();
  BOOST_TEST(told.lost(world.folder).empty());
  world.verify();
  world.verify_at_end = false;  // the store goes with its disk
  world.service.reset();
  ::umount2((world.folder.path() / "store").c_str(), MNT_DETACH);
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
