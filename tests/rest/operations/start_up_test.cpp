// What stops the start: one sentence that says what, where and what to do, and exit code 1.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include "core/store/sql/mysql_session.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

/// Expects that serve refuses to start and returns what it says.
std::string refusal_of(const ServiceFolder& folder) {
  const auto result = run_tideover({"serve", "--config", folder.config_file().string()});
  BOOST_TEST(result.exit_code == 1);
  BOOST_TEST(result.out == "");
  return result.err;
}

void expect_in(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) BOOST_TEST(text.find(part) != std::string::npos, "no \"" << part << "\" in: " << text);
}

bool log_says(const ServiceFolder& folder, const std::string& text) {
  return std::filesystem::exists(folder.log_file()) && read_file(folder.log_file()).find(text) != std::string::npos;
}

/// A free port of loopback.
std::uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const bool bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), length) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  ::close(socket);
  BOOST_REQUIRE(bound);
  return ntohs(address.sin_port);
}

/// A database server that does not answer.
void use_absent_server(ServiceFolder& folder) {
  sql::MySqlOptions options;
  options.host = "127.0.0.1";
  options.port = free_port();
  options.user = "u";
  options.password = "p";
  options.database = "d";
  folder.use_mysql(options);
}

bool maps_a_plugin(pid_t process) {
  return read_file("/proc/" + std::to_string(process) + "/maps").find("memfd:payer_directory_file") !=
         std::string::npos;
}

std::string metrics_of(const ServiceProcess& service) {
  return ApiClient(service.ops_port()).get("/metrics").body;
}

CommandResult check(const ServiceFolder& folder) {
  folder.write_config();
  return run_tideover({"check", "--config", folder.config_file().string()});
}

BOOST_AUTO_TEST_SUITE(start_up)

BOOST_AUTO_TEST_CASE(a_broken_rule_folder_starts_with_the_stored_rules_and_says_so) {
  World world(Store::sqlite, [](ServiceFolder& folder) { folder.copy_rules(); });
  save_file(world.folder.path() / "rules" / "denial" / "duplicate.lua", "return { oops");
  const auto beside = check(world.folder);
  BOOST_TEST(beside.exit_code == 3, beside.err);
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);

  const auto alone = check(world.folder);
  BOOST_TEST(alone.exit_code == 3, alone.err);
  expect_in(alone.err, {"warning: ", "denial/duplicate.lua:1:", "serve uses the live rules"});
  world.start();
  const ApiClient ops(world.service->ops_port());
  BOOST_TEST(
      eventually([&] { return ops.get("/readyz").body.find("serving the last valid rules") != std::string::npos; }));
  expect_in(ops.get("/readyz").body, {"denial/duplicate.lua:1:"});
  BOOST_TEST(ops.get("/readyz").status == 200);
  BOOST_TEST(log_says(world.folder, "rules_refused"));
  expect_in(metrics_of(*world.service), {"tideover_rules_stale 1\n"});
  expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1")));
}

BOOST_AUTO_TEST_CASE(broken_rules_without_stored_ones_are_an_error_of_check_as_of_serve) {
  ServiceFolder folder;
  save_file(folder.copy_rules() / "denial" / "zero_charge.lua", "return { oops");
  BOOST_TEST(check(folder).exit_code == 1);
  folder.create_client();  // a database without rules
  const auto refused = check(folder);
  BOOST_TEST(refused.exit_code == 1, refused.err);
  expect_in(refusal_of(folder), {"denial/zero_charge.lua:1:"});
}

BOOST_AUTO_TEST_CASE(a_broken_or_missing_catalogue_of_reason_codes_starts_with_that_of_the_last_start) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    const auto own = folder.path() / "codes.yaml";
    std::filesystem::copy_file(std::filesystem::path(TIDEOVER_SOURCE_DIR) / "config" / "reason_codes.yaml", own);
    folder.set("reason_codes_file", own.string());
  });
  const auto whole = expect_ok(world.api->get("/v1/metadata/reason-codes"));
  const auto file = world.folder.path() / "codes.yaml";
  for (const bool is_there : {true, false}) {
    save_file(file, "- { code: ");
    if (!is_there) std::filesystem::remove(file);
    world.restart();
    BOOST_TEST(text_of(expect_ok(world.api->get("/v1/metadata/reason-codes")).root()) == text_of(whole.root()));
    expect_in(ApiClient(world.service->ops_port()).get("/readyz").body,
              {"reason codes of an earlier start", "codes.yaml"});
    expect_in(metrics_of(*world.service), {"tideover_reason_codes_stale 1\n"});
    BOOST_TEST(log_says(world.folder, "reason_codes_unusable"));
    BOOST_TEST(check(world.folder).exit_code == 3);
  }
  std::filesystem::copy_file(std::filesystem::path(TIDEOVER_SOURCE_DIR) / "config" / "reason_codes.yaml", file);
  world.restart();
  expect_in(metrics_of(*world.service), {"tideover_reason_codes_stale 0\n"});
}

