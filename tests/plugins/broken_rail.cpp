// A rail that misbehaves on command: the payout token says how. A submit with token "hang" waits until the file that the
// setting `release_path` names exists.
#include <array>
#include <chrono>
#include <fstream>
#include <thread>

#include "tideover/funding_rail.hpp"

namespace {

namespace sdk = tideover::sdk;

class BrokenRail : public sdk::FundingRail {
 public:
  static constexpr std::array<tideover_config_key, 1> kConfigKeys{
      {{TIDEOVER_STR("release_path"), TIDEOVER_STR("a hanging submit ends when this file exists"), 1}}};
  BrokenRail(const sdk::Host&, const sdk::Config& config) : release_path_(config.require("release_path")) {}

  sdk::RailDescription describe() override {
    sdk::RailDescription d;
    d.rail = "BROKEN";
    d.name = d.description = "broken";
    d.max_amount = 100;
    d.recall = TIDEOVER_RECALL_QUERY;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest&) override { return {{1999, 1, 1}, false, TIDEOVER_NO_TIME}; }

  sdk::Outcome submit(const sdk::Disbursement& disbursement, const sdk::Deadline&) override {
    const auto token = disbursement.payout_account_token;
    if (token == "throw") throw std::runtime_error("out of cheese");
    if (token == "not_found") return {TIDEOVER_OUTCOME_NOT_FOUND, {}, {}, {}};
    if (token == "no_reference") return {TIDEOVER_OUTCOME_ACCEPTED, {}, {}, {}};
    if (token == "bad_kind") return {42, "ref", {}, {}};
    while (token == "hang" && !std::ifstream(release_path_)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return {TIDEOVER_OUTCOME_ACCEPTED, "ref", {}, {}};
  }

  sdk::Outcome query(std::string_view, const sdk::Deadline&) override { return {TIDEOVER_OUTCOME_NOT_FOUND, {}, {}, {}}; }

 private:
  const std::string release_path_;
};

}  // namespace

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::FundingRail, BrokenRail, "broken_rail", "Broken rail", "1.0.0", "0.1.0");
