// A rail that misbehaves on command: the payout token says how. A submit with token "hang" waits until the file that
// the setting `release_path` names exists. The first instant of a statement says how it is wrong, the setting `plan`
// how a plan is.
#include <array>
#include <chrono>
#include <fstream>
#include <thread>

#include "tideover/funding_rail.hpp"

namespace {

namespace sdk = tideover::sdk;

class BrokenRail : public sdk::FundingRail {
 public:
  static constexpr std::array<tideover_config_key, 3> kConfigKeys{
      {{TIDEOVER_STR("release_path"), TIDEOVER_STR("a hanging submit ends when this file exists"), 1},
       {TIDEOVER_STR("plan"), TIDEOVER_STR("how a plan is wrong"), 0},
       {TIDEOVER_STR("time_zone"), TIDEOVER_STR("the one that is described"), 0}}};
  BrokenRail(const sdk::Host& host, const sdk::Config& config)
      : host_(host),
        release_path_(config.require("release_path")),
        plan_(config.find("plan").value_or("")),
        zone_(config.find("time_zone").value_or("America/New_York")) {}

  sdk::RailDescription describe() override {
    sdk::RailDescription d;
    d.rail = "BROKEN";
    d.name = d.description = "broken";
    d.max_amount = 100;
    d.recall = TIDEOVER_RECALL_QUERY;
    d.has_statement = true;
    d.time_zone = zone_;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest& request) override {
    constexpr std::int64_t kDayMs = 86'400'000;
    sdk::Plan made{host_.local_date(request.now_ms), false, TIDEOVER_NO_TIME};
    if (plan_.empty()) made.effective = {1999, 1, 1};
    if (plan_ == "microseconds") made.expected_settlement_ms = request.now_ms * 1000;
    if (plan_ == "max") made.expected_settlement_ms = INT64_MAX;
    if (plan_ == "min") made.expected_settlement_ms = INT64_MIN + 1;
    if (plan_ == "401_days") made.expected_settlement_ms = request.now_ms + 401 * kDayMs;
    if (plan_ == "400_days") made.expected_settlement_ms = request.now_ms + 400 * kDayMs;
    while (plan_ == "hang" && !std::ifstream(release_path_)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return made;
  }

  sdk::Outcome submit(const sdk::Disbursement& disbursement, const sdk::Deadline&) override {
    const auto token = disbursement.payout_account_token;
    if (token == "throw") throw std::runtime_error("out of cheese");
    if (token == "returned") return {TIDEOVER_OUTCOME_RETURNED, "ref", "R02", {}};
    if (token == "control") return {TIDEOVER_OUTCOME_ACCEPTED, "re\nf", {}, {}};
    if (token == "not_found") return {TIDEOVER_OUTCOME_NOT_FOUND, {}, {}, {}};
    if (token == "no_reference") return {TIDEOVER_OUTCOME_ACCEPTED, {}, {}, {}};
    if (token == "bad_kind") return {42, "ref", {}, {}};
    if (token == "nul") return {TIDEOVER_OUTCOME_ACCEPTED, std::string("re\0f", 4), {}, {}};
    if (token == "not_utf8") return {TIDEOVER_OUTCOME_ACCEPTED, "\xff\xfe", {}, {}};
    if (token == "long_reference") return {TIDEOVER_OUTCOME_ACCEPTED, std::string(201, 'r'), {}, {}};
    if (token == "long_code") return {TIDEOVER_OUTCOME_REJECTED, {}, std::string(41, 'R'), {}};
    if (token == "no_return_code") return {TIDEOVER_OUTCOME_RETURNED, "ref", {}, {}};
    if (token == "other_key") return {TIDEOVER_OUTCOME_ACCEPTED, "ref", {}, {}, "another", disbursement.amount};
    if (token == "long_key")
      return {TIDEOVER_OUTCOME_ACCEPTED, "ref", {}, {}, std::string(65, 'k'), disbursement.amount};
    if (token == "other_amount") return {TIDEOVER_OUTCOME_ACCEPTED, "ref", {}, {}, {}, disbursement.amount + 1};
    while (token == "hang" && !std::ifstream(release_path_)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return {TIDEOVER_OUTCOME_ACCEPTED, "ref", {}, {}};
  }

  sdk::Outcome query(std::string_view, const sdk::Deadline&) override {
    return {TIDEOVER_OUTCOME_NOT_FOUND, {}, {}, {}};
  }

  void statement(std::int64_t from_ms, std::int64_t to_ms, const sdk::OnStatementLine& on_line,
                 const sdk::Deadline&) override {
    sdk::StatementLine line{TIDEOVER_OUTCOME_ACCEPTED, "key", 5, "ref", {}, {}, from_ms};
    on_line(line);
    switch (from_ms) {
      case 0:
        return;
      case 1:
        line.kind = TIDEOVER_OUTCOME_NOT_FOUND;
        break;
      case 2:
        line.kind = 42;
        break;
      case 3:
        line.amount = 0;
        break;
      case 4:
        line.key = std::string(65, 'k');
        break;
      case 5:
        line.at_ms = to_ms;
        break;
      case 6:
        line.reference = "";
        break;
      default:
        throw std::runtime_error("the books burnt");
    }
    on_line(line);
  }

 private:
  const sdk::Host host_;
  const std::string release_path_;
  const std::string plan_;
  const std::string zone_;
};

}  // namespace

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::FundingRail, BrokenRail, "broken_rail", "Broken rail", "1.0.0", "0.1.0");
