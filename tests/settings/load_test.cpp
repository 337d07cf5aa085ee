#include <boost/test/unit_test.hpp>

#include "core/settings/field.hpp"
#include "tests/settings/loading.hpp"

using namespace tideover::settings;
using tideover::domain::Environment;
using tideover::testing::complaints;
using tideover::testing::loaded;
using tideover::testing::TempFolder;

BOOST_AUTO_TEST_SUITE(settings_load)

BOOST_AUTO_TEST_CASE(without_a_file_the_defaults_hold) {
  const auto result = load({});
  BOOST_REQUIRE(std::holds_alternative<Settings>(result));
  const Settings& settings = std::get<Settings>(result);
  BOOST_TEST((settings.environment == Environment::sandbox));
  BOOST_TEST(settings.server.host == "127.0.0.1");
  BOOST_TEST(settings.server.port == 8080);
  BOOST_TEST(settings.ops.port == 8081);
  BOOST_TEST(settings.limits.import_body_bytes == 33'554'432);
  BOOST_TEST((settings.store.driver == StoreDriver::sqlite));
  BOOST_TEST(settings.webhooks.retry_seconds.size() == 10u);
  BOOST_TEST((settings.webhooks.sandbox_retry_seconds == std::vector<int>{0, 60, 540}));
  BOOST_TEST(settings.webhooks.disable_after_seconds == 5 * 86'400);
  BOOST_TEST(settings.webhooks.endpoints_per_tenant == 20);
  BOOST_TEST(settings.funding.max_advance_cents == 100'000'000);
  BOOST_TEST(settings.rules.folder == std::filesystem::current_path() / "rules");
  BOOST_TEST(settings.log.file.empty());
}

BOOST_AUTO_TEST_CASE(every_kind_of_value_is_read_from_the_file) {
  const Settings settings = loaded(R"(
environment: production
server: { host: "::1", port: 0, worker_threads: 2 }
ops:
store:
  driver: mysql
  mysql: { host: db, user: u, password_file: p, database: d, tls: { enforce: false } }
limits: { import_inflated_bytes: 4294967296 }
webhooks: { retry_seconds: [0, 0, 60] }
plugins:
  - { path: a.so, kind: payer_directory, id: file, config: { file: payers.yaml, refresh: 60, "quoted": "yes" } }
  - { path: /b.so, kind: funding_rail, id: file }
log: { level: debug, format: text, file: "" }
)");
  BOOST_TEST((settings.environment == Environment::production));
  BOOST_TEST(settings.server.host == "::1");
  BOOST_TEST(settings.server.port == 0);
  BOOST_TEST(settings.server.worker_threads == 2);
  BOOST_TEST((settings.store.driver == StoreDriver::mysql));
  BOOST_TEST(settings.store.mysql.database == "d");
  BOOST_TEST(settings.store.mysql.tls.enforce == false);
  BOOST_TEST(settings.limits.import_inflated_bytes == 4'294'967'296);
  BOOST_TEST((settings.webhooks.retry_seconds == std::vector<int>{0, 0, 60}));
  BOOST_REQUIRE(settings.plugins.size() == 2u);
  BOOST_TEST(settings.plugins[0].config.at("refresh") == "60");
  BOOST_TEST(settings.plugins[0].config.at("quoted") == "yes");
  BOOST_TEST((settings.plugins[1].kind == PluginKind::funding_rail));
  BOOST_TEST((settings.log.level == LogLevel::debug));
  BOOST_TEST((settings.log.format == LogFormat::text));
}

BOOST_AUTO_TEST_CASE(relative_paths_count_from_the_files_folder) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.path() / "etc");
  const auto file = folder.write("etc/tideover.yaml",
                                 "rules: { folder: ../policy }\nlog: { file: /var/log/t.log }\n"
                                 "plugins: [{ path: p/x.so, kind: funding_rail, id: x }]\n");
  const auto settings = std::get<Settings>(load({file, {}}));
  BOOST_TEST(settings.rules.folder == folder.path() / "policy");
  BOOST_TEST(settings.log.file == "/var/log/t.log");
  BOOST_TEST(settings.plugins[0].path == folder.path() / "etc/p/x.so");
  BOOST_TEST(settings.security.key_ring_file == folder.path() / "etc/data/keys");  // a default counts from there too
  BOOST_TEST(settings.store.mysql.tls.ca_file.empty());
}

