// tideover remittance FILE... with files of hundreds of payments: killed midway and begun again, with payments that
// fail, with errors that stand on the disk before the command ends, and in the memory of one payment.
#include <sqlite3.h>

#include <fstream>
#include <future>

#include "tests/support/mariadb/mariadb_instance.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

CommandResult remittance(const ServiceFolder& folder, std::vector<std::string> words) {
  words.insert(words.begin(), "remittance");
  words.insert(words.end(), {"--config", folder.config_file().string()});
  return run_tideover(words);
}

void check_says(const std::string& text, const std::string& part) {
  BOOST_TEST((text.find(part) != std::string::npos), text << "\ndoes not say: " << part);
}

/// An 835 of so many payments, each of so many claims of 100.00 that are paid with 80.00.
std::string x12_835(int payments, int claims, bool is_cut = false) {
  std::string text =
      "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *261120*0800*^*00501*000000001*0*P*:~"
      "GS*HP*SENDER*RECEIVER*20261120*0800*1*X*005010X221A1~";
  for (int i = 1; i <= payments; ++i) {
    const auto number = std::to_string(i);
    text += "ST*835*" + number + "~BPR*I*" + std::to_string(80 * claims) + "*C*ACH************" + compact(day(0)) +
            "~TRN*1*TRACE-" + number + "*1000000001~N1*PR*Sample Payer*XV*SAMPLE-80~";
    for (int k = 1; k <= claims; ++k)
      text += "CLP*CLM-" + number + '-' + std::to_string(k) + "*1*100*80*0*12*PCN-" + std::to_string(k) +
              "~CAS*CO*45*20~DTM*232*" + compact(day(-5)) + '~';
    text += "SE*" + std::to_string(5 + 3 * claims) + '*' + number + '~';
  }
  return is_cut ? text : text + "GE*" + std::to_string(payments) + "*1~IEA*1*000000001~";
}

fs::path file_in(const ServiceFolder& folder, const std::string& name, const std::string& text) {
  save_file(folder.path() / name, text);
  return folder.path() / name;
}

/// Money for some of the payments, before their remittances come.
void send_money(const ApiClient& api) {
  for (int i = 1; i <= 300; i += 60)
    expect_ok(api.post("/v1/deposits", deposit_body("TRACE-" + std::to_string(i), "240.00")));
}

/// How many remittances the service holds.
int remittances(const ApiClient& api) {
  int found = 0;
  for (std::string query;;) {
    const auto page = expect_ok(api.get("/v1/remittances?limit=100" + query));
    found += static_cast<int>(page.size("/data"));
    if (!page.flag("/has_more")) return found;
    query = "&cursor=" + page.text("/next_cursor");
  }
}

std::int64_t kib_at_most(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6));
  throw std::runtime_error("no VmHWM in /proc");
}

BOOST_AUTO_TEST_SUITE(remittance_command)

BOOST_AUTO_TEST_CASE(a_command_that_was_killed_ends_with_the_books_of_one_that_was_not) {
  constexpr int kPayments = 300;
  World undisturbed;
  send_money(*undisturbed.api);
  const auto once =
      remittance(undisturbed.folder, {file_in(undisturbed.folder, "whole.835", x12_835(kPayments, 3)).string()});
  BOOST_TEST(once.exit_code == 0, once.err);
  check_says(once.out, "remittances  300\n");
  BOOST_TEST(remittances(*undisturbed.api) == kPayments);

  World killed;
  send_money(*killed.api);
  const auto file = file_in(killed.folder, "whole.835", x12_835(kPayments, 3)).string();
  auto interrupted = std::async(std::launch::async, [&] { return remittance(killed.folder, {file}); });
  BOOST_REQUIRE(eventually([&] { return expect_ok(killed.api->get("/v1/remittances?limit=20")).size("/data") >= 10; }));
  killed.service->kill();
  BOOST_TEST(interrupted.get().exit_code == 1);
  killed.start();
  const int before = remittances(*killed.api);
  BOOST_TEST(before >= 10);
  BOOST_TEST(before < kPayments);
  const auto again = remittance(killed.folder, {file});
  BOOST_TEST(again.exit_code == 0, again.err);
  check_says(again.out,
             "remittances  " + std::to_string(kPayments - before) + "\nknown        " + std::to_string(before) + "\n");
  BOOST_TEST(remittances(*killed.api) == kPayments);
  const auto as_text = [](const Book& book) {
    std::string text;  // without the tenant's id, which each world makes for itself
    for (const auto& [account, cents] : book.posted)
      text += account.substr(0, account.find(':')) + ' ' + std::to_string(cents) + '\n';
    return text;
  };
  BOOST_TEST(as_text(book_of(*killed.api)) == as_text(book_of(*undisturbed.api)));
  BOOST_TEST(ledger_of(*killed.api).size() == ledger_of(*undisturbed.api).size());
}

