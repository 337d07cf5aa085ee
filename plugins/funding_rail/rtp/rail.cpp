// RTP: instant, around the clock, irrevocable; pays today or not at all
// (api/docs/reviews-and-advances.md#choose-a-rail).
#include "simulated_bank/bank.hpp"
#include "tideover/funding_rail.hpp"

namespace rtp {
namespace {

namespace sdk = tideover::sdk;

constexpr std::int64_t kNetworkLimit = 1'000'000'000;  // 10 000 000.00, The Clearing House, since 2025-02-09
constexpr std::int64_t kDefaultLimit = 100'000'000;    // 1 000 000.00

class Rail : public sdk::FundingRail {
 public:
  static constexpr auto kConfigKeys = simulated_bank::kConfigKeys;

  Rail(const sdk::Host& host, const sdk::Config& config)
      : host_(host),
        max_amount_(simulated_bank::max_amount_setting(config, kDefaultLimit, kNetworkLimit)),
        bank_(simulated_bank::Network::rtp, "RTP", max_amount_, config.find("ledger_path").value_or("")) {}

  sdk::RailDescription describe() override {
    sdk::RailDescription d;
    d.rail = "RTP";
    d.name = "Real-time payment";
    d.description = "Arrives within seconds, at any hour of any day; cannot be taken back.";
    d.max_amount = max_amount_;
    d.business_days_only = false;
    d.irrevocable = true;
    d.final_on_accept = true;
    d.max_latency_s = 60;
    d.recall = TIDEOVER_RECALL_DEDUP;
    d.has_statement = true;
    d.simulated = true;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest& request) override {
    const auto today = host_.local_date(request.now_ms);
    if (!sdk::is_none(request.desired) && !sdk::same_day(request.desired, today))
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_DATE, "RTP pays today, " + sdk::date_text(today) +
                                                        ", only; leave desired_date out or choose another rail")
          .with("next_effective_date", sdk::date_text(today));
    return {today, false, request.now_ms};
  }

  sdk::Outcome submit(const sdk::Disbursement& disbursement, const sdk::Deadline&) override {
    const auto now = host_.now_ms();
    return bank_.submit(disbursement, {now, simulated_bank::kNever}, now);
  }

  sdk::Outcome query(std::string_view key, const sdk::Deadline&) override { return bank_.query(key, host_.now_ms()); }

  void statement(std::int64_t from_ms, std::int64_t to_ms, const sdk::OnStatementLine& on_line,
                 const sdk::Deadline&) override {
    bank_.statement(from_ms, to_ms, host_.now_ms(), on_line);
  }

 private:
  const sdk::Host host_;
  const std::int64_t max_amount_;
  simulated_bank::Bank bank_;
};

}  // namespace
}  // namespace rtp

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::FundingRail, rtp::Rail, "rtp", "Simulated RTP", "1.0.0", "0.1.0");
