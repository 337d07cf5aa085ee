// What a backup command refuses, and that it then changed nothing.
#include "tests/fault/backup/backup_command.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

struct Drill {
  Drill() : world(), file(world.folder.path() / "a.backup"), store(world.folder.path() / "store" / "tideover.db") {
    fund(*world.api, "CLM-1");
    BOOST_REQUIRE(run({"create", file.string()}).exit_code == 0);
  }
  CommandResult run(const std::vector<std::string>& arguments) const { return backup(world.folder, arguments); }
  void refuses(const std::vector<std::string>& arguments, const std::string& because) const {
    const auto refused = run(arguments);
    BOOST_TEST(refused.exit_code == 1, refused.out);
    BOOST_TEST(refused.err.find(because) != std::string::npos, refused.err);
  }
  void stop() {
    world.service->ask_to_stop();
    BOOST_REQUIRE(world.service->wait_for_end() == 0);
  }

  World world;
  const fs::path file, store;
};

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(a_backup_overwrites_nothing_and_leaves_nothing_half_done) {
  Drill drill;
  const auto bytes = read_file(drill.file);
  drill.refuses({"create", drill.file.string()}, "already exists");
  BOOST_TEST((read_file(drill.file) == bytes));
  drill.refuses({"create", (drill.world.folder.path() / "none" / "b.backup").string()}, "cannot be created");
  const auto folder = drill.world.folder.path() / "backups";
  drill.refuses({"create", folder.string()}, " not found. Create it");
  BOOST_TEST(!fs::exists(folder));
  fs::create_directory(folder);
  BOOST_TEST(drill.run({"create", folder.string()}).exit_code == 0);
  BOOST_TEST(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) ==
             3);  // the backup, its checkpoints, its manifest
}

BOOST_AUTO_TEST_CASE(a_restore_needs_a_stopped_service_and_a_free_place) {
  Drill drill;
  const auto unlike = read_file(drill.file) + "x";
  save_file(drill.world.folder.path() / "unlike.backup", unlike);
  for (const auto& file : {drill.file, drill.world.folder.path() / "unlike.backup"})
    drill.refuses({"restore", file.string(), "--force"}, "in use by process");
  drill.stop();
  for (const auto& file : {drill.file, drill.world.folder.path() / "unlike.backup"})
    drill.refuses({"restore", file.string()}, "--force");
  const auto old = read_file(drill.store);
  const auto forced = drill.run({"restore", drill.file.string(), "--force"});
  BOOST_TEST(forced.exit_code == 0, forced.err);
  bool kept = false;
  for (const auto& entry : fs::directory_iterator(drill.store.parent_path()))
    kept = kept || (entry.path().filename().string().find(".before-restore-") != std::string::npos &&
                    read_file(entry.path()) == old);
  BOOST_TEST(kept);
  BOOST_TEST(
      ((fs::status(drill.store).permissions() & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write)));
}

BOOST_AUTO_TEST_CASE(a_restore_without_disk_space_leaves_the_database_in_its_place) {
  Drill drill;
  drill.stop();
  const auto old = read_file(drill.store);
  fs::create_directory(drill.store.string() + ".restoring");  // where the copy would be written
  drill.refuses({"restore", drill.file.string(), "--force"}, "cannot be created");
  BOOST_REQUIRE(fs::exists(drill.store));  // else the next start would make an empty one
  BOOST_TEST((read_file(drill.store) == old));
  fs::remove(drill.store.string() + ".restoring");
}

BOOST_AUTO_TEST_CASE(a_backup_that_was_changed_cut_or_not_finished_is_not_restored) {
  Drill drill;
  drill.stop();
  const auto bytes = read_file(drill.file);
  const auto manifest = read_file(drill.file.string() + ".manifest");
  const auto flipped = [&](std::size_t at) {
    auto changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    return changed;
  };
  for (const auto& changed :
       {flipped(bytes.size() / 2), flipped(100), bytes.substr(0, bytes.size() - 1), std::string()}) {
    save_file(drill.file, changed);
    drill.refuses({"verify", drill.file.string()}, "SHA-256");
    drill.refuses({"restore", drill.file.string(), "--force"}, "SHA-256");
  }
  save_file(drill.file, bytes);
  fs::remove(drill.file.string() + ".manifest");
  drill.refuses({"restore", drill.file.string(), "--force"}, "is incomplete");
  save_file(drill.file.string() + ".manifest", "something else\n");
  drill.refuses({"verify", drill.file.string()}, "is not a backup manifest");
  save_file(drill.file.string() + ".manifest", manifest);
  BOOST_TEST(drill.run({"verify", drill.file.string()}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_backup_is_verified_with_its_key_ring_only_and_none_is_made) {
  Drill drill;
  drill.stop();
  const auto keys = drill.world.folder.path() / "keys";
  fs::rename(keys, keys.string() + ".elsewhere");
  drill.refuses({"verify", drill.file.string()}, "cannot open the key file");
  BOOST_TEST(!fs::exists(keys));
  fs::rename(keys.string() + ".elsewhere", keys);
  BOOST_TEST(drill.run({"verify", drill.file.string()}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(after_a_restore_that_was_broken_off_no_empty_database_is_made) {
  Drill drill;
  drill.stop();
  // The database was moved aside, and the restore killed before its copy got the name.
  fs::rename(drill.store, drill.store.string() + ".restoring");
  fs::remove(drill.store.string() + "-wal");
  const auto serve = run_tideover({"serve", "--config", drill.world.folder.config_file().string()});
  BOOST_TEST(serve.exit_code == 1);
  BOOST_TEST(serve.err.find("a restore was interrupted") != std::string::npos, serve.err);
  BOOST_TEST(!fs::exists(drill.store));
  BOOST_TEST(drill.run({"restore", drill.file.string()}).exit_code == 0);
  BOOST_TEST(!fs::exists(drill.store.string() + ".restoring"));
}

BOOST_AUTO_TEST_CASE(a_database_without_its_main_file_is_not_created_again) {
  Drill drill;
  drill.world.service->kill();
  fs::rename(drill.store, drill.store.string() + ".elsewhere");
  const auto serve = run_tideover({"serve", "--config", drill.world.folder.config_file().string()});
  BOOST_TEST(serve.exit_code == 1);
  BOOST_TEST(serve.err.find("-wal exists. Restore the database") != std::string::npos, serve.err);
  BOOST_TEST(!fs::exists(drill.store));
  fs::rename(drill.store.string() + ".elsewhere", drill.store);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
