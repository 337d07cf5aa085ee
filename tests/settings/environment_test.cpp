#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "core/settings/field.hpp"
#include "tests/settings/loading.hpp"

using namespace tideover::settings;
using tideover::testing::complaints;
using tideover::testing::loaded;
using tideover::testing::TempFolder;

BOOST_AUTO_TEST_SUITE(settings_environment)

BOOST_AUTO_TEST_CASE(a_variable_wins_over_the_file) {
  const Settings settings =
      loaded("server: { port: 1 }\n", {"TIDEOVER_SERVER_PORT=2", "TIDEOVER_STORE_MYSQL_TLS_ENFORCE=false",
                                       "TIDEOVER_LOG_LEVEL=error", "TIDEOVER_STORE_MYSQL_HOST=db=x"});
  BOOST_TEST(settings.server.port == 2);
  BOOST_TEST(settings.store.mysql.tls.enforce == false);
  BOOST_TEST((settings.log.level == LogLevel::error));
  BOOST_TEST(settings.store.mysql.host == "db=x");
}

BOOST_AUTO_TEST_CASE(an_unknown_variable_is_refused_with_the_nearest_known_one) {
  BOOST_TEST(complaints("", {"TIDEOVER_SERVER_PROT=1"}) ==
             "TIDEOVER_SERVER_PROT: no setting belongs to this variable; did you mean 'TIDEOVER_SERVER_PORT'?\n");
  BOOST_TEST(complaints("", {"TIDEOVER_=1"}) == "TIDEOVER_: no setting belongs to this variable\n");
}

BOOST_AUTO_TEST_CASE(a_bad_value_names_variable_and_key) {
  BOOST_TEST(complaints("", {"TIDEOVER_SERVER_PORT=99999"}) ==
             "TIDEOVER_SERVER_PORT: 'server.port': '99999' is out of range; it must be from 0 to 65535\n");
  BOOST_TEST(complaints("", {"TIDEOVER_STORE_MYSQL_TLS_ENFORCE=1"}) ==
             "TIDEOVER_STORE_MYSQL_TLS_ENFORCE: 'store.mysql.tls.enforce': expected true or false, got '1'\n");
  BOOST_TEST(complaints("", {"TIDEOVER_SERVER_PORT="}) ==
             "TIDEOVER_SERVER_PORT: 'server.port': expected a whole number, got ''\n");
}

BOOST_AUTO_TEST_CASE(a_list_is_set_in_the_file_only) {
  BOOST_TEST(complaints("", {"TIDEOVER_WEBHOOKS_RETRY_SECONDS=1,2"}) ==
             "TIDEOVER_WEBHOOKS_RETRY_SECONDS: 'webhooks.retry_seconds' is not a single value; set it in the "
             "configuration file\n");
  BOOST_TEST(complaints("", {"TIDEOVER_PLUGINS=x"}) ==
             "TIDEOVER_PLUGINS: 'plugins' is not a single value; set it in the configuration file\n");
}

BOOST_AUTO_TEST_CASE(variables_of_others_and_of_tests_are_left_alone) {
  BOOST_TEST(complaints("", {"PATH=/bin", "HOME=/", "TIDEOVER_TEST_ANYTHING=1", "tideover_server_port=x", "garbage"}) ==
             "");
}

BOOST_AUTO_TEST_CASE(variables_that_only_look_like_settings_are_left_alone) {
  // What the quickstart prints for clients, and what Kubernetes gives to every pod beside a service named "tideover".
  for (const char* name : {"TIDEOVER_URL", "TIDEOVER_CLIENT_ID", "TIDEOVER_CLIENT_SECRET", "TIDEOVER_PID",
                           "TIDEOVER_PORT", "TIDEOVER_PORT_8080_TCP", "TIDEOVER_PORT_8080_TCP_ADDR",
                           "TIDEOVER_SERVICE_HOST", "TIDEOVER_SERVICE_PORT", "TIDEOVER_SERVICE_PORT_HTTP"})
    BOOST_TEST(complaints("", {std::string(name) + "=x"}) == "");
  for (const char* name : {"TIDEOVER_URLS", "TIDEOVER_OPS_URLS", "TIDEOVER_FOLDERS", "TIDEOVER_CLIENT",
                           "TIDEOVER_PORTS", "TIDEOVER_SERVICES_HOST"})
    BOOST_TEST(complaints("", {std::string(name) + "=x"})
                   .starts_with(std::string(name) + ": no setting belongs to this variable"));
}

