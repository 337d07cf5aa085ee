// A running service and its commands with plugins that hang, crash, end the process, or are gone.
#include <array>
#include <atomic>
#include <thread>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

const std::filesystem::path kRogues = TIDEOVER_BINARY_DIR "/broken_plugins";
constexpr int kHangingCalls = 40;

std::filesystem::path rogue(const std::string& name) {
  return kRogues / ("rogue_" + name + ".so");
}

bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Adds a rogue behind the shipped plugins. Its settings `release_path` and `destroyed_path` are files of the folder.
std::function<void(ServiceFolder&)> with_rogue(const std::string& kind, const std::string& name,
                                               const std::string& does) {
  return [=](ServiceFolder& folder) {
    folder.use_plugin(kind, "rogue", rogue(name),
                      {{"does", does},
                       {"release_path", (folder.path() / "release").string()},
                       {"destroyed_path", (folder.path() / "destroyed").string()}});
  };
}

/// So many requests at once, answered or not.
class AtOnce {
 public:
  AtOnce(int count, const std::function<void()>& request) {
    for (int i = 0; i < count; ++i) threads_.emplace_back(request);
  }
  ~AtOnce() {
    for (auto& thread : threads_) thread.join();
  }

 private:
  std::vector<std::thread> threads_;
};

struct Hanging : World {
  using World::World;
  ~Hanging() { save_file(folder.path() / "release", ""); }

  std::string ops(const std::string& page) const { return ApiClient(service->ops_port()).get(page).body; }
  void await(const std::string& page, const std::string& part) const {
    BOOST_REQUIRE_MESSAGE(eventually([&] { return has_text(ops(page), part); }), "no " << part << " in " << ops(page));
  }
};

BOOST_AUTO_TEST_SUITE(rogue_plugins)

BOOST_AUTO_TEST_CASE(a_directory_that_hangs_makes_nothing_else_wait) {
  Hanging world(Store::sqlite, with_rogue("payer_directory", "directory", "search:hang"));
  const AtOnce hanging(kHangingCalls, [&] {
    (void)ApiClient(world.service->port(), world.api->token()).get("/v1/metadata/payers?q=zz");
  });
  // A token and a review are answered while those calls hang and after.
  BOOST_TEST(ApiClient(world.service->port(), world.client).token().size() > 0u);
  expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1")));
  world.await("/readyz", "payer_directory rogue is not called any more");
  const auto found = expect_ok(world.api->get("/v1/metadata/payers?q=sample-80"));
  BOOST_TEST(found.text("/data/0/payer_id") == "SAMPLE-80");
  BOOST_TEST(found.flag("/incomplete"));
  BOOST_TEST(has_text(found.text("/warnings/0"), "'rogue'"));
  const auto ready = ApiClient(world.service->ops_port()).get("/readyz");
  BOOST_TEST(ready.status == 200);  // the other directory serves
  BOOST_TEST(has_text(ready.body, R"("plugins":{"ok":true)"), ready.body);
  const auto metrics = world.ops("/metrics");
  BOOST_TEST(!has_text(metrics, R"(tideover_plugin_unanswered_calls{kind="payer_directory",plugin="rogue"} 0)"));
  BOOST_TEST(!has_text(
      metrics,
      R"(tideover_plugin_failures_total{call="search",kind="payer_directory",plugin="rogue",what="unanswered"} 0)"));
  BOOST_TEST(!has_text(
      metrics,
      R"(tideover_plugin_failures_total{call="search",kind="payer_directory",plugin="rogue",what="refused"} 0)"));
  const auto log = read_file(world.folder.log_file());
  BOOST_TEST(has_text(log, R"("event":"plugin_fault")"), log);
  BOOST_TEST(has_text(log, R"("what":"unanswered")"));
  save_file(world.folder.path() / "release", "");
  world.await("/metrics", R"(tideover_plugin_unanswered_calls{kind="payer_directory",plugin="rogue"} 0)");
  BOOST_TEST(!expect_ok(world.api->get("/v1/metadata/payers?q=sample-80")).has("/incomplete"));
}

