// Plugins that end or stop the process: it ends with a status other than 0, and the last line names the plugin and what
// it was doing.
#include <sys/wait.h>

#include <cstdio>

#include "tests/plugins/world.hpp"

using namespace tideover::plugin_test;

namespace {

struct End {
  int status = 0;
  std::string text;
};

/// Runs rogue_host on the rogue directory, with ROGUE_LOAD set where `at_load` is not empty.
End run(const std::string& does, const std::string& at_load = "") {
  const std::string command = (at_load.empty() ? "" : "ROGUE_LOAD=" + at_load + " ") + TIDEOVER_ROGUE_HOST " " +
                              broken("rogue_directory") + " " + does + " 2>&1";
  std::FILE* output = ::popen(command.c_str(), "r");
  BOOST_REQUIRE(output != nullptr);
  End end;
  char part[512];
  while (std::fgets(part, sizeof part, output)) end.text += part;
  end.status = ::pclose(output);
  return end;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rogue_ends)

BOOST_AUTO_TEST_CASE(a_plugin_that_does_nothing_wrong_is_no_end) {
  const End end = run("none:none");
  BOOST_TEST(end.text == "answered\n");
  BOOST_TEST(end.status == 0);
}

BOOST_AUTO_TEST_CASE(a_crash_names_the_plugin_and_the_call) {
  for (const std::string deed : {"segv", "overflow", "abort"})
    for (const std::string function : {"create", "systems", "get"}) {
      const End end = run(function + ":" + deed);
      BOOST_TEST(end.status != 0);
      check_says(end.text,
                 {"payer_directory 'rogue_directory'", "rogue_directory.so", "crashed with SIG", "in " + function});
    }
  check_says(run("destroy:segv").text, {"payer_directory 'rogue_directory'", "crashed with SIGSEGV in destroy"});
  check_says(run("get:wild").text, {"payer_directory 'rogue_directory'", "crashed with SIGSEGV in get"});
}

BOOST_AUTO_TEST_CASE(an_exit_names_the_plugin_and_is_no_success) {
  for (const std::string deed : {"exit", "_exit", "quick_exit"})
    for (const std::string function : {"create", "systems", "get", "destroy"}) {
      const End end = run(function + ":" + deed);
      BOOST_TEST(WEXITSTATUS(end.status) == 70);
      check_says(end.text, {"payer_directory 'rogue_directory'", "ended the process with " + deed, "in " + function});
    }
}

BOOST_AUTO_TEST_CASE(a_thread_of_the_plugin_names_it_too) {
  const End thrown = run("get:own_thread");
  BOOST_TEST(thrown.status != 0);
  check_says(thrown.text, {"rogue_directory.so", "crashed with SIGABRT in a thread of its own"});
  const End left = run("get:own_thread_exit");
  BOOST_TEST(WEXITSTATUS(left.status) == 70);
  check_says(left.text, {"rogue_directory.so", "_exit in a thread of its own"});
}

BOOST_AUTO_TEST_CASE(a_call_that_ends_its_thread_fails_alone) {
  const End end = run("get:pthread_exit");
  BOOST_TEST(end.text == "failed\n");
  BOOST_TEST(end.status == 0);
  const End at_end = run("destroy:pthread_exit");
  BOOST_TEST(at_end.text == "answered\n");
  BOOST_TEST(at_end.status == 0);
}

BOOST_AUTO_TEST_CASE(a_library_that_ends_the_process_while_it_loads_is_named) {
  for (const std::string deed : {"segv", "abort", "throw"}) {
    const End end = run("none:none", deed);
    BOOST_TEST(end.status != 0);
    check_says(end.text, {"rogue_directory.so", "crashed with SIG", "the load of its library"});
  }
  for (const std::string deed : {"exit", "_exit", "quick_exit"}) {
    const End end = run("none:none", deed);
    BOOST_TEST(WEXITSTATUS(end.status) == 70);
    check_says(end.text, {"rogue_directory.so", "ended the process with " + deed, "the load of its library"});
  }
}

BOOST_AUTO_TEST_CASE(a_start_that_hangs_ends_at_its_budget) {
  const End loading = run("none:none", "hang");
  BOOST_TEST(WEXITSTATUS(loading.status) == 1);
  check_says(loading.text, {"rogue_directory.so", "did not load", "within 300 ms"});
  for (const std::string function : {"create", "systems"}) {
    const End end = run(function + ":hang");
    BOOST_TEST(WEXITSTATUS(end.status) == 1);
    check_says(end.text, {"rogue_directory.so", "did not answer " + function, "within 300 ms"});
  }
}

BOOST_AUTO_TEST_SUITE_END()
