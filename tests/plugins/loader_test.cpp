// The handshake and the guards, against plugins that are broken on purpose.
#include <sys/stat.h>
#include <unistd.h>

#include "tests/plugins/world.hpp"

using namespace tideover;
using namespace tideover::plugin_test;
using plugin_host::PluginSpec;

namespace {

PluginSpec spec(const std::string& path) {
  return {path, "payer_directory", "", {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loader)

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_is_named_with_the_remedy) {
  World world;
  check_says(world.refusal({spec("/no/such/plugin.so")}), {"/no/such/plugin.so", "cannot be read", "`path`"});
}

BOOST_AUTO_TEST_CASE(a_folder_is_no_plugin) {
  World world;
  check_says(world.refusal({spec("/tmp")}), {"/tmp", "is not a regular file"});
}

BOOST_AUTO_TEST_CASE(a_file_that_everyone_may_write_is_refused) {
  World world;
  const TempFolder folder;
  const auto path = folder.file("open.so", "anything");
  BOOST_REQUIRE(::chmod(path.c_str(), 0666) == 0);
  check_says(world.refusal({spec(path)}), {path, "is writable by all users", "chmod o-w"});
}

BOOST_AUTO_TEST_CASE(a_file_that_its_group_may_write_is_refused) {
  World world;
  const TempFolder folder;
  const auto path = folder.file("open.so", "anything");
  BOOST_REQUIRE(::chown(path.c_str(), ::getuid(), ::getgid()) == 0);
  if (::getuid() != 0 && ::getgid() == ::getuid()) return;  // a private group
  BOOST_REQUIRE(::chmod(path.c_str(), 0664) == 0);
  check_says(world.refusal({spec(path)}), {path, "is writable by its group", "chmod g-w"});
}

BOOST_AUTO_TEST_CASE(a_file_in_a_folder_that_others_may_write_is_refused) {
  World world;
  const TempFolder folder;
  const auto open = folder.path("open"), path = open + "/plugin.so";
  std::filesystem::create_directory(open);
  std::filesystem::copy_file(shipped("funding_rail_rtp"), path);
  BOOST_REQUIRE(::chmod(open.c_str(), 0777) == 0);
  check_says(world.refusal({{path, "funding_rail", "", {}}}), {path, open, "other users may replace it", "chmod go-w"});
  // By way of a link that lies in a safe folder, too.
  std::filesystem::create_symlink(path, folder.path("link.so"));
  check_says(world.refusal({{folder.path("link.so"), "funding_rail", "", {}}}),
             {"link.so", open, "other users may replace it"});
  BOOST_REQUIRE(::chmod(open.c_str(), 0755) == 0);
  BOOST_TEST(world.load({{path, "funding_rail", "", {}}})->list().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_text_file_is_no_shared_library) {
  World world;
  const TempFolder folder;
  const auto path =
      folder.file("text.so", "this is not an ELF file, however long it may be ............................");
  check_says(world.refusal({spec(path)}), {path, "is not a loadable shared library", "invalid ELF header"});
}

BOOST_AUTO_TEST_CASE(a_library_that_was_cut_short_is_refused_and_ends_nothing) {
  World world;
  const TempFolder folder;
  std::ifstream file(shipped("payer_directory_file"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  BOOST_REQUIRE(whole.size() > 9000u);
  std::vector<std::size_t> lengths{
      0, 1, 4, 16, 63, 64, 65, 119, 120, 2000, 9000, whole.size() - 4096, whole.size() - 1};
  for (std::size_t length = 1000; length < whole.size(); length += whole.size() / 40) lengths.push_back(length);
  for (const auto length : lengths) {
    BOOST_TEST_CONTEXT(length << " of " << whole.size() << " bytes") {
      const auto path = folder.file("cut" + std::to_string(length) + ".so", whole.substr(0, length));
      if (length < 4) {
        check_says(world.refusal({spec(path)}), {path, "is not a loadable shared library"});
      } else {
        check_says(world.refusal({spec(path)}),
                   {path, "is truncated", std::to_string(length) + " bytes", "install it again"});
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_library_without_the_symbol_is_refused_with_the_name_of_the_symbol) {
  World world;
  check_says(world.refusal({spec(broken("broken_missing_symbol"))}),
             {"broken_missing_symbol.so", "`tideover_plugin`", "TIDEOVER_EXPORT_PLUGIN"});
}

BOOST_AUTO_TEST_CASE(a_bad_magic_is_another_kind_of_library) {
  World world;
  check_says(world.refusal({spec(broken("broken_bad_magic"))}), {"broken_bad_magic.so", "magic number"});
}

BOOST_AUTO_TEST_CASE(another_abi_major_names_both_versions) {
  World world;
  check_says(world.refusal({spec(broken("broken_wrong_abi"))}),
             {"broken_wrong_abi.so", "plugin ABI 2.7", "this host has 1.7", "install a newer Tideover"});
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_is_too_small_names_both_sizes) {
  World world;
  check_says(world.refusal({spec(broken("broken_small_struct"))}),
             {"broken_small_struct.so", "112 bytes", "ABI 1.7 has 120"});
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_cannot_be_so_large_is_refused) {
  World world;
  check_says(world.refusal({spec(broken("broken_huge_struct"))}),
             {"broken_huge_struct.so", "4294967295 bytes", "is not possible"});
}

BOOST_AUTO_TEST_CASE(a_symbol_that_is_too_small_for_a_descriptor_is_refused_unread) {
  World world;
  check_says(world.refusal({spec(broken("broken_tiny_symbol"))}),
             {"broken_tiny_symbol.so", "of 4 bytes", "TIDEOVER_EXPORT_PLUGIN"});
}

BOOST_AUTO_TEST_CASE(an_unknown_kind_is_named) {
  World world;
  check_says(world.refusal({spec(broken("broken_unknown_kind"))}),
             {"broken_unknown_kind.so", "of kind 77", "newer Tideover"});
}

BOOST_AUTO_TEST_CASE(a_kind_in_the_wrong_section_is_named) {
  World world;
  check_says(world.refusal({{shipped("funding_rail_rtp"), "payer_directory", "", {}}}),
             {"is a funding_rail", "configured as payer_directory", "correct its `kind`"});
}

BOOST_AUTO_TEST_CASE(a_missing_function_is_refused) {
  World world;
  check_says(world.refusal({spec(broken("broken_no_function"))}), {"lacks a function", "payer_directory"});
}

BOOST_AUTO_TEST_CASE(one_id_twice_names_both_files) {
  World world;
  const PluginSpec csv{shipped("import_format_csv"), "import_format", "", {}};
  const PluginSpec again{shipped("import_format_ndjson"), "import_format", "csv", {}};
  check_says(world.refusal({csv, again}), {"import_format_ndjson.so", "'csv'", "import_format_csv.so", "another `id`"});
}

BOOST_AUTO_TEST_CASE(a_plugin_for_a_newer_host_names_both_versions) {
  World world;
  check_says(world.refusal({spec(broken("broken_newer_host"))}),
             {"needs Tideover 99.0.0", "this is " TIDEOVER_VERSION, "upgrade"});
}

BOOST_AUTO_TEST_CASE(an_unknown_setting_lists_the_known_ones) {
  World world;
  check_says(world.refusal({{shipped("funding_rail_rtp"), "funding_rail", "", {{"ledgerpath", "x"}}}}),
             {"'ledgerpath'", "ledger_path, max_amount_cents"});
}

BOOST_AUTO_TEST_CASE(a_missing_setting_is_named_with_its_meaning) {
  World world;
  check_says(world.refusal({spec(shipped("payer_directory_file"))}), {"needs the setting 'path'", "JSON Lines"});
}

BOOST_AUTO_TEST_CASE(a_failing_create_passes_its_reason_on) {
  World world;
  check_says(world.refusal({spec(broken("broken_create_fails"))}),
             {"could not start", "the moon is in the wrong phase"});
}

BOOST_AUTO_TEST_CASE(a_throw_from_create_is_caught) {
  World world;
  check_says(world.refusal({spec(broken("broken_create_throws"))}),
             {"could not start", "threw an exception", "out of cheese"});
}

BOOST_AUTO_TEST_CASE(a_throw_in_a_call_fails_that_call_and_is_counted) {
  World world;
  const auto host = world.load({spec(broken("broken_throws"))});
  const auto answer = host->payers().get("87726");
  BOOST_REQUIRE(!answer);
  BOOST_TEST((answer.error().code == domain::ErrorCode::service_unavailable));
  check_says(answer.error().message, {"payer_directory 'broken'", "log has the reason"});
  BOOST_TEST(answer.error().message.find("out of cheese") == std::string::npos);  // clients read it
  BOOST_REQUIRE(world.faults.size() == 1);
  check_says(world.faults[0].message, {"payer_directory 'broken'", "get", "out of cheese"});
  BOOST_TEST(world.faults[0].what == "threw");
  BOOST_TEST(world.faults[0].id == "broken");
}

BOOST_AUTO_TEST_CASE(nonsense_fails_that_call_and_is_counted) {
  World world;
  const auto host = world.load({spec(broken("broken_nonsense"))});
  BOOST_TEST(!host->payers().get("87726"));
  const auto found = host->payers().search("x", "any", "", 10);
  BOOST_REQUIRE(!found);
  BOOST_REQUIRE(world.faults.size() == 2);
  check_says(world.faults[1].message, {"'broken'", "status 99"});
  BOOST_TEST(world.faults[0].what == "nonsense");
}

BOOST_AUTO_TEST_CASE(a_failure_without_a_reason_is_nonsense) {
  World world;
  const auto host = world.load({spec(broken("broken_silent"))});
  const auto answer = host->payers().get("87726");
  BOOST_REQUIRE(!answer);
  BOOST_REQUIRE(world.faults.size() == 1);
  check_says(world.faults[0].message, {"failed without a reason"});
}

BOOST_AUTO_TEST_CASE(the_list_shows_what_runs_and_its_digest) {
  World world;
  const auto host = world.load({{shipped("funding_rail_rtp"), "funding_rail", "", {}}});
  const auto list = host->list();
  BOOST_REQUIRE(list.size() == 1);
  BOOST_TEST(list[0].id == "rtp");
  BOOST_TEST(list[0].kind == "funding_rail");
  BOOST_TEST(list[0].abi == "1.7");
  BOOST_TEST(list[0].version == "1.0.0");
  BOOST_TEST(list[0].sha256.size() == 64U);
  BOOST_TEST(list[0].config_keys.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_plugin_runs_from_a_private_copy) {
  World world;
  const TempFolder folder;
  const auto path = folder.path("copied.so");
  std::filesystem::copy_file(shipped("funding_rail_rtp"), path);
  const auto host = world.load({{path, "funding_rail", "", {}}});
  std::ofstream(path, std::ios::trunc) << "overwritten";
  BOOST_TEST(
      host->rails().find("RTP")->query("nothing", domain::Money::cents(5), std::chrono::seconds(5)).reason.empty());
}

BOOST_AUTO_TEST_SUITE_END()
