// A service with a rule folder of its own, and the steps of tests that change its rules.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/world/flow.hpp"

namespace tideover::test {

struct RulesWorld {
  RulesWorld()
      : world(Store::sqlite, [this](ServiceFolder& folder) {
          rules = folder.copy_rules();
          tables = folder.path() / "tables";
          std::filesystem::create_directory(tables);
          folder.set("rules.operator_tenant", "default");
          folder.set("rules.tables_folder", tables.string());
        }) {}

  /// Replaces a text in a rule file, wherever it stands.
  void edit(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = read_file(rules / file);
    std::size_t at = text.find(from);
    BOOST_REQUIRE(at != std::string::npos);
    for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    save_file(rules / file, text);
  }
  /// Half of the expected payment instead of 80 %, together with the cases that say so.
  void lower_the_share() const {
    edit("cases/terms_standard.lua", "advance_percentage = 0.80", "advance_percentage = 0.50");
    edit("params.lua", "advance_percentage = { value = 0.80", "advance_percentage = { value = 0.50");
  }
  std::int64_t advance_of_a_new_claim() {
    const std::string identifier = "CLM-" + std::to_string(++claims);
    const Json review = expect_ok(world.api->post("/v1/claims/reviews", claim_body(identifier)));
    const Json terms =
        expect_ok(world.api->post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
    return terms.cents("/terms/advance_amount");
  }
  CommandResult command(std::vector<std::string> words) const {
    words.insert(words.begin(), "rules");
    words.insert(words.end(), {"--config", world.folder.config_file().string()});
    return run_tideover(words);
  }
  /// What `rules status` says of the live rules.
  std::string live() const {
    const auto status = command({"status"});
    BOOST_TEST(status.exit_code == 0, status.err);
    return status.out.substr(0, status.out.find('\n'));
  }
  std::string readiness() const { return ApiClient(world.service->ops_port()).get("/readyz").body; }

  std::filesystem::path rules, tables;
  World world;
  int claims = 0;
};

}  // namespace tideover::test
