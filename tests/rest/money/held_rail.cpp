// RTP at a bank that takes its time: submit writes the key to the file `seen_path` and then waits until the file
// `release_path` exists. A key that was seen is paid once; `seen_path` shows how often the service asked.
#include <array>
#include <chrono>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "tideover/funding_rail.hpp"

namespace {

namespace sdk = tideover::sdk;

class HeldRail : public sdk::FundingRail {
 public:
  static constexpr std::array<tideover_config_key, 2> kConfigKeys{
      {{TIDEOVER_STR("seen_path"), TIDEOVER_STR("file that gets the key of every submit"), 1},
       {TIDEOVER_STR("release_path"), TIDEOVER_STR("submit answers when this file exists"), 1}}};

  HeldRail(const sdk::Host& host, const sdk::Config& config)
      : host_(host), seen_path_(config.require("seen_path")), release_path_(config.require("release_path")) {}

  sdk::RailDescription describe() override {
    sdk::RailDescription d;
    d.rail = "RTP";
    d.name = d.description = "Held";
    d.max_amount = 100'000'000;
    d.business_days_only = false;
    d.recall = TIDEOVER_RECALL_DEDUP;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest& request) override {
    return {host_.local_date(request.now_ms), false, request.now_ms};
  }

  sdk::Outcome submit(const sdk::Disbursement& disbursement, const sdk::Deadline& deadline) override {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      std::ofstream(seen_path_, std::ios::app) << disbursement.key << std::endl;
    }
    while (!std::ifstream(release_path_)) {
      if (deadline.expired()) return {};
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return {TIDEOVER_OUTCOME_SETTLED, "HELD-1", {}, {}};
  }

  sdk::Outcome query(std::string_view key, const sdk::Deadline&) override {
    std::ifstream seen(seen_path_);
    for (std::string line; std::getline(seen, line);)
      if (line == key) return {TIDEOVER_OUTCOME_SETTLED, "HELD-1", {}, {}};
    return {TIDEOVER_OUTCOME_NOT_FOUND, {}, {}, {}};
  }

 private:
  const sdk::Host host_;
  const std::string seen_path_;
  const std::string release_path_;
  std::mutex mutex_;
};

}  // namespace

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::FundingRail, HeldRail, "held", "Held rail", "1.0.0", "0.1.0");