BOOST_AUTO_TEST_CASE(a_payment_that_fails_is_named_and_the_others_are_taken) {
  World world;
  world.service->ask_to_stop();
  BOOST_REQUIRE_EQUAL(world.service->wait_for_end(), 0);
  const auto run = [&](const char* sql) {
    sqlite3* database = nullptr;
    BOOST_REQUIRE(sqlite3_open((world.folder.path() / "store" / "tideover.db").c_str(), &database) == SQLITE_OK);
    BOOST_TEST(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK, sqlite3_errmsg(database));
    sqlite3_close(database);
  };
  auto text = x12_835(5, 2);
  text.replace(text.find("BPR*I*160*C", text.find("ST*835*3~")), 9, "BPR*I*161");
  const auto file = file_in(world.folder, "some.835", text).string();
  const auto errors = world.folder.path() / "errors.ndjson";
  run("CREATE TRIGGER refuse BEFORE INSERT ON remittances WHEN NEW.payment_cents = 16100 BEGIN SELECT RAISE(ABORT, "
      "'refused by the test'); END");
  const auto taken = remittance(world.folder, {file, "--errors", errors.string()});
  BOOST_TEST(taken.exit_code == 1);
  check_says(taken.out, "remittances  4\nknown        0\nfailed       1\nrefused      0 of 1 files\n");
  check_says(taken.err, "payment 3  trace TRACE-3");
  check_says(taken.err, "Repeat the command to import them");
  check_says(read_file(errors), R"("payment":3,"trace_number":"TRACE-3","error":)");
  run("DROP TRIGGER refuse");
  const auto again = remittance(world.folder, {file, "--errors", errors.string()});
  BOOST_TEST(again.exit_code == 0, again.err);
  check_says(again.out, "remittances  1\nknown        4\nfailed       0\n");
  BOOST_TEST(read_file(errors) == "");
}

BOOST_AUTO_TEST_CASE(a_database_that_is_lost_midway_ends_the_command_which_then_goes_on) {
  if (tests::MariaDbInstance::skipped()) return;
  constexpr int kPayments = 300;
  tests::MariaDbInstance server;
  const auto database = server.create_database("remittances");
  World world(Store::sqlite, [&](ServiceFolder& folder) { folder.use_mysql(database); });
  const auto files = std::vector<std::string>{file_in(world.folder, "first.835", x12_835(kPayments, 1)).string(),
                                              file_in(world.folder, "second.835", x12_835(1, 2)).string()};
  auto interrupted = std::async(std::launch::async, [&] { return remittance(world.folder, files); });
  BOOST_REQUIRE(eventually([&] { return expect_ok(world.api->get("/v1/remittances?limit=20")).size("/data") >= 10; }));
  server.kill();
  const auto ended = interrupted.get();
  BOOST_TEST(ended.exit_code == 1);
  check_says(ended.err,
             "The database is not available. Imported remittances are stored; repeat the command to continue.");
  check_says(ended.out, "failed       3\nrefused      0 of 2 files\n");
  server.restart();
  BOOST_REQUIRE(eventually([&] { return world.api->get("/v1/remittances?limit=1").status == 200; }));
  const auto again = remittance(world.folder, files);
  BOOST_TEST(again.exit_code == 0, again.err);
  BOOST_TEST(remittances(*world.api) == kPayments + 1);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_behind_whole_payments_changes_nothing) {
  World world;
  const auto file = file_in(world.folder, "cut.835", x12_835(5, 2, true)).string();
  for (const bool is_trial : {true, false}) {
    const auto taken = is_trial ? remittance(world.folder, {file, "--dry-run"}) : remittance(world.folder, {file});
    BOOST_TEST(taken.exit_code == 1);
    check_says(taken.out, "remittances  0");
    check_says(taken.out, "refused      1 of 1 files\n");
    check_says(taken.err, "the interchange has no IEA");
  }
  BOOST_TEST(remittances(*world.api) == 0);
}