BOOST_AUTO_TEST_CASE(reason_codes_that_never_were_used_are_refused_when_broken) {
  ServiceFolder folder;
  save_file(folder.path() / "codes.yaml", "- { code: ");
  folder.set("reason_codes_file", (folder.path() / "codes.yaml").string());
  folder.write_config();
  expect_in(refusal_of(folder), {"codes.yaml"});
  BOOST_TEST(check(folder).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(a_log_file_that_cannot_be_opened_leaves_the_log_on_standard_error_until_it_can) {
  World world(Store::sqlite,
              [](ServiceFolder& folder) { folder.set("log.file", (folder.path() / "absent" / "log").string()); });
  BOOST_TEST(log_says(world.folder, "log_file_unusable"));
  const auto warned = check(world.folder);
  BOOST_TEST(warned.exit_code == 3, warned.err);
  expect_in(warned.err, {"log.file ", "standard error"});
  std::filesystem::create_directory(world.folder.path() / "absent");
  ::kill(world.service->pid(), SIGHUP);
  BOOST_TEST(eventually([&] { return std::filesystem::exists(world.folder.path() / "absent" / "log"); }));
}

BOOST_AUTO_TEST_CASE(a_retry_schedule_that_the_sandbox_ignores_is_warned_of) {
  const auto warns = [](const char* schedule) {
    World world(Store::sqlite, [&](ServiceFolder& folder) { folder.set("webhooks.retry_seconds", schedule); });
    return log_says(world.folder, "webhook_schedule_ignored");
  };
  BOOST_TEST(warns("[0, 1, 1]"));
  BOOST_TEST(!warns("[0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]"));  // that of the shipped file
}

BOOST_AUTO_TEST_CASE(a_database_that_is_away_is_waited_for) {
  if (tests::MariaDbInstance::skipped()) return;
  tests::MariaDbInstance server;
  ServiceFolder folder;
  folder.use_mysql(server.create_database("away"));
  const auto ops_port = free_port();
  folder.set("ops.port", std::to_string(ops_port));
  server.kill();
  ServiceProcess service(folder, ServiceProcess::AtOnce{});
  BOOST_REQUIRE(eventually([&] { return log_says(folder, "store_awaited"); }));
  BOOST_REQUIRE(service.is_running());
  BOOST_TEST(ApiClient(ops_port).get("/livez").status == 200);
  const auto ready = ApiClient(ops_port).get("/readyz");
  BOOST_TEST(ready.status == 503);
  expect_in(ready.body, {"Can't connect"});
  server.restart();
  service.wait_until_it_serves();
  BOOST_TEST(log_says(folder, "store_reached"));
  BOOST_TEST(eventually([&] { return ApiClient(ops_port).get("/readyz").status == 200; }));
}

BOOST_AUTO_TEST_CASE(a_database_that_cannot_be_written_is_waited_for_with_growing_pauses_and_without_plugins) {
  if (tests::MariaDbInstance::skipped()) return;
  tests::MariaDbInstance server;
  auto options = server.create_database("read_only");
  const auto admin = sql::open_mysql_session(options, sql::MySqlRole::writer);
  admin->execute("CREATE USER 'plain'@'127.0.0.1' IDENTIFIED BY 'loopback-test-only'");
  admin->execute("GRANT ALL ON read_only.* TO 'plain'@'127.0.0.1'");
  options.user = "plain";
  options.password = "loopback-test-only";
  ServiceFolder folder;
  folder.use_mysql(options);
  { ServiceProcess makes_the_tables(folder); }
  admin->execute("SET GLOBAL read_only = ON");
  ServiceProcess service(folder, ServiceProcess::AtOnce{});
  BOOST_REQUIRE(eventually([&] { return log_says(folder, R"("next_try_ms":1000)"); }, std::chrono::seconds(120)));
  BOOST_TEST(!maps_a_plugin(service.pid()));
  admin->execute("SET GLOBAL read_only = OFF");
  service.wait_until_it_serves();
  BOOST_TEST(maps_a_plugin(service.pid()));
}

BOOST_AUTO_TEST_CASE(sigterm_ends_the_wait_for_the_database) {
  ServiceFolder folder;
  use_absent_server(folder);
  ServiceProcess service(folder, ServiceProcess::AtOnce{});
  BOOST_REQUIRE(eventually([&] { return log_says(folder, "store_awaited"); }));
  service.ask_to_stop();
  BOOST_TEST(service.wait_for_end() == 0);
}

BOOST_AUTO_TEST_CASE(check_says_at_once_that_serve_would_wait_for_the_database) {
  ServiceFolder folder;
  use_absent_server(folder);
  const auto ended = check(folder);
  BOOST_TEST(ended.exit_code == 1);
  expect_in(ended.err, {"Can't connect", "serve waits for it"});
}

BOOST_DATA_TEST_CASE(locks_of_an_ending_process_are_waited_for,
                     boost::unit_test::data::make({"store/tideover.db.lock", "data/rail-journal"}), held) {
  World world;
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  const auto file = world.folder.path() / std::string(held);
  const int lock = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  BOOST_REQUIRE(lock >= 0);
  BOOST_REQUIRE(::flock(lock, LOCK_EX | LOCK_NB) == 0);
  world.service.emplace(world.folder, ServiceProcess::AtOnce{});
  const bool waits =
      eventually([&] { return log_says(world.folder, "for another process to end") || !world.service->is_running(); });
  ::close(lock);
  BOOST_REQUIRE(waits);
  world.service->wait_until_it_serves();
}

BOOST_AUTO_TEST_CASE(a_control_socket_that_cannot_be_made_ends_the_start_before_any_work_has_begun) {
  ServiceFolder folder;
  std::filesystem::create_directory(folder.path() / "store" / "tideover.db.control");
  folder.write_config();
  const auto refused = refusal_of(folder);
  expect_in(refused, {"The control socket", "tideover.db.control"});
  BOOST_TEST(refused.find("rail_journal_replayed") == std::string::npos, refused);
  BOOST_TEST(refused.find("\"serving\"") == std::string::npos, refused);
}

BOOST_AUTO_TEST_CASE(world_writable_files_are_refused) {
  using std::filesystem::perms;
  ServiceFolder folder;
  const auto rules = folder.copy_rules();
  const auto plugins = folder.path() / "plugins";
  std::filesystem::create_directory(plugins);
  std::filesystem::copy_file(plugin_library("import_format", "csv"), plugins / "csv.so");
  folder.use_plugin("import_format", "csv", plugins / "csv.so", {});
  folder.write_config();
  BOOST_TEST(run_tideover({"check", "--config", folder.config_file().string()}).exit_code == 0);
  for (const auto& open : {folder.config_file(), rules, rules / "denial", rules / "denial" / "zero_charge.lua", plugins,
                           plugins / "csv.so"}) {
    const auto before = std::filesystem::status(open).permissions();
    std::filesystem::permissions(open, before | perms::others_write);
    const auto refused = run_tideover({"check", "--config", folder.config_file().string()});
    BOOST_TEST(refused.exit_code == 1, open << ": " << refused.out);
    expect_in(refused.err, {"run chmod ", "o-w on "});
    expect_in(refusal_of(folder), {"run chmod ", "o-w on "});
    std::filesystem::permissions(open, before);
  }
}

BOOST_AUTO_TEST_CASE(plugins_load_where_no_temporary_folder_can_be_used) {
  ServiceFolder folder;
  folder.set_variable("TMPDIR", (folder.path() / "absent").string());
  BOOST_TEST(ServiceProcess(folder).is_running());
}

BOOST_AUTO_TEST_CASE(a_broken_rule_is_located) {
  ServiceFolder folder;
  const auto rule = folder.copy_rules() / "denial" / "zero_charge.lua";
  save_file(rule, "return {\n  id = = 'x',\n}\n");
  folder.write_config();
  expect_in(refusal_of(folder), {"denial/zero_charge.lua:2:"});
}

BOOST_AUTO_TEST_CASE(a_plugin_that_is_none_is_named) {
  ServiceFolder folder;
  const auto none = folder.path() / "none.so";
  save_file(none, "this is no library");
  folder.use_plugin("funding_rail", "none", none, {});
  folder.write_config();
  expect_in(refusal_of(folder), {none.string()});

  ServiceFolder missing;
  missing.use_plugin("funding_rail", "none", missing.path() / "missing.so", {});
  missing.write_config();
  expect_in(refusal_of(missing), {(missing.path() / "missing.so").string()});
}

BOOST_AUTO_TEST_CASE(a_plugin_of_another_kind_is_named) {
  ServiceFolder folder;
  folder.use_plugin("funding_rail", "csv", plugin_library("import_format", "csv"), {});
  folder.write_config();
  expect_in(refusal_of(folder), {"csv", "import_format", "funding_rail"});
}

BOOST_AUTO_TEST_CASE(a_configuration_that_cannot_be_read_is_named) {
  ServiceFolder folder;
  expect_in(refusal_of(folder), {folder.config_file().string()});
}

BOOST_AUTO_TEST_CASE(faults_of_the_configuration_are_located_all_at_once) {
  ServiceFolder folder;
  save_file(folder.config_file(), "environment: sandbox\nserver:\n  prot: 8080\nfunding:\n  max_fee_bps: lots\n");
  expect_in(refusal_of(folder), {folder.config_file().string() + ":3:3", "prot", "tideover.yaml:5:", "max_fee_bps"});
  save_file(folder.config_file(), "server: [\n");
  expect_in(refusal_of(folder), {folder.config_file().string() + ":"});
}

BOOST_AUTO_TEST_CASE(a_port_that_is_taken_is_named) {
  World world;
  ServiceFolder folder;
  folder.set("server.port", std::to_string(world.service->port()));
  folder.write_config();
  expect_in(refusal_of(folder), {std::to_string(world.service->port())});
}

BOOST_AUTO_TEST_CASE(a_store_in_use_is_named) {
  World world;
  expect_in(refusal_of(world.folder), {(world.folder.path() / "store").string()});
  BOOST_TEST(world.api->get("/v1/health").status == 200);
}

BOOST_AUTO_TEST_CASE(the_production_example_starts_once_its_paths_exist) {
  ServiceFolder folder;
  const std::filesystem::path config = std::filesystem::path(TIDEOVER_SOURCE_DIR) / "config";
  std::string text = read_file(config / "production.example.yaml");
  const auto put = [&](const std::string& from, const std::string& to) {
    BOOST_REQUIRE(text.find(from) != std::string::npos);
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  const std::string own = folder.path().string();
  put("/usr/lib/tideover/plugins", plugin_library("funding_rail", "rtp").parent_path().string());
  put("/etc/tideover/reason_codes.yaml", (config / "reason_codes.yaml").string());
  put("/etc/tideover/payers.jsonl", (config / "payers.jsonl").string());
  put("/etc/tideover/rules", (config.parent_path() / "rules").string());
  put("/etc/tideover", own);
  put("/var/lib/tideover", own);
  put("/var/log/tideover", own);
  put("driver: mysql", "driver: sqlite\n  sqlite: { path: " + own + "/store/tideover.db }");
  put("server:", "ops: { port: 0 }\nserver:\n  port: 0");
  std::filesystem::create_directory(folder.path() / "secrets");
  std::filesystem::permissions(folder.path() / "secrets", std::filesystem::perms::owner_all);
  folder.use_config(text);
  folder.write_config();
  expect_in(refusal_of(folder), {"RTP, SAME_DAY, FUTURE_DATE", "simulated", "funding.allow_simulated_rails"});
  put("allow_simulated_rails: false", "allow_simulated_rails: true");
  folder.use_config(text);
  BOOST_TEST(ServiceProcess(folder).is_running());
}

BOOST_AUTO_TEST_CASE(a_database_with_an_untrusted_certificate_is_refused) {
  if (tests::MariaDbInstance::skipped()) return;
  tests::MariaDbInstance server(tests::MariaDbInstance::Encryption::tls);
  ServiceFolder folder;
  folder.use_mysql(server.create_database("strict"));
  folder.set("store.mysql.tls.enforce", "true");
  folder.write_config();
  expect_in(refusal_of(folder), {"127.0.0.1", "TLS"});

  folder.set("store.mysql.tls.ca_file", server.certificate_file());
  folder.write_config();
  BOOST_TEST(ServiceProcess(folder).is_running());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
