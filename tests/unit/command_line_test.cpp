// How commands of several sources become one command line.
#include "core/admin/command_line.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using tideover::admin::Arguments;
using tideover::admin::Command;
using tideover::admin::merge;

namespace {

Command runnable(const std::string& name) {
  return {name, "Does something", {}, [](const Arguments&) { return 0; }};
}

Command group(const std::string& name, std::vector<Command> commands) {
  return {name, "Several commands", {}, nullptr, std::move(commands)};
}

std::string refusal(std::vector<Command> commands, Command command) {
  try {
    merge(commands, std::move(command));
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(merged_commands)

BOOST_AUTO_TEST_CASE(groups_of_one_name_become_one_group) {
  std::vector<Command> commands{group("rule", {runnable("list")})};
  merge(commands, group("rule", {runnable("diff")}));
  merge(commands, runnable("version"));
  BOOST_REQUIRE(commands.size() == 2u);
  BOOST_REQUIRE(commands[0].commands.size() == 2u);
  BOOST_TEST(commands[0].commands[1].name == "diff");
}

BOOST_AUTO_TEST_CASE(two_commands_of_one_name_are_refused) {
  BOOST_TEST(refusal({runnable("version")}, runnable("version")) == "two commands version");
  BOOST_TEST(refusal({group("rule", {runnable("list")})}, group("rule", {runnable("list")})) == "two commands list");
}

BOOST_AUTO_TEST_CASE(a_command_and_a_group_of_one_name_are_refused) {
  BOOST_TEST(refusal({runnable("rule")}, group("rule", {runnable("list")})) == "two commands rule");
  BOOST_TEST(refusal({group("rule", {runnable("list")})}, runnable("rule")) == "two commands rule");
}

BOOST_AUTO_TEST_SUITE_END()