BOOST_AUTO_TEST_CASE(errors_are_on_disk_before_the_command_ends) {
  World world;
  const auto broken = file_in(world.folder, "broken.835", "ISA*00*").string();
  const auto whole = file_in(world.folder, "whole.835", x12_835(300, 3)).string();
  const auto errors = world.folder.path() / "errors.ndjson";
  auto interrupted = std::async(std::launch::async, [&] {
    return remittance(world.folder, {broken, whole, "--errors", errors.string()});
  });
  BOOST_REQUIRE(eventually([&] { return expect_ok(world.api->get("/v1/remittances")).size("/data") > 0; }));
  world.service->kill();
  BOOST_TEST(interrupted.get().exit_code == 1);
  check_says(read_file(errors), "truncated inside its ISA");
  BOOST_TEST(((fs::status(errors).permissions() & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write)));
}

BOOST_AUTO_TEST_CASE(an_unknown_tenant_is_refused_with_the_remedy) {
  World world;
  const auto file = file_in(world.folder, "some.835", x12_835(2, 1)).string();
  const auto refused = remittance(world.folder, {file, "--tenant", "absent"});
  BOOST_TEST(refused.exit_code == 1);
  BOOST_TEST(refused.err ==
             "tideover: Tenant absent not found. Give another one with --tenant; `tideover client list` shows them.\n");
}

BOOST_AUTO_TEST_CASE(an_unwritable_file_is_refused_before_any_payment_is_taken) {
  World world;
  const auto file = file_in(world.folder, "some.835", x12_835(2, 1)).string();
  check_says(remittance(world.folder, {file, "--errors", "/nowhere/errors.ndjson"}).err, "cannot be written");
  BOOST_TEST(remittances(*world.api) == 0);
}

BOOST_AUTO_TEST_CASE(a_file_of_many_payments_costs_its_bytes_and_the_memory_of_one_payment) {
  constexpr std::int64_t kKibBesideTheFile = 48 * 1024;
  World world(Store::sqlite, [](ServiceFolder& folder) { folder.set("log.level", "error"); });
  const auto small = file_in(world.folder, "small.835", x12_835(2, 200)).string();
  BOOST_TEST(remittance(world.folder, {small, "--dry-run"}).exit_code == 0);  // what is loaded once
  const auto text = x12_835(800, 200);
  const auto large = file_in(world.folder, "large.835", text).string();
  const auto before = kib_at_most(world.service->pid());
  const auto tried = remittance(world.folder, {large, "--dry-run"});
  BOOST_TEST(tried.exit_code == 0, tried.err.substr(0, 500));
  check_says(tried.out, "remittances  800 (dry run");
  const auto more = kib_at_most(world.service->pid()) - before;
  BOOST_TEST_MESSAGE(text.size() / 1024 << " KiB of 160000 claims cost " << more << " KiB");
  BOOST_TEST(more <= static_cast<std::int64_t>(2 * text.size() / 1024) + kKibBesideTheFile);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
