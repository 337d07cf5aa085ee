// What stops the start: one sentence that says what, where and what to do, and exit code 1.
#include "tests/support/world/flow.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"

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

BOOST_AUTO_TEST_SUITE(start_up)

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
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
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
  save_file(folder.config_file(), text);
  BOOST_TEST(ServiceProcess(folder).is_running());
}

BOOST_AUTO_TEST_CASE(a_database_whose_certificate_nobody_vouches_for_is_refused) {
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
