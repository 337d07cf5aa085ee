// The base of the shipped rails: their common use of the simulated bank. A rail adds its description, its date
// planning, and the arrival time of a payment.
#pragma once
#include <string>

#include "simulated_bank/bank.hpp"
#include "tideover/funding_rail.hpp"

namespace simulated_bank {

class SimulatedRail : public tideover::sdk::FundingRail {
 public:
  static constexpr auto kConfigKeys = simulated_bank::kConfigKeys;

  tideover::sdk::Outcome submit(const tideover::sdk::Disbursement& disbursement, const tideover::sdk::Deadline&) final {
    const auto now = host_.now_ms();
    return bank_.submit(disbursement, timing_of(disbursement, now), now);
  }
  tideover::sdk::Outcome query(std::string_view key, const tideover::sdk::Deadline&) final {
    return bank_.query(key, host_.now_ms());
  }
  void statement(std::int64_t from_ms, std::int64_t to_ms, const tideover::sdk::OnStatementLine& on_line,
                 const tideover::sdk::Deadline&) final {
    bank_.statement(from_ms, to_ms, host_.now_ms(), on_line);
  }

 protected:
  /// `fallback` is the largest payment in cents when the settings have none; they may raise it up to `highest`.
  SimulatedRail(const tideover::sdk::Host& host, const tideover::sdk::Config& config, Network network,
                const std::string& rail, std::int64_t fallback, std::int64_t highest)
      : host_(host),
        rail_(rail),
        max_amount_(max_amount_setting(config, fallback, highest)),
        bank_(network, rail, max_amount_, config.find("ledger_path").value_or("")) {}

  /// The values that all simulated rails share.
  tideover::sdk::RailDescription description() const {
    tideover::sdk::RailDescription d;
    d.rail = rail_;
    d.max_amount = max_amount_;
    d.recall = TIDEOVER_RECALL_DEDUP;
    d.has_statement = true;
    d.simulated = true;
    return d;
  }
  virtual Timing timing_of(const tideover::sdk::Disbursement& disbursement, std::int64_t now_ms) const = 0;
  const tideover::sdk::Host& host() const { return host_; }

 private:
  const tideover::sdk::Host host_;
  const std::string rail_;
  const std::int64_t max_amount_;
  Bank bank_;
};

}  // namespace simulated_bank
