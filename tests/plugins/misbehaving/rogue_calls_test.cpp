// Calls that hang, come too late, fail or answer nonsense, and what the host makes of them.
#include "tests/plugins/import_reader.hpp"
#include "tests/plugins/world.hpp"

using namespace tideover;
using namespace tideover::plugin_test;
using domain::ErrorCode;
using plugin_host::PluginSpec;

namespace {

constexpr int kMostUnanswered = 16;

struct Rogues : World {
  TempFolder folder;
  plugin_host::CallBudgets budgets;

  PluginSpec rogue(const std::string& name, const std::string& does, const std::string& id = "") {
    const std::string kind = name == "directory" ? "payer_directory" : name + "_format";
    return {broken("rogue_" + name),
            kind,
            id,
            {{"does", does}, {"release_path", folder.path("release")}, {"destroyed_path", folder.path("destroyed")}}};
  }
  PluginSpec file() {
    return {shipped("payer_directory_file"),
            "payer_directory",
            "file",
            {{"path", TIDEOVER_SOURCE_DIR "/config/payers.jsonl"}}};
  }
  void release() { folder.file("release", ""); }
  std::string destroyed() {
    std::ifstream file(folder.path("destroyed"));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  plugin_host::PluginFault last_fault() {
    const std::lock_guard<std::mutex> guard(mutex);
    BOOST_REQUIRE(!faults.empty());
    return faults.back();
  }
  static int unanswered(const plugin_host::PluginHost& host, std::size_t index = 0) {
    return host.states()[index].unanswered;
  }
};

struct Read {
  std::vector<ports::ImportRow> rows;
  std::optional<domain::Error> error;
};

Read read(ports::ImportFormat& format, const std::string& text) {
  Read got;
  TextSource source(text, 1 << 16);
  auto reader = format.open(source, {});
  if (!reader) return {{}, reader.error()};
  for (;;) {
    ports::ImportRow row;
    const auto more = (*reader)->next(row);
    if (!more) got.error = more.error();
    if (!more || !*more) return got;
    got.rows.push_back(std::move(row));
  }
}

struct FaultCase {
  const char* deed;
  ErrorCode error;
  const char* what;  // empty = the client's business, not counted
  std::vector<std::string> says;
  std::vector<std::string> hides;
};

/// What every file format makes of a fault.
const std::vector<FaultCase> kFileFaults{
    {"fault_unavailable", ErrorCode::service_unavailable, "failed", {"log has the reason"}, {"10.1.2.3"}},
    {"fault_4711", ErrorCode::internal_error, "nonsense", {"log has the reason"}, {"078-05-1120"}},
    {"fault_config", ErrorCode::internal_error, "failed", {"log has the reason"}, {"yesterday"}},
    {"fault_input", ErrorCode::invalid_payload, "", {"your text is  [31mwrong"}, {"\n", "\x1b"}},
    {"fault_long", ErrorCode::invalid_payload, "", {"it begins well", "[cut]"}, {}},
    {"fault_twice", ErrorCode::internal_error, "nonsense", {}, {"one", "two"}},
    {"fault_then_ok", ErrorCode::internal_error, "nonsense", {}, {"one"}},
    {"end", ErrorCode::internal_error, "nonsense", {}, {}},
    {"throw", ErrorCode::internal_error, "threw", {}, {"cheese"}}};

void check_fault(Rogues& world, const FaultCase& expected, const domain::Error& error) {
  BOOST_TEST((error.code == expected.error), domain::name_of(error.code));
  check_says(error.message, expected.says);
  for (const auto& hidden : expected.hides) BOOST_TEST(error.message.find(hidden) == std::string::npos, error.message);
  BOOST_TEST(error.message.size() < 4200u);
  BOOST_TEST(world.faults.size() == (*expected.what ? 1u : 0u));
  if (*expected.what) BOOST_TEST(world.last_fault().what == expected.what);
  world.faults.clear();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rogue_calls, Rogues)

BOOST_AUTO_TEST_CASE(a_directory_that_hangs_gets_no_more_calls_and_the_others_go_on) {
  budgets.payer_lookup = std::chrono::milliseconds(20);
  const auto host = load({file(), rogue("directory", "search:hang")}, budgets);
  for (int i = 0; i < kMostUnanswered; ++i) {
    const auto found = host->payers().search("uhc", "internal", "", 5);
    BOOST_REQUIRE(found);
    BOOST_TEST(found->found.size() > 0u);
    BOOST_TEST(found->warnings.size() == 1u);
  }
  BOOST_TEST(count_faults("unanswered") == kMostUnanswered);
  BOOST_TEST(!host->states()[1].takes_calls);
  BOOST_TEST(unanswered(*host, 1) == kMostUnanswered);
  BOOST_REQUIRE(host->payers().search("uhc", "internal", "", 5));
  BOOST_TEST(last_fault().what == "refused");
  check_says(last_fault().message, {"'rogue_directory'", "has too many unanswered calls"});
  BOOST_TEST(host->states()[0].takes_calls);
  // Its calls end: what they still give is dropped, and it is asked again.
  release();
  await([&] { return unanswered(*host, 1) == 0; });
  BOOST_TEST(host->states()[1].takes_calls);
  BOOST_TEST(count_faults("late") == 2 * kMostUnanswered);  // the sinks that they used, and their returns
  BOOST_TEST(host->payers().search("uhc", "internal", "", 5)->warnings.empty());
}

BOOST_AUTO_TEST_CASE(a_sink_that_a_plugin_keeps_reaches_nothing_after_its_call) {
  const auto host = load({rogue("directory", "search:keep")});
  BOOST_TEST(host->payers().search("x", "internal", "", 5)->found.empty());
  const auto payer = host->payers().get("x");  // uses what the search lent
  BOOST_REQUIRE(payer);
  BOOST_TEST(!payer->has_value());
  BOOST_TEST(count_faults("late") == 1);  // once for all uses
  check_says(last_fault().message, {"after that call had ended"});
}

BOOST_AUTO_TEST_CASE(a_fault_names_the_request) {
  const auto host = load({rogue("directory", "get:throw")});
  BOOST_TEST(!host->payers().get("x"));
  BOOST_TEST(last_fault().request_id == "req_of_the_test");
}

BOOST_AUTO_TEST_CASE(every_call_is_counted_with_its_time) {
  const auto host = load({rogue("directory", "get:throw")});
  for (int i = 0; i < 3; ++i) (void)host->payers().get("x");
  const auto state = host->states()[0];
  BOOST_TEST(state.failures == 3u);
  BOOST_TEST(state.recent_failure == "get: threw");
  const auto get =
      std::find_if(state.calls.begin(), state.calls.end(), [](const auto& call) { return call.function == "get"; });
  BOOST_REQUIRE((get != state.calls.end()));
  BOOST_TEST(get->calls == 3u);
  BOOST_TEST(get->took.count() > 0);
}

BOOST_AUTO_TEST_CASE(faults_are_counted_all_and_logged_in_part) {
  const auto host = load({rogue("directory", "get:throw")});
  for (int i = 0; i < 100; ++i) (void)host->payers().get("x");
  BOOST_TEST(count_faults("threw") == 100);
  BOOST_TEST(std::count_if(faults.begin(), faults.end(), [](const auto& fault) { return fault.is_logged; }) == 20);
}

BOOST_AUTO_TEST_CASE(a_later_directory_that_fails_is_passed_over) {
  for (const std::string deed : {"throw", "fault_unavailable", "fault_4711", "end"}) {
    const auto host = load({file(), rogue("directory", "search:" + deed)});
    const auto found = host->payers().search("sample-80", "internal", "", 5);
    BOOST_REQUIRE_MESSAGE(found, deed);
    BOOST_REQUIRE(!found->found.empty());
    BOOST_TEST(found->found.front().payer.payer_id == "SAMPLE-80");
    BOOST_REQUIRE(found->warnings.size() == 1u);
    check_says(found->warnings.front(), {"'rogue_directory'", "does not answer"});
    const auto alone = load({rogue("directory", "search:" + deed)});
    const auto nothing = alone->payers().search("sample-80", "internal", "", 5);
    BOOST_REQUIRE(!nothing);
    BOOST_TEST((nothing.error().code == ErrorCode::service_unavailable));
  }
}

BOOST_AUTO_TEST_CASE(the_directory_that_may_own_an_id_is_not_passed_over) {
  const auto host = load({rogue("directory", "get:throw"), file()});
  const auto payer = host->payers().get("SAMPLE-80");
  BOOST_REQUIRE(!payer);
  BOOST_TEST((payer.error().code == ErrorCode::service_unavailable));
}

BOOST_AUTO_TEST_CASE(a_later_directory_does_not_speak_for_ids_of_an_earlier_one) {
  for (const auto& [deed, shown] : {std::pair<std::string, std::size_t>{"foreign", 1}, {"foreign_alias", 0}}) {
    const auto host = load({file(), rogue("directory", "search:" + deed)});
    const auto found = host->payers().search("zzqq", "internal", "", 5);
    BOOST_REQUIRE(found);
    BOOST_TEST(found->found.size() == shown);
    for (const auto& match : found->found) BOOST_TEST(match.payer.name == "Own payer");
  }
}

BOOST_AUTO_TEST_CASE(a_lookup_is_used_again_while_it_is_fresh_and_a_failure_is_not) {
  const auto calls_of_get = [](const plugin_host::PluginHost& host) {
    const auto states = host.states();
    for (const auto& call : states[0].calls)
      if (call.function == "get") return call.calls;
    return std::uint64_t{0};
  };
  const auto look_up = [](plugin_host::PluginHost& host) {
    for (const char* id : {"87726", "87726", "NO-SUCH", "NO-SUCH", "87726"}) (void)host.payers().get(id);
  };
  const auto host = load({file()});
  look_up(*host);
  BOOST_TEST(calls_of_get(*host) == 2u);
  BOOST_TEST((*host->payers().get("87726"))->payer_id == "87726");
  budgets.payer_fresh = std::chrono::milliseconds(0);
  const auto each = load({file()}, budgets);
  look_up(*each);
  BOOST_TEST(calls_of_get(*each) == 5u);
  const auto failing = load({rogue("directory", "get:throw")});
  look_up(*failing);
  BOOST_TEST(calls_of_get(*failing) == 5u);
}

BOOST_AUTO_TEST_CASE(control_characters_in_an_id_or_a_name_are_nonsense) {
  for (const std::string deed : {"control", "control_name"}) {
    const auto host = load({rogue("directory", "get:" + deed)});
    BOOST_TEST(!host->payers().get("x"));
    BOOST_TEST(last_fault().what == "nonsense");
  }
  const auto formats = load({rogue("remittance", "parse:control"), rogue("deposit", "parse:control")});
  BOOST_TEST(!formats->remittances().find("rogue_remittance")->parse("x", {}));
  BOOST_TEST(last_fault().what == "nonsense");
  BOOST_TEST(!formats->deposits().find("rogue_deposit")->parse("x"));
  BOOST_TEST((last_fault().kind == "deposit_format" && last_fault().what == "nonsense"));
}

BOOST_AUTO_TEST_CASE(a_statement_or_movement_that_breaks_a_rule_is_nonsense) {
  const auto parsed = [&](const std::string& deed) {
    const auto host = load({rogue("deposit", "parse:" + deed)});
    return host->deposits().find("rogue_deposit")->parse("x");
  };
  const auto good = parsed("statement_good");
  BOOST_REQUIRE(bool(good));
  BOOST_TEST_REQUIRE((good->statements.size() == 1 && good->statements[0].lines.size() == 1));
  BOOST_TEST((good->statements[0].lines[0].item == 0u));
  for (const char* deed : {"statement_small", "statement_line", "statement_account", "statement_no_account",
                           "statement_long_account", "statement_date", "statement_balance", "statement_sum",
                           "statement_count", "entry_small", "entry_amount", "entry_reference", "entry_references",
                           "entry_code", "entry_text", "entry_of_deposit", "entry_debit", "entry_first"})
    BOOST_TEST_CONTEXT(deed) {
      BOOST_TEST(!parsed(deed));
      BOOST_TEST(last_fault().what == "nonsense");
    }
  for (const char* deed : {"statements_many", "entries_many"}) {
    const auto refused = parsed(deed);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == ErrorCode::payload_too_large));
  }
}