BOOST_AUTO_TEST_CASE(a_file_on_which_a_format_hangs_makes_nothing_else_wait) {
  Hanging world(Store::sqlite, with_rogue("remittance_format", "remittance", "parse:hang"));
  std::atomic<int> refused = 0;
  const AtOnce hanging(kHangingCalls, [&] {
    const auto answer =
        ApiClient(world.service->port(), world.api->token()).post("/v1/remittances", file_body("rogue", "x"));
    if (answer.status == 503) ++refused;
  });
  // Half of the workers is held; what is above is refused, and everything else is served.
  BOOST_TEST(eventually([&] { return refused >= kHangingCalls - 16; }));
  BOOST_TEST(ApiClient(world.service->port(), world.client).token().size() > 0u);
  expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1")));
  BOOST_TEST(ApiClient(world.service->ops_port()).get("/readyz").status == 200);
  save_file(world.folder.path() / "release", "");
}

BOOST_AUTO_TEST_CASE(a_rail_that_hangs_in_plan_makes_nothing_else_wait) {
  Hanging world(Store::sqlite, [](ServiceFolder& folder) {
    folder.use_plugin("funding_rail", "broken", kRogues / "broken_rail.so",
                      {{"release_path", (folder.path() / "release").string()}, {"plan", "hang"}});
  });
  const AtOnce hanging(kHangingCalls, [&] {
    (void)ApiClient(world.service->port(), world.api->token()).get("/v1/metadata/funding-rails");
  });
  BOOST_TEST(ApiClient(world.service->port(), world.client).token().size() > 0u);
  fund(*world.api, "CLM-1");  // over another rail
  world.await("/readyz", "funding_rail broken");
  expect_ok(world.api->get("/v1/metadata/funding-rails"));
  save_file(world.folder.path() / "release", "");
}

BOOST_AUTO_TEST_CASE(readyz_names_a_plugin_that_fails) {
  Hanging world(Store::sqlite, with_rogue("payer_directory", "directory", "search:throw"));
  (void)world.api->get("/v1/metadata/payers?q=zz");
  world.await("/readyz", "payer_directory rogue 1 failures since start, latest search: threw");
  BOOST_TEST(ApiClient(world.service->ops_port()).get("/readyz").status == 200);
}

BOOST_AUTO_TEST_CASE(a_service_whose_only_directory_hangs_is_not_ready) {
  Hanging world(Store::sqlite, [](ServiceFolder& folder) {
    folder.remove_plugin("payer_directory", "file");
    with_rogue("payer_directory", "directory", "search:hang")(folder);
  });
  const AtOnce hanging(kHangingCalls, [&] {
    (void)ApiClient(world.service->port(), world.api->token()).get("/v1/metadata/payers?q=zz");
  });
  const ApiClient ops(world.service->ops_port());
  BOOST_TEST(eventually([&] { return ops.get("/readyz").status == 503; }));
  save_file(world.folder.path() / "release", "");
  BOOST_TEST(eventually([&] { return ops.get("/readyz").status == 200; }));
}

BOOST_AUTO_TEST_CASE(a_service_that_its_plugin_ends_says_so) {
  World world(Store::sqlite, with_rogue("payer_directory", "directory", "search:_exit"));
  (void)world.api->get("/v1/metadata/payers?q=zz");
  BOOST_TEST(world.service->wait_for_end() == 70);
  BOOST_TEST(has_text(read_file(world.folder.log_file()), "tideover: plugin payer_directory 'rogue'"));
  world.folder.use_plugin("payer_directory", "rogue", rogue("directory"), {{"does", "none:none"}});
  world.start();
}

BOOST_AUTO_TEST_CASE(plugins_are_destroyed_when_the_service_stops) {
  World world(Store::sqlite, with_rogue("payer_directory", "directory", "none:none"));
  world.service->ask_to_stop();
  BOOST_TEST(world.service->wait_for_end() == 0);
  BOOST_TEST(read_file(world.folder.path() / "destroyed") == "rogue_directory\n");
  world.start();
}