BOOST_AUTO_TEST_CASE(an_unknown_key_is_refused_with_the_nearest_known_one) {
  BOOST_TEST(complaints("server:\n  prot: 1\n") == "f:2:3: unknown key 'server.prot'; did you mean 'port'?\n");
  BOOST_TEST(complaints("sever: { port: 1 }\n") == "f:1:1: unknown key 'sever'; did you mean 'server'?\n");
  BOOST_TEST(complaints("store: { mysql: { tsl: {} } }\n") ==
             "f:1:19: unknown key 'store.mysql.tsl'; did you mean 'tls'?\n");
  BOOST_TEST(complaints("zebra: 1\n") == "f:1:1: unknown key 'zebra'\n");
  BOOST_TEST(complaints("store:\n  mysql:\n    password: hunter2\n") == "f:3:5: unknown key 'store.mysql.password'\n");
  BOOST_TEST(complaints("\"\\x01" + std::string(80, 'k') + "\": 1\n") ==
             "f:1:1: unknown key '?" + std::string(59, 'k') + "…'\n");
}

BOOST_AUTO_TEST_CASE(a_wrong_type_is_refused_where_it_stands) {
  BOOST_TEST(complaints("server:\n  port: eighty\n") ==
             "f:2:9: 'server.port': expected a whole number, got 'eighty'\n");
  BOOST_TEST(complaints("server:\n  port: \"80\"\n") == "f:2:9: 'server.port': expected a whole number, got '80'\n");
  BOOST_TEST(complaints("server:\n  port: 80.0\n") == "f:2:9: 'server.port': expected a whole number, got '80.0'\n");
  BOOST_TEST(complaints("server:\n  port: 0x50\n") == "f:2:9: 'server.port': expected a whole number, got '0x50'\n");
  BOOST_TEST(complaints("server:\n  port: [80]\n") == "f:2:9: 'server.port' takes a single value, got a list\n");
  BOOST_TEST(complaints("server:\n  port:\n") ==
             "f:2:3: the key 'server.port' has no value; set one or remove the key\n");
  BOOST_TEST(complaints("server:\n  host: { a: b }\n") == "f:2:9: 'server.host' takes a single value, got a mapping\n");
  BOOST_TEST(complaints("server: 80\n") == "f:1:9: expected keys and values, got a single value\n");
  BOOST_TEST(complaints("[1, 2]\n") == "f:1:1: expected keys and values, got a list\n");
  BOOST_TEST(complaints("? [a]\n: 1\n") == "f:1:3: a key must be a plain word, got a list\n");
  BOOST_TEST(complaints("store:\n  mysql:\n    tls: { enforce: yes }\n") ==
             "f:3:21: 'store.mysql.tls.enforce': expected true or false, got 'yes'\n");
  BOOST_TEST(complaints("store: { driver: mysqll }\n") ==
             "f:1:18: 'store.driver': expected one of sqlite, mysql, got 'mysqll'; did you mean 'mysql'?\n");
}

BOOST_AUTO_TEST_CASE(a_number_out_of_bounds_is_refused_with_the_bounds) {
  BOOST_TEST(complaints("server: { port: 65536 }\n") ==
             "f:1:17: 'server.port': '65536' is out of range; it must be from 0 to 65535\n");
  BOOST_TEST(complaints("server: { port: -1 }\n") ==
             "f:1:17: 'server.port': '-1' is out of range; it must be from 0 to 65535\n");
  BOOST_TEST(complaints("security: { access_token_seconds: 299 }\n") ==
             "f:1:35: 'security.access_token_seconds': '299' is out of range; it must be from 300 to 86400\n");
  BOOST_TEST(
      complaints("funding: { max_advance_cents: 99999999999999999999 }\n") ==
      "f:1:31: 'funding.max_advance_cents': '99999999999999999999' is out of range; it must be from 0 to 9999999999\n");
}

BOOST_AUTO_TEST_CASE(a_key_set_twice_is_refused_with_both_positions) {
  BOOST_TEST(complaints("server:\n  port: 1\n  port: 2\n") ==
             "f:3:3: duplicate key 'server.port'; it was set before at f:2:9\n");
  BOOST_TEST(complaints("ops: { port: 1 }\nops: { port: 2 }\n") ==
             "f:2:1: duplicate key 'ops'; it was set before at f:1:6\n");
}

