// The program's other subcommands.
#include <map>
#include <set>

#include "tests/support/mariadb/mariadb_instance.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

BOOST_AUTO_TEST_SUITE(command_line)

BOOST_AUTO_TEST_CASE(every_subcommand_explains_itself) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{},
                                                                                       {"serve"},
                                                                                       {"check"},
                                                                                       {"client"},
                                                                                       {"client", "create"},
                                                                                       {"client", "list"},
                                                                                       {"client", "disable"},
                                                                                       {"client", "enable"},
                                                                                       {"client", "rotate-secret"},
                                                                                       {"client", "secrets"},
                                                                                       {"client", "revoke-secret"},
                                                                                       {"client", "set-expiry"},
                                                                                       {"rules"},
                                                                                       {"quality"},
                                                                                       {"quality", "calibration"},
                                                                                       {"review"},
                                                                                       {"review", "replay"},
                                                                                       {"rules", "check"},
                                                                                       {"rules", "test"},
                                                                                       {"rules", "new"},
                                                                                       {"rules", "shadow"},
                                                                                       {"rules", "docs"},
                                                                                       {"rules", "diff"},
                                                                                       {"rules", "explain"},
                                                                                       {"rules", "backtest"},
                                                                                       {"rules", "promote"},
                                                                                       {"rules", "approve"},
                                                                                       {"rules", "reject"},
                                                                                       {"rules", "rollback"},
                                                                                       {"rules", "history"},
                                                                                       {"rules", "status"},
                                                                                       {"plugin"},
                                                                                       {"plugin", "list"},
                                                                                       {"rails", "list"},
                                                                                       {"rails", "reconcile"},
                                                                                       {"rails", "sender"},
                                                                                       {"rails", "sender", "show"},
                                                                                       {"rails", "sender", "move"},
                                                                                       {"version"}}) {
    auto asked = command;
    asked.emplace_back("--help");
    const auto result = run_tideover(asked);
    BOOST_TEST(result.exit_code == 0);
    BOOST_TEST(result.out.find("Usage") != std::string::npos, result.out);
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_command_line_is_exit_code_2) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{"dance"},
                                                                                       {"client"},
                                                                                       {"client", "disable"},
                                                                                       {"serve", "--prot"},
                                                                                       {"client", "create", "--tenant"},
                                                                                       {"version", "extra"}}) {
    const auto result = run_tideover(command);
    BOOST_TEST(result.exit_code == 2);
    BOOST_TEST(result.err != "");
  }
}