BOOST_AUTO_TEST_CASE(a_system_is_a_visible_name_of_its_own) {
  for (const std::string deed : {"blank", "newline", "any"})
    check_says(refusal({rogue("directory", "systems:" + deed)}), {"rogue_directory.so", "system name"});
}

BOOST_AUTO_TEST_CASE(log_lines_are_cut_and_limited) {
  const auto host = load({rogue("directory", "search:log_long")});
  (void)host->payers().search("x", "internal", "", 5);
  BOOST_REQUIRE(log.size() == 1u);
  check_says(log.front(), {"it begins well", "[cut]"});
  BOOST_TEST(log.front().size() < 4200u);
  log.clear();
  const auto loud = load({rogue("directory", "search:log")});
  (void)loud->payers().search("x", "internal", "", 5);
  BOOST_TEST(log.size() == 100u);
}

BOOST_AUTO_TEST_CASE(instants_of_another_age_do_no_harm) {
  const auto host = load({rogue("directory", "search:instants")});
  BOOST_TEST(bool(host->payers().search("x", "internal", "", 5)));
}

BOOST_AUTO_TEST_CASE(a_remittance_format_fails_with_the_right_code_and_no_more_text_than_it_may) {
  for (const auto& expected : kFileFaults) BOOST_TEST_CONTEXT(expected.deed) {
      const auto host = load({rogue("remittance", std::string("parse:") + expected.deed)});
      const auto read = host->remittances().find("rogue_remittance")->parse("file", {});
      BOOST_REQUIRE(!read);
      check_fault(*this, expected, read.error());
    }
}