BOOST_AUTO_TEST_CASE(a_schedule_is_a_growing_list_of_bounded_numbers) {
  const std::string shape = "expected a list of 1 to 32 whole numbers, such as [5, 30, 120]\n";
  BOOST_TEST(complaints("webhooks: { retry_seconds: 5 }\n") == "f:1:28: " + shape);
  BOOST_TEST(complaints("webhooks: { retry_seconds: [] }\n") == "f:1:28: " + shape);
  BOOST_TEST(complaints("webhooks: { retry_seconds: }\n") == "f:1:28: " + shape);
  BOOST_TEST(complaints("webhooks: { retry_seconds: [5, x] }\n") == "f:1:32: expected a whole number, got 'x'\n");
  BOOST_TEST(complaints("webhooks: { retry_seconds: [5, 4] }\n") ==
             "f:1:32: each pause must be at least as long as the one before\n");
  BOOST_TEST(complaints("funding: { resolve_seconds: [0] }\n") ==
             "f:1:30: '0' is out of range; it must be from 1 to 604800\n");
}

BOOST_AUTO_TEST_CASE(a_plugin_needs_path_kind_and_an_id_of_its_own) {
  BOOST_TEST(complaints("plugins:\n  - { path: a.so }\n") == "f:2:5: the key 'kind' is missing\n");
  BOOST_TEST(complaints("plugins:\n  - { path: \"\", kind: funding_rail, id: a }\n") ==
             "f:2:13: 'path' must not be empty\n");
  BOOST_TEST(complaints("plugins:\n  - { path: a, kind: rail, id: a }\n") ==
             "f:2:22: 'kind': expected one of payer_directory, funding_rail, import_format, remittance_format, "
             "deposit_format, got 'rail'\n");
  BOOST_TEST(complaints("plugins:\n  - { path: a, kind: funding_rail, id: a, cfg: {} }\n") ==
             "f:2:43: unknown key 'cfg'\n");
  BOOST_TEST(complaints("plugins:\n"
                        "  - { path: a, kind: funding_rail, id: x }\n"
                        "  - { path: b, kind: funding_rail, id: x }\n") ==
             "f:3:40: another plugin of this kind has the id 'x'\n");
  BOOST_TEST(complaints("plugins: { a: b }\n") ==
             "f:1:10: expected a list of plugins, each with path and kind, got a mapping\n");
  BOOST_TEST(complaints("plugins: [a]\n") ==
             "f:1:11: expected keys and values, got a single value\nf:1:11: the key 'path' is missing\n"
             "f:1:11: the key 'kind' is missing\n");
}