BOOST_AUTO_TEST_CASE(a_word_that_is_no_command_is_named_with_those_there_are) {
  const std::map<std::vector<std::string>, std::string> answers = {
      {{"leger", "verify"}, "Unknown command 'tideover leger'. Commands of 'tideover': "},
      {{"ledger", "varify"}, "Unknown command 'tideover ledger varify'. Commands of 'tideover ledger': "},
      {{"rails", "sender", "shaw"},
       "Unknown command 'tideover rails sender shaw'. Commands of 'tideover rails sender': "}};
  for (const auto& [command, answer] : answers) {
    const auto result = run_tideover(command);
    BOOST_TEST(result.exit_code == 2);
    BOOST_TEST(result.err.starts_with(answer), result.err);
  }
  BOOST_TEST(run_tideover({"ledger", "varify"}).err.find("verify") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(it_prints_its_version_and_settings) {
  const auto version = run_tideover({"version"});
  BOOST_TEST(version.exit_code == 0);
  BOOST_TEST(version.out.starts_with("tideover 0."));
  BOOST_TEST(run_tideover({"--version"}).out == version.out);
  const auto help = run_tideover({"serve", "--help-config"});
  BOOST_TEST(help.exit_code == 0);
  BOOST_TEST(help.out.find("submit_timeout_ms") != std::string::npos);
}

BOOST_DATA_TEST_CASE(a_rail_moves_only_at_its_new_sender_and_with_its_journal, boost::unit_test::data::make(stores()),
                     store) {
  World world(store);
  const auto rails_sender = [&](std::vector<std::string> command) {
    command.insert(command.begin(), {"rails", "sender"});
    command.insert(command.end(), {"--config", world.folder.config_file().string()});
    return run_tideover(command);
  };
  const auto shown = rails_sender({"show"});
  BOOST_TEST(shown.exit_code == 0);
  BOOST_TEST(shown.out != "");
  const auto elsewhere = rails_sender({"move", "--rail", "RTP", "--to", "another-node", "--journal-lost"});
  BOOST_TEST(elsewhere.exit_code == 1);
  BOOST_TEST(elsewhere.err.find("on the new sender") != std::string::npos, elsewhere.err);
  BOOST_TEST(rails_sender({"move", "--rail", "RTP"}).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(a_rail_does_not_move_while_its_sender_runs) {
  if (tests::MariaDbInstance::skipped()) return;
  tests::MariaDbInstance server;
  const auto database = server.create_database("moving");
  ServiceFolder folder;
  folder.use_mysql(database);
  folder.set("node.name", "new");
  folder.write_config();
  const auto tideover = [&](std::vector<std::string> command) {
    command.insert(command.end(), {"--config", folder.config_file().string()});
    return run_tideover(command);
  };
  BOOST_TEST(tideover({"db", "migrate"}).exit_code == 0);
  const auto session = sql::open_mysql_session(database, sql::MySqlRole::writer);
  session->run("INSERT INTO rail_senders (rail, node, epoch, since) VALUES ('RTP', 'old', 1, 0)");
  session->run(
      "INSERT INTO nodes (name, process, version, epoch, started_at, lease_end) VALUES ('old', 'elsewhere', '', 1, 0, "
      "253402300799000)");
  const auto refused = tideover({"rails", "sender", "move", "--rail", "RTP", "--to", "new", "--journal-lost"});
  BOOST_TEST(refused.exit_code == 1);
  BOOST_TEST(refused.err.find("is running") != std::string::npos, refused.err);
  session->run("UPDATE nodes SET lease_end = 0");
  const auto moved = tideover({"rails", "sender", "move", "--rail", "RTP", "--to", "new", "--journal-lost"});
  BOOST_TEST(moved.exit_code == 0, moved.err);
  BOOST_TEST(tideover({"rails", "sender", "show"}).out.find("node=new") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_command_that_only_looks_makes_no_store) {
  ServiceFolder folder;
  folder.write_config();
  const auto copy = (folder.path() / "copy").string();
  for (std::vector<std::string> command : std::vector<std::vector<std::string>>{{"ledger", "verify"},
                                                                                {"audit", "verify"},
                                                                                {"db", "status"},
                                                                                {"db", "check"},
                                                                                {"client", "list"},
                                                                                {"keys", "list"},
                                                                                {"rails", "list"},
                                                                                {"backup", "create", copy}}) {
    const auto name = command[0] + ' ' + command[1];
    command.insert(command.end(), {"--config", folder.config_file().string()});
    const auto ended = run_tideover(command);
    BOOST_TEST(ended.exit_code == 1, name);
    BOOST_TEST(ended.err.find(" not found. serve, `tideover client create`") != std::string::npos,
               name << ": " << ended.err);
    for (const char* file : {"store/tideover.db", "keys", "copy"})
      BOOST_TEST(!std::filesystem::exists(folder.path() / file), name << " makes " << file);
  }
  folder.create_client();
  BOOST_TEST(run_tideover({"ledger", "verify", "--config", folder.config_file().string()}).exit_code == 0);
}

BOOST_DATA_TEST_CASE(a_lost_key_ring_is_reported_and_not_replaced, boost::unit_test::data::make(stores()), store) {
  World world(store);
  world.verify_at_end = false;
  world.service->ask_to_stop();
  BOOST_REQUIRE_EQUAL(world.service->wait_for_end(), 0);
  const auto ring = world.folder.path() / "keys";
  const auto copy = world.folder.path() / "keys.copy";
  std::filesystem::rename(ring, copy);
  std::vector<std::vector<std::string>> commands{
      {"keys", "list"}, {"ledger", "verify"}, {"client", "create"}, {"serve"}};
  commands.push_back({"check"});
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {"--config", world.folder.config_file().string()});
    const auto refused = run_tideover(command);
    BOOST_TEST(refused.exit_code == 1, command[0]);
    BOOST_TEST(refused.err.find("Restore it from a copy") != std::string::npos, command[0] << ": " << refused.err);
    BOOST_TEST(!std::filesystem::exists(ring), command[0]);
  }
  std::filesystem::rename(copy, ring);
  BOOST_TEST(run_tideover({"keys", "list", "--config", world.folder.config_file().string()}).exit_code == 0);
}

BOOST_DATA_TEST_CASE(clients_are_created_listed_and_disabled, boost::unit_test::data::make(stores()), store) {
  World world(store);
  world.service->ask_to_stop();
  BOOST_REQUIRE_EQUAL(world.service->wait_for_end(), 0);
  const std::string config = world.folder.config_file().string();
  const Credentials auditor = world.folder.create_client({"--role", "auditor", "--name", "reads"});
  BOOST_TEST(auditor.id.starts_with("cli_"));
  BOOST_TEST(auditor.secret.starts_with("cs_test_"));

  auto list = run_tideover({"client", "list", "--config", config});
  BOOST_TEST(list.exit_code == 0);
  BOOST_TEST(list.out.find(world.client.id) != std::string::npos);
  BOOST_TEST(list.out.find("name=reads") != std::string::npos);
  BOOST_TEST(list.out.find("disabled") == std::string::npos);
  BOOST_TEST(list.out.find(auditor.secret) == std::string::npos);

  BOOST_TEST(run_tideover({"client", "disable", auditor.id, "--config", config}).exit_code == 0);
  list = run_tideover({"client", "list", "--config", config});
  BOOST_TEST(list.out.find("disabled") != std::string::npos);
  for (const char* unknown : {"cli_01M7WNTFJ00000000000000001", "nonsense"})
    BOOST_TEST(run_tideover({"client", "disable", unknown, "--config", config}).exit_code == 1);
  for (const char* role : {"king", ""})
    BOOST_TEST(run_tideover({"client", "create", "--role", role, "--config", config}).exit_code == 1);
  BOOST_TEST(run_tideover({"client", "create", "--scopes", "claims:fly", "--config", config}).exit_code == 1);

  const auto account_of = [&](const char* tenant) {
    const auto lines = run_tideover({"client", "list", "--config", config}).out;
    const auto at = lines.find("payout_account=", lines.find("tenant=" + std::string(tenant) + "  "));
    return lines.substr(at, lines.find("  ", at) - at);
  };
  world.folder.create_client({"--tenant", "practice", "--payout-account", "tok_practice"});
  world.folder.create_client({"--tenant", "practice", "--payout-account", "tok_practice"});
  BOOST_TEST(account_of("practice") == "payout_account=set");
  BOOST_TEST(account_of("default") == "payout_account=none");
  const auto other =
      run_tideover({"client", "create", "--tenant", "practice", "--payout-account", "tok_other", "--config", config});
  BOOST_TEST(other.exit_code == 1);
  BOOST_TEST(other.err.find("tideover client payout-account") != std::string::npos, other.err);
  BOOST_TEST(run_tideover({"client", "payout-account", "tok_default", "--config", config}).exit_code == 0);
  BOOST_TEST(account_of("default") == "payout_account=set");
  BOOST_TEST(
      run_tideover({"client", "payout-account", "tok_default", "--tenant", "absent", "--config", config}).exit_code ==
      1);

  world.start();
  BOOST_CHECK_THROW(ApiClient(world.service->port(), auditor), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(rules_are_checked_before_they_are_used) {
  ServiceFolder folder;
  const auto rules = folder.copy_rules();
  folder.write_config();
  const std::string config = folder.config_file().string();
  const auto good = run_tideover({"rules", "check", "--config", config});
  BOOST_TEST(good.exit_code == 0, good.out << good.err);
  BOOST_TEST(run_tideover({"rules", "check", (std::filesystem::path(TIDEOVER_SOURCE_DIR) / "rules").string(),
                           "--config", config})
                 .exit_code == 0);

  save_file(rules / "denial" / "zero_charge.lua", "return {\n  id = = 'x',\n}\n");
  save_file(rules / "denial" / "duplicate.lua", "return {");
  const auto broken = run_tideover({"rules", "check", "--config", config});
  BOOST_TEST(broken.exit_code == 1);
  BOOST_TEST(broken.out.find("zero_charge.lua:2:") != std::string::npos, broken.out);
  BOOST_TEST(broken.out.find("duplicate.lua:") != std::string::npos, broken.out);
}

BOOST_AUTO_TEST_CASE(the_cases_of_rules_are_run_and_must_reach_their_expectation) {
  ServiceFolder folder;
  const auto rules = folder.copy_rules();
  folder.write_config();
  const std::string config = folder.config_file().string();
  const auto whole = run_tideover({"rules", "test", "--min-coverage", "100", "--config", config});
  BOOST_TEST(whole.exit_code == 0, whole.out << whole.err);
  BOOST_TEST(whole.out.find("cases passed, 0 failed") != std::string::npos, whole.out);

  const auto rule = rules / "denial" / "zero_charge.lua";
  std::string text = read_file(rule);
  const std::string head = "evaluate = function(claim)\n";
  save_file(rule, text.insert(text.find(head) + head.size(),
                              "    if claim.line_count == 77 then\n      return nil\n    end\n"));
  const auto unreached =
      run_tideover({"rules", "test", "--rule", "denial.zero_charge", "--min-coverage", "90", "--config", config});
  BOOST_TEST(unreached.exit_code == 3, unreached.out);
  BOOST_TEST(unreached.out.find("no case reaches this line") != std::string::npos, unreached.out);
  BOOST_TEST(unreached.err.find("--min-coverage requires 90 %") != std::string::npos, unreached.err);
  BOOST_TEST(run_tideover({"rules", "test", "--rule", "denial.nought", "--config", config}).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(a_rule_is_made_put_into_shadow_mode_compared_and_described) {
  ServiceFolder folder;
  const auto rules = folder.copy_rules();
  folder.write_config();
  folder.create_client();  // and a store, in which bundles are
  const auto say = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "rules");
    words.insert(words.end(), {"--config", folder.config_file().string()});
    return run_tideover(words);
  };
  const auto copy = (folder.path() / "copy").string();
  std::filesystem::copy(rules, copy, std::filesystem::copy_options::recursive);
  BOOST_TEST(say({"new", "denial.large", "--folder", copy}).exit_code == 0);
  BOOST_TEST(say({"check", copy}).exit_code == 0);
  BOOST_TEST(say({"test", copy, "--min-coverage", "100"}).exit_code == 0);
  BOOST_TEST(say({"new", "denial.large", "--folder", copy}).exit_code == 1);
  BOOST_TEST(say({"shadow", "denial.large", "--folder", copy}).out == "denial.large is already shadow\n");
  BOOST_TEST(
      say({"shadow", "denial.large", "--off", "--folder", copy}).out.starts_with("denial.large is now live\nwrote "));
  const auto diff = say({"diff", rules.string(), copy});
  BOOST_TEST(diff.exit_code == 0, diff.err);
  BOOST_TEST(diff.out.find("added    denial.large (live)") != std::string::npos, diff.out);

  const auto filed = say({"promote", "--folder", copy});
  BOOST_TEST(filed.exit_code == 0, filed.err);
  BOOST_TEST(say({"diff", copy}).out.find("no differences") != std::string::npos);
  BOOST_TEST(say({"diff", filed.out.substr(0, 12), rules.string()}).out.find("removed  denial.large") !=
             std::string::npos);
  BOOST_TEST(say({"diff", "0123456789"}).exit_code == 1);
  BOOST_TEST(say({"docs", copy}).out.find("## denial.large\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(rules_explain_their_findings_of_a_claim) {
  ServiceFolder folder;
  folder.write_config();
  const std::string config = folder.config_file().string();
  const auto file = folder.path() / "claim.json";
  save_file(file, claim_body("CLM-1"));
  const auto clean = run_tideover({"rules", "explain", file.string(), "--config", config});
  BOOST_TEST(clean.exit_code == 0, clean.err);
  BOOST_TEST(clean.out.find("silent  denial.timely_filing") != std::string::npos, clean.out);
  BOOST_TEST(clean.out.find("read claim.days_to_submission = ") != std::string::npos, clean.out);
  BOOST_TEST(clean.out.find("review: denial not predicted") != std::string::npos, clean.out);
  BOOST_TEST(clean.out.find("expected 800.00") != std::string::npos, clean.out);
  BOOST_TEST(clean.out.find("terms: approved; advance 640.00 (0.8000), fee 12.80") != std::string::npos, clean.out);

  const auto twice = run_tideover({"rules", "explain", file.string(), "--duplicates", "1", "--config", config});
  BOOST_TEST(twice.out.find("FIRES   denial.duplicate") != std::string::npos, twice.out);
  BOOST_TEST(twice.out.find("terms: declined because of risk_above_limit") != std::string::npos, twice.out);

  save_file(file, R"({"claim_identifier":"CLM-1"})");
  const auto incomplete = run_tideover({"rules", "explain", file.string(), "--config", config});
  BOOST_TEST(incomplete.exit_code == 1);
  BOOST_TEST(incomplete.err.find("submitted_amount") != std::string::npos, incomplete.err);
  save_file(file, "{\n  \"claim_identifier\": }");
  const auto malformed = run_tideover({"rules", "explain", file.string(), "--config", config});
  BOOST_TEST(malformed.exit_code == 1);
  BOOST_TEST(malformed.err.find("claim.json:2:") != std::string::npos, malformed.err);
  BOOST_TEST(run_tideover({"rules", "explain", (folder.path() / "none").string(), "--config", config}).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(plugins_are_listed) {
  ServiceFolder folder;
  folder.write_config();
  const auto list = run_tideover({"plugin", "list", "--config", folder.config_file().string()});
  BOOST_TEST(list.exit_code == 0);
  for (const char* plugin : {"payer_directory_file.so", "funding_rail_rtp.so", "funding_rail_same_day.so",
                             "funding_rail_future_date.so", "import_format_csv.so", "import_format_ndjson.so",
                             "import_format_x12_837.so", "remittance_format_csv.so", "remittance_format_x12_835.so",
                             "deposit_format_bai2.so", "deposit_format_camt053.so", "deposit_format_ccd_addenda.so"})
    BOOST_TEST(list.out.find(plugin) != std::string::npos, plugin);
}

BOOST_AUTO_TEST_CASE(check_reports_every_fault_that_serve_would_refuse) {
  ServiceFolder folder;
  folder.write_config();
  const std::vector<std::string> check{"check", "--config", folder.config_file().string()};
  const auto good = run_tideover(check);
  BOOST_TEST(good.exit_code == 0, good.out << good.err);
  BOOST_TEST(!std::filesystem::exists(folder.path() / "store" / "tideover.db"));
  BOOST_TEST(!std::filesystem::exists(folder.path() / "keys"));

  save_file(folder.path() / "keys", "no key ring");
  const auto no_keys = run_tideover(check);
  BOOST_TEST(no_keys.exit_code == 1);
  BOOST_TEST(no_keys.err.find((folder.path() / "keys").string()) != std::string::npos, no_keys.err);
  std::filesystem::remove(folder.path() / "keys");

  for (const auto& [key, value] :
       std::map<std::string, std::string>{{"host", "127.0.0.1"},
                                          {"user", "u"},
                                          {"database", "d"},
                                          {"password_file", (folder.path() / "none").string()}})
    folder.set("store.mysql." + key, value);
  folder.set("store.driver", "mysql");
  folder.write_config();
  const auto no_password = run_tideover(check);
  BOOST_TEST(no_password.exit_code == 1);
  BOOST_TEST(no_password.err.find((folder.path() / "none").string()) != std::string::npos, no_password.err);
  folder.set("store.driver", "sqlite");

  const auto rule = folder.copy_rules() / "denial" / "zero_charge.lua";
  std::string text = read_file(rule);
  const std::string head = "evaluate = function(claim)\n";
  save_file(rule, text.insert(text.find(head) + head.size(), "    for i = 1, 1000 do local unused = i end\n"));
  folder.write_config();
  const auto frugal = run_tideover(check);
  BOOST_TEST(frugal.exit_code == 0, frugal.out);
  folder.set("rules.instruction_budget", "1000");
  folder.write_config();
  BOOST_TEST(run_tideover(check).exit_code == 1);
  folder.set("rules.instruction_budget", "200000");

  folder.set("plugins", "[]");
  folder.write_config();
  BOOST_TEST(run_tideover(check).exit_code == 1);

  folder.set("funding.max_fee_bps", "-1");
  folder.write_config();
  const auto bad = run_tideover(check);
  BOOST_TEST(bad.exit_code == 1);
  BOOST_TEST(bad.err.find("max_fee_bps") != std::string::npos, bad.err);
}

BOOST_AUTO_TEST_CASE(check_says_everything_at_once_and_makes_nothing) {
  World other;  // has a port
  ServiceFolder folder;
  const auto file = folder.path() / "file";
  save_file(file, "no folder");
  folder.set("log.file", (folder.path() / "absent" / "log").string());
  folder.set("funding.journal_path", (folder.path() / "absent" / "deeper" / "journal").string());
  folder.set("security.checkpoint_file", (file / "checkpoints").string());
  folder.set("store.sqlite.path", (file / "below" / "tideover.db").string());
  folder.set("server.port", std::to_string(other.service->port()));
  folder.set("ops.port", std::to_string(other.service->ops_port()));
  folder.use_plugin("funding_rail", "none", file, {});
  folder.use_plugin("import_format", "absent", folder.path() / "absent.so", {});
  folder.write_config();
  const auto files = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      names.insert(entry.path().string());
    return names;
  };
  const auto before = files();
  const auto ended = run_tideover({"check", "--config", folder.config_file().string()});
  BOOST_TEST(ended.exit_code == 1);
  for (const std::string part :
       {"log.file ", "funding.journal_path ", "security.checkpoint_file ", "store.sqlite.path ",
        "server.port: cannot listen", "ops.port: cannot listen", "2 plugins cannot be loaded", "absent.so"})
    BOOST_TEST(ended.err.find(part) != std::string::npos, part << " is not in: " << ended.err);
  auto after = files();
  for (const char* bank : {"rtp.bank", "same_day.bank", "future_date.bank"})
    after.erase((folder.path() / bank).string());  // a plugin's own
  BOOST_TEST(after == before, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(check_beside_the_service_does_not_open_its_store) {
  World world;
  const auto ended = run_tideover({"check", "--config", world.folder.config_file().string()});
  BOOST_TEST(ended.exit_code == 0, ended.err);
  BOOST_TEST(ended.out.find("runs on this store") != std::string::npos, ended.out);
}

BOOST_AUTO_TEST_CASE(check_asks_the_database_server) {
  if (tests::MariaDbInstance::skipped()) return;
  tests::MariaDbInstance server;
  ServiceFolder folder;
  auto options = server.create_database("checked");
  folder.use_mysql(options);
  folder.write_config();
  const std::vector<std::string> check{"check", "--config", folder.config_file().string()};
  const auto good = run_tideover(check);
  BOOST_TEST(good.exit_code == 0, good.err);
  options.password = "wrong";
  folder.use_mysql(options);
  folder.write_config();
  const auto refused = run_tideover(check);
  BOOST_TEST(refused.exit_code == 1);
  BOOST_TEST(refused.err.find("Access denied") != std::string::npos, refused.err);
  options.port = 1;
  folder.use_mysql(options);
  folder.write_config();
  const auto silent = run_tideover(check);
  BOOST_TEST(silent.exit_code == 1);
  BOOST_TEST(silent.err.find("Can't connect") != std::string::npos, silent.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