BOOST_AUTO_TEST_CASE(a_deposit_format_fails_with_the_same_codes) {
  for (const auto& expected : kFileFaults) BOOST_TEST_CONTEXT(expected.deed) {
      const auto host = load({rogue("deposit", std::string("parse:") + expected.deed)});
      const auto read = host->deposits().find("rogue_deposit")->parse("file");
      BOOST_REQUIRE(!read);
      check_fault(*this, expected, read.error());
    }
}

BOOST_AUTO_TEST_CASE(an_import_format_fails_with_the_same_codes) {
  for (const std::string function : {"open:", "next:"})
    for (const auto& expected : kFileFaults) {
      if (function == "next:" && std::string(expected.deed) == "end") continue;  // which is how it ends
      BOOST_TEST_CONTEXT(function << expected.deed) {
        const auto host = load({rogue("import", function + expected.deed)});
        const Read got = read(*host->imports().find("rogue_import"), "rows");
        BOOST_REQUIRE(got.error);
        BOOST_TEST(got.rows.size() == (function == "next:" ? 3u : 0u));  // those before the fault
        check_fault(*this, expected, *got.error);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_remittance_file_without_a_payment_is_the_clients_error) {
  const auto host = load({rogue("remittance", "parse:nothing")});
  const auto read = host->remittances().find("rogue_remittance")->parse("file", {});
  BOOST_REQUIRE(!read);
  BOOST_TEST((read.error().code == ErrorCode::invalid_payload));
  check_says(read.error().message, {"has no payment"});
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_CASE(a_parser_that_hangs_is_left_with_its_bytes) {
  budgets.remittance_file = std::chrono::milliseconds(20);
  const auto host = load({rogue("remittance", "parse:hang")}, budgets);
  {
    const std::string bytes(100'000, 'x');  // gone before the plugin reads them
    const auto read = host->remittances().find("rogue_remittance")->parse(bytes, {});
    BOOST_REQUIRE(!read);
    BOOST_TEST((read.error().code == ErrorCode::service_unavailable));
  }
  release();
  await([&] { return unanswered(*host) == 0; });
  BOOST_TEST(count_faults("late") == 2);
}

BOOST_AUTO_TEST_CASE(files_above_the_limit_are_refused_at_once) {
  budgets.files_at_once = 0;
  const auto host = load(
      {rogue("remittance", "parse:nothing"), rogue("deposit", "parse:none"), rogue("import", "open:none")}, budgets);
  const auto remittance = host->remittances().find("rogue_remittance")->parse("file", {});
  const auto deposit = host->deposits().find("rogue_deposit")->parse("file");
  BOOST_REQUIRE(!remittance);
  BOOST_REQUIRE(!deposit);
  BOOST_TEST((remittance.error().code == ErrorCode::service_unavailable));
  BOOST_TEST((deposit.error().code == ErrorCode::service_unavailable));
  BOOST_TEST((read(*host->imports().find("rogue_import"), "rows").error->code == ErrorCode::service_unavailable));
}

BOOST_AUTO_TEST_CASE(an_import_that_hangs_is_left_and_closed_when_it_returns) {
  budgets.import_record = std::chrono::milliseconds(50);
  const auto host = load({rogue("import", "next:hang")}, budgets);
  const Read got = read(*host->imports().find("rogue_import"), "rows");
  BOOST_REQUIRE(got.error);
  BOOST_TEST((got.error->code == ErrorCode::service_unavailable));
  BOOST_TEST(destroyed() == "");  // a call is still in the reader
  release();
  await([&] { return unanswered(*host) == 0; });
  BOOST_TEST(destroyed() == "reader\n");
}

BOOST_AUTO_TEST_CASE(a_directory_that_hangs_in_get_is_asked_once_in_a_search) {
  budgets.payer_lookup = std::chrono::milliseconds(20);
  const auto host = load({rogue("directory", "get:hang"), file()}, budgets);
  const auto found = host->payers().search("sample", "internal", "", 50);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->found.empty());  // each of them may be the first directory's own
  BOOST_TEST(found->warnings.size() == 1u);
  BOOST_TEST(unanswered(*host) == 1);
  release();
  await([&] { return unanswered(*host) == 0; });
}

BOOST_AUTO_TEST_CASE(a_close_or_destroy_that_throws_is_a_fault) {
  for (const std::string deed : {"throw", "throw_int"}) BOOST_TEST_CONTEXT(deed) {
      const auto host = load({rogue("import", "close:" + deed), rogue("deposit", "destroy:" + deed)});
      BOOST_TEST(read(*host->imports().find("rogue_import"), "rows").rows.size() == 3u);
      BOOST_TEST(last_fault().function == "close");
      BOOST_TEST(last_fault().what == "threw");
      BOOST_TEST(host->close().empty());
      BOOST_TEST(last_fault().function == "destroy");
      BOOST_TEST(last_fault().what == "threw");
    }
}

BOOST_AUTO_TEST_CASE(a_close_that_hangs_is_left_and_counted) {
  budgets.import_record = std::chrono::milliseconds(50);
  const auto host = load({rogue("import", "close:hang")}, budgets);
  BOOST_TEST(read(*host->imports().find("rogue_import"), "rows").rows.size() == 3u);
  BOOST_TEST(last_fault().function == "close");
  BOOST_TEST(last_fault().what == "unanswered");
  BOOST_TEST(unanswered(*host) == 1);
  release();
  await([&] { return unanswered(*host) == 0; });
  BOOST_TEST(destroyed() == "reader\n");
  BOOST_TEST(host->close().empty());
}

BOOST_AUTO_TEST_CASE(plugins_are_destroyed_in_reverse_order_and_once) {
  const auto host =
      load({rogue("directory", "none:none"), rogue("import", "none:none"), rogue("deposit", "none:none")});
  BOOST_TEST(host->close().empty());
  BOOST_TEST(destroyed() == "rogue_deposit\nrogue_import\nrogue_directory\n");
  BOOST_TEST(host->close().empty());
  BOOST_TEST(destroyed() == "rogue_deposit\nrogue_import\nrogue_directory\n");
  const auto payer = host->payers().get("x");
  BOOST_REQUIRE(!payer);
  BOOST_TEST((payer.error().code == ErrorCode::service_unavailable));
}

BOOST_AUTO_TEST_CASE(a_host_that_goes_out_of_scope_destroys_its_plugins) {
  load({rogue("directory", "none:none")}).reset();
  BOOST_TEST(destroyed() == "rogue_directory\n");
}

BOOST_AUTO_TEST_CASE(a_destroy_that_hangs_is_left) {
  budgets.destroy = std::chrono::milliseconds(20);
  const auto host = load({rogue("directory", "none:none"), rogue("deposit", "destroy:hang")}, budgets);
  const auto left = host->close();
  BOOST_REQUIRE(left.size() == 1u);
  check_says(left.front(), {"'rogue_deposit'", "destroy"});
  BOOST_TEST(destroyed() == "rogue_directory\n");
  release();
  await([&] { return destroyed() == "rogue_directory\nrogue_deposit\n"; });
}

BOOST_AUTO_TEST_CASE(a_plugin_with_a_call_under_way_is_not_destroyed) {
  budgets.payer_lookup = std::chrono::milliseconds(20);
  const auto host = load({rogue("directory", "get:hang")}, budgets);
  BOOST_TEST(!host->payers().get("x"));
  const auto left = host->close();
  BOOST_REQUIRE(left.size() == 1u);
  check_says(left.front(), {"'rogue_directory'", "have not returned"});
  release();
  await([&] { return unanswered(*host) == 0; });
  BOOST_TEST(destroyed() == "");
}

BOOST_AUTO_TEST_CASE(a_plugin_runs_under_its_own_id_where_none_is_given) {
  const auto host = load({rogue("directory", "none:none")});
  BOOST_TEST(host->list()[0].id == "rogue_directory");
}

BOOST_AUTO_TEST_SUITE_END()