BOOST_AUTO_TEST_CASE(a_destroy_that_hangs_does_not_hold_the_stop) {
  World world(Store::sqlite, with_rogue("payer_directory", "directory", "destroy:hang"));
  world.service->ask_to_stop();
  BOOST_TEST(world.service->wait_for_end() == 0);
  BOOST_TEST(has_text(read_file(world.folder.log_file()), "did not return from destroy"));
  world.start();
}

/// check, serve and plugin list on the folder.
void expect_refused(const ServiceFolder& folder, int exit_code, const std::vector<std::string>& parts) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check"}, {"serve"}, {"plugin", "list"}}) {
    auto arguments = command;
    arguments.insert(arguments.end(), {"--config", folder.config_file().string()});
    const auto result = run_tideover(arguments, folder.variables());
    BOOST_TEST(result.exit_code == exit_code, command.front());
    for (const auto& part : parts)
      BOOST_TEST(has_text(result.err, part), command.front() << ": no \"" << part << "\" in: " << result.err);
  }
}

BOOST_AUTO_TEST_CASE(a_plugin_that_ends_the_process_while_it_loads_is_no_success) {
  for (const std::string deed : {"_exit", "exit", "quick_exit"}) {
    ServiceFolder folder;
    with_rogue("payer_directory", "directory", "none:none")(folder);
    folder.set_variable("ROGUE_LOAD", deed);
    folder.write_config();
    expect_refused(folder, 70, {"rogue_directory.so", "ended the process with " + deed, "the load of its library"});
  }
}

BOOST_AUTO_TEST_CASE(a_plugin_that_does_not_start_in_time_is_named) {
  const std::vector<std::array<std::string, 3>> hanging{{"none:none", "hang", "did not load"},
                                                        {"create:hang", "", "did not answer create"},
                                                        {"systems:hang", "", "did not answer systems"}};
  for (const auto& [does, at_load, part] : hanging) {
    ServiceFolder folder;
    with_rogue("payer_directory", "directory", does)(folder);
    folder.set("limits.plugin_start_ms", "300");
    if (!at_load.empty()) folder.set_variable("ROGUE_LOAD", at_load);
    folder.write_config();
    expect_refused(folder, 1, {"rogue_directory.so", part, "within 300 ms"});
  }
}

BOOST_AUTO_TEST_CASE(plugin_list_shows_those_that_load_beside_one_that_does_not) {
  ServiceFolder folder;
  folder.use_plugin("payer_directory", "missing", folder.path() / "missing.so", {});
  folder.write_config();
  const auto result = run_tideover({"plugin", "list", "--config", folder.config_file().string()});
  BOOST_TEST(result.exit_code == 1);
  BOOST_TEST(has_text(result.out, "remittance_format"), result.out);
  BOOST_TEST(has_text(result.err, "missing.so"), result.err);
}

BOOST_AUTO_TEST_CASE(a_rail_that_is_taken_away_while_it_has_payments_is_missed) {
  World world;
  fund(*world.api, "CLM-1", "SAME_DAY");  // accepted, and settled later
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  world.folder.remove_plugin("funding_rail", "same_day");
  world.start();
  const auto ready = ApiClient(world.service->ops_port()).get("/readyz");
  BOOST_TEST(ready.status == 503);
  BOOST_TEST(has_text(ready.body, "SAME_DAY"), ready.body);
  BOOST_TEST(has_text(read_file(world.folder.log_file()), R"("event":"rails_missing")"));
  world.service->ask_to_stop();
  BOOST_REQUIRE(world.service->wait_for_end() == 0);
  world.folder.use_plugin("funding_rail", "same_day", plugin_library("funding_rail", "same_day"),
                          {{"ledger_path", (world.folder.path() / "same_day.bank").string()}});
  world.start();
  BOOST_TEST(ApiClient(world.service->ops_port()).get("/readyz").status == 200);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