BOOST_AUTO_TEST_CASE(a_pickup_folder_needs_a_name_a_path_and_a_tenant_of_its_own) {
  const auto settings = loaded(
      "pickup:\n  folders:\n    - { name: era, path: /srv/era, tenant: demo, kind: deposit, stable_ms: 0 }\n"
      "    - { name: claims-2, path: /srv/claims, tenant: demo }\n");
  BOOST_REQUIRE(settings.pickup.folders.size() == 2u);
  BOOST_TEST((settings.pickup.folders[0].kind == PickupKind::deposit));
  BOOST_TEST(settings.pickup.folders[0].stable_ms == 0);
  BOOST_TEST((settings.pickup.folders[1].kind == PickupKind::automatic));
  BOOST_TEST(settings.pickup.folders[1].stable_ms == 10'000);
  BOOST_TEST(complaints("pickup: { folders: [{ name: era, path: /a }] }\n") == "f:1:21: the key 'tenant' is missing\n");
  BOOST_TEST(complaints("pickup: { folders: [{ name: A b, path: /a, tenant: t }] }\n") ==
             "f:1:29: 'name' must have 1 to 40 lower-case letters, digits, '-' and '_', got 'A b'\n");
  BOOST_TEST(complaints("pickup: { folders: [{ name: a, path: /a, tenant: t, kind: 835 }] }\n") ==
             "f:1:59: 'kind': expected one of auto, remittance, deposit, claims, got '835'\n");
  const std::string first = "pickup:\n  folders:\n    - { name: a, path: /a, tenant: t }\n";
  BOOST_TEST(complaints(first + "    - { name: a, path: /b, tenant: t }\n") ==
             "f:4:15: another folder has the name 'a'\n");
  BOOST_TEST(complaints(first + "    - { name: b, path: /b/../a, tenant: t }\n") ==
             "f:4:24: another folder has the path '/b/../a'\n");
  BOOST_TEST(complaints("pickup: { folders: a }\n") ==
             "f:1:20: expected a list of folders, each with name, path and tenant, got a single value\n");
}

BOOST_AUTO_TEST_CASE(a_plugins_config_is_a_flat_map) {
  const std::string plugin = "plugins:\n  - path: a\n    kind: funding_rail\n    id: x\n    config: ";
  BOOST_TEST(complaints(plugin + "{ a: [1] }\n") == "f:5:15: expected plain keys with single values\n");
  BOOST_TEST(complaints(plugin + "{ a: 1, a: 2 }\n") == "f:5:21: duplicate key 'a'\n");
  BOOST_TEST(complaints(plugin + "[a]\n") == "f:5:13: expected keys and values, got a list\n");
  BOOST_TEST(complaints(plugin + "\n") == "");
}

BOOST_AUTO_TEST_CASE(all_faults_are_reported_at_once_in_the_order_of_the_file) {
  BOOST_TEST(complaints("server:\n  port: x\n  hots: y\nlog: { level: loud }\n", {"TIDEOVER_OPS_PORT=x"}) ==
             "f:2:9: 'server.port': expected a whole number, got 'x'\n"
             "f:3:3: unknown key 'server.hots'; did you mean 'host'?\n"
             "f:4:15: 'log.level': expected one of debug, info, warning, error, got 'loud'\n"
             "TIDEOVER_OPS_PORT: 'ops.port': expected a whole number, got 'x'\n");
}

BOOST_AUTO_TEST_CASE(the_mysql_driver_names_its_missing_settings) {
  BOOST_TEST(complaints("store:\n  driver: mysql\n  mysql: { host: db, user: [] }\n") ==
             "f:3:28: 'store.mysql.user' takes a single value, got a list\n"
             "f:2:11: the driver mysql needs 'store.mysql.password_file'\n"
             "f:2:11: the driver mysql needs 'store.mysql.database'\n");
}

BOOST_AUTO_TEST_CASE(plain_http_beyond_loopback_must_be_asked_for) {
  BOOST_TEST(
      complaints("server: { host: 0.0.0.0 }\n") ==
      "f:1:17: 'server.host': '0.0.0.0' can be reached from other machines without TLS; listen on 127.0.0.1 behind a "
      "proxy with TLS, or set server.allow_plain_http_beyond_loopback: true\n");
  BOOST_TEST(
      complaints("ops: { host: \"::\" }\n").starts_with("f:1:14: 'ops.host': '::' can be reached from other machines"));
  BOOST_TEST(
      complaints("server: { host: 0.0.0.0, allow_plain_http_beyond_loopback: true }\nops: { host: 10.0.0.1 }\n") == "");
  BOOST_TEST(complaints("server: { host: localhost }\nops: { host: 127.9.9.9 }\n") == "");
  BOOST_TEST(complaints("server: { host: localhost.example.com }\n") != "");
  BOOST_TEST(complaints("server: { host: \"\" }\n") != "");
}

BOOST_AUTO_TEST_CASE(the_two_listeners_need_two_ports) {
  BOOST_TEST(complaints("ops: { port: 8080 }\n") == "f:1:14: 'ops.port' equals 'server.port'; set different ports\n");
  BOOST_TEST(complaints("server: { port: 0 }\nops: { port: 0 }\n") == "");
}

BOOST_AUTO_TEST_CASE(production_has_no_sandbox_switches) {
  BOOST_TEST(complaints("environment: production\nwebhooks: { allow_loopback_http_in_sandbox: true }\n") ==
             "f:2:45: 'webhooks.allow_loopback_http_in_sandbox' is for the sandbox only; remove it in production\n");
  BOOST_TEST(loaded("environment: production\n").webhooks.allow_loopback_http_in_sandbox == false);
  BOOST_TEST(loaded("environment: sandbox\n").webhooks.allow_loopback_http_in_sandbox == true);
}

BOOST_AUTO_TEST_CASE(a_second_operator_approves_rules_filed_by_command) {
  BOOST_TEST(complaints("rules: { approval: second_person }\n") ==
             "f:1:20: 'rules.approval': approval by a second operator needs rules.promotion: by_command\n");
  BOOST_TEST(complaints("rules: { approval: second_person, promotion: by_command }\n") == "");
}

BOOST_AUTO_TEST_CASE(accounts_of_the_general_ledger_stand_beside_known_accounts) {
  BOOST_TEST(loaded("ledger: { accounts: { \"purchased_receivable:*\": 1200 Receivables } }\n")
                 .ledger.accounts.at("purchased_receivable:*") == "1200 Receivables");
  BOOST_TEST(
      complaints("ledger: { accounts: { cash: 1, bank: 2, fee_income: 4100 } }\n")
          .starts_with("f:1:21: 'ledger.accounts': unknown accounts: bank, cash; use funding_cash, fee_income, "));
}

BOOST_AUTO_TEST_CASE(roles_have_names_and_scopes) {
  BOOST_TEST(loaded("roles: { biller: \"claims:read claims:write\" }\n").roles.at("biller") ==
             "claims:read claims:write");
  BOOST_TEST(complaints("roles: { biller: \"claims:fly\", Admin: admin }\n")
                 .starts_with("f:1:8: 'roles': 'Admin' is not a name of 1 to 40 lower-case letters, digits, '-' and "
                              "'_'; biller has an unknown scope; the scopes are claims:read "));
}

BOOST_AUTO_TEST_CASE(the_payer_of_remittance_advices_has_a_name_and_an_id_of_ten_characters) {
  BOOST_TEST(complaints("remittance_advice: { payer_name: Example Funder, originator_id: \"1999999999\" }\n") == "");
  BOOST_TEST(complaints("remittance_advice: { payer_name: \"\" }\n") ==
             "f:1:34: 'remittance_advice.payer_name' must have 1 to 60 characters\n");
  for (const char* id : {"123456789", "12345678901", "1-99999999", ""})
    BOOST_TEST(complaints("remittance_advice: { originator_id: \"" + std::string(id) + "\" }\n") ==
               "f:1:37: 'remittance_advice.originator_id' must be 10 letters or digits\n");
  BOOST_TEST(complaints("remittance_advice: { state: Illinois }\n") ==
             "f:1:29: 'remittance_advice.state' must be two letters\n");
  BOOST_TEST(complaints("remittance_advice: { street: 1 Main Street, city: Springfield, state: IL }\n") == "");
  BOOST_TEST(complaints("remittance_advice: { street: 1 Main Street }\n")
                 .ends_with("'remittance_advice.city' is missing; the address has a street\n"));
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_an_error) {
  const auto result = load({"/nonexistent/tideover.yaml", {}});
  BOOST_TEST(complaints(result, "/nonexistent/tideover.yaml") ==
             "f: cannot read the file: No such file or directory\n");
}

BOOST_AUTO_TEST_CASE(the_shipped_configuration_names_every_setting_with_its_default) {
  const std::filesystem::path file = TIDEOVER_SOURCE_DIR "/config/tideover.yaml";
  const auto result = load({file, {}});
  BOOST_REQUIRE_EQUAL(complaints(result, file), "");
  Settings shipped = std::get<Settings>(result);
  Settings defaults;
  const auto shipped_fields = fields_of(shipped);
  const auto default_fields = fields_of(defaults);
  const std::string text = tideover::testing::read_file(file);
  for (std::size_t i = 0; i < shipped_fields.size(); ++i) {
    const std::string& key = shipped_fields[i].key;
    const std::string name = key.substr(key.rfind('.') + 1) + ":";
    BOOST_TEST(text.find(name) != std::string::npos, key << " is not in the shipped file");
    const bool is_path = std::holds_alternative<std::filesystem::path*>(shipped_fields[i].target);
    if (!is_path && key != "plugins") BOOST_TEST(print(shipped_fields[i]) == print(default_fields[i]), key);
  }
  BOOST_TEST(std::filesystem::exists(shipped.reason_codes_file));
}

BOOST_AUTO_TEST_CASE(the_production_example_loads) {
  const std::filesystem::path file = TIDEOVER_SOURCE_DIR "/config/production.example.yaml";
  BOOST_TEST(complaints(load({file, {}}), file) == "");
}

BOOST_AUTO_TEST_SUITE_END()
