// A stranger's first plugin: the template, copied out of the tree, built with nothing but api/plugin, and loaded.
#include <cstdlib>
#include <type_traits>

#include "api/plugin/tideover/sdk.hpp"
#include "tests/plugins/world.hpp"

// Both only point to what they are given.
static_assert(!std::is_constructible_v<tideover::sdk::LentList, std::vector<std::string>>);
static_assert(!std::is_constructible_v<tideover::sdk::LentPairs, tideover::sdk::Pairs>);
static_assert(std::is_constructible_v<tideover::sdk::LentList, const std::vector<std::string>&>);

using namespace tideover;
using namespace tideover::plugin_test;

BOOST_AUTO_TEST_SUITE(plugin_template)

BOOST_AUTO_TEST_CASE(the_copied_template_builds_alone_and_runs) {
  const TempFolder folder;
  const std::string include = TIDEOVER_SOURCE_DIR "/api/plugin";
  std::filesystem::copy(include + "/template", folder.path("mine"));
  const std::string build = "cmake -S " + folder.path("mine") + " -B " + folder.path("build") +
                            " -DCMAKE_CXX_COMPILER=" TIDEOVER_CXX " -DTIDEOVER_PLUGIN_INCLUDE=" + include +
                            " >/dev/null && cmake --build " + folder.path("build") + " >/dev/null";
  BOOST_REQUIRE(std::system(build.c_str()) == 0);
  World world;
  const auto host =
      world.load({{folder.path("build") + "/my_payer_directory.so", "payer_directory", "", {{"payer_name", "Ours"}}}});
  BOOST_TEST((*host->payers().get("MY-PAYER"))->name == "Ours");
  BOOST_TEST(host->payers().search("", "internal", "", 10)->found.size() == 1U);
  BOOST_REQUIRE(world.log.size() == 1);
  BOOST_TEST(world.log[0] == "payer_directory/my_payers: ready");
}

BOOST_AUTO_TEST_SUITE_END()
