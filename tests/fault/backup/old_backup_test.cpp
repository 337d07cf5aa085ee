// R18: an old backup is restored. The payments made since are found again - from the rail journal, which no restore
// touches, and from the rail itself - and none is made twice.
#include "tests/fault/backup/backup_command.hpp"
#include "tests/fault/figure.hpp"
#include "tests/fault/requests/side_by_side.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(old_backup)

BOOST_AUTO_TEST_CASE(payments_newer_than_a_restored_backup_are_found_and_not_made_again) {
  const std::size_t newer = cases(200, 2000);
  const std::size_t lost = newer / 10;  // of them, settlements that the backup does not even know
  World world;
  const auto advance_many = [&](std::size_t count, const std::string& prefix) {
    std::vector<std::string> settlements(count);
    side_by_side(count, 8,
                 [&](std::size_t i) { settlements[i] = test::advance(*world.api, prefix + std::to_string(i)); });
    return settlements;
  };
  const auto confirm_all = [&](const std::vector<std::string>& settlements) {
    side_by_side(settlements.size(), 8, [&](std::size_t i) {
      expect_ok(world.api->post_nothing("/v1/settlements/" + settlements[i] + "/confirm"));
    });
  };
  const auto known = advance_many(newer - lost, "CLM-KNOWN-");
  const fs::path file = world.folder.path() / "old.backup";
  BOOST_REQUIRE(backup(world.folder, {"create", file.string()}).exit_code == 0);
  confirm_all(known);
  confirm_all(advance_many(lost, "CLM-LOST-"));
  BOOST_REQUIRE(payments(world.folder) == newer);
  world.service->kill();
  fs::remove(world.folder.log_file());

  const auto restored = backup(world.folder, {"restore", file.string(), "--force"});
  BOOST_REQUIRE_MESSAGE(restored.exit_code == 0, restored.err);
  world.start();
  // The first request of a client finds the claims of lost advances blocked.
  for (std::size_t i = 0; i < lost; ++i) {
    const auto again = expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-LOST-" + std::to_string(i))));
    expect_error(world.api->post("/v1/claims/adjudications", adjudication_body(again.text("/authorization_id"))), 409,
                 "claim_already_advanced");
  }
  BOOST_TEST(payments(world.folder) == newer);
  const auto found = [&] { return counted(world.folder, "adopted") + counted(world.folder, "tasks"); };
  BOOST_TEST(eventually([&] { return found() == static_cast<std::int64_t>(newer); }, std::chrono::minutes(2)));
  BOOST_TEST(counted(world.folder, "tasks") == static_cast<std::int64_t>(lost));

  confirm_all(known);  // the answers are those of the payments that were made
  BOOST_TEST(payments(world.folder) == newer);
  const auto check = run_tideover({"db", "check", "--config", world.folder.config_file().string()});
  BOOST_TEST(check.exit_code == 0, check.out << check.err);
  survived("R18", static_cast<std::size_t>(found()), newer,
           "payments newer than a restored backup found (" + std::to_string(lost) +
               " of settlements that it does not know), " + std::to_string(payments(world.folder) - newer) +
               " re-sent");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