BOOST_AUTO_TEST_CASE(every_variable_that_a_script_prints_may_be_exported) {
  const std::regex printed("^(  echo \")?(TIDEOVER_[A-Z_]+)=");
  std::set<std::string> found;
  for (const char* script : {"quickstart", "cluster/services.sh"}) {
    std::ifstream lines(std::string(TIDEOVER_SOURCE_DIR) + "/packaging/" + script);
    for (std::string line; std::getline(lines, line);)
      if (std::smatch match; std::regex_search(line, match, printed)) found.insert(match[2]);
  }
  BOOST_TEST(found.size() == 8u);
  for (const auto& name : found) BOOST_TEST(complaints("", {name + "=x"}) == "");
}

BOOST_AUTO_TEST_CASE(a_check_across_settings_names_the_variable_that_decided) {
  BOOST_TEST(complaints("", {"TIDEOVER_OPS_PORT=8080"}) ==
             "TIDEOVER_OPS_PORT: 'ops.port' equals 'server.port'; set different ports\n");
  BOOST_TEST(complaints("server: { port: 8081 }\n") == "f: 'ops.port' equals 'server.port'; set different ports\n");
}

BOOST_AUTO_TEST_CASE(tideover_config_names_the_file_unless_the_option_does) {
  const TempFolder folder;
  const auto one = folder.write("one.yaml", "server: { port: 1 }\n");
  const auto two = folder.write("two.yaml", "server: { port: 2 }\n");
  const std::vector<std::string> environment = {"TIDEOVER_CONFIG=" + one.string()};
  BOOST_TEST(std::get<Settings>(load({std::nullopt, environment})).server.port == 1);
  BOOST_TEST(std::get<Settings>(load({two, environment})).server.port == 2);
}

BOOST_AUTO_TEST_CASE(relative_paths_of_variables_count_from_the_working_directory) {
  const Settings settings = loaded("rules: { folder: policy }\n", {"TIDEOVER_RULES_FOLDER=other"});
  BOOST_TEST(settings.rules.folder == std::filesystem::current_path() / "other");
}

BOOST_AUTO_TEST_CASE(every_key_has_a_name_of_its_own_and_a_description) {
  Settings settings;
  std::set<std::string> names;
  const std::string description = describe();
  for (const Field& field : fields_of(settings)) {
    BOOST_TEST(names.insert(environment_name(field.key)).second, field.key);
    BOOST_TEST(!field.help.empty(), field.key);
    BOOST_TEST(description.find(field.key + " = " + print(field) + "\n    " + field.help) != std::string::npos,
               field.key);
    BOOST_TEST((description.find("[" + environment_name(field.key) + "]") != std::string::npos) == is_scalar(field),
               field.key);
  }
  BOOST_TEST(description.find("server.port = 8080\n    Port of the API; 0 = any free port. From 0 to 65535. "
                              "[TIDEOVER_SERVER_PORT]\n") != std::string::npos);
  BOOST_TEST(description.find("plugins[].kind (required)\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_environment_of_the_process_is_what_getenv_sees) {
  ::setenv("TIDEOVER_TEST_MARK", "here", 1);
  const auto environment = process_environment();
  BOOST_TEST((std::find(environment.begin(), environment.end(), "TIDEOVER_TEST_MARK=here") != environment.end()));
}

BOOST_AUTO_TEST_SUITE_END()
