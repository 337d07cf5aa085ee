// RTP: instant, around the clock, irrevocable. Pays today or not at all
// (api/docs/reviews-and-advances.md#choose-a-rail).
#include "simulated_bank/simulated_rail.hpp"
#include "tideover/funding_rail.hpp"

namespace rtp {
namespace {

namespace sdk = tideover::sdk;

constexpr std::int64_t kNetworkLimit = 1'000'000'000;  // 10 000 000.00, The Clearing House, since 2025-02-09
constexpr std::int64_t kDefaultLimit = 100'000'000;    // 1 000 000.00

class Rail : public simulated_bank::SimulatedRail {
 public:
  Rail(const sdk::Host& host, const sdk::Config& config)
      : SimulatedRail(host, config, simulated_bank::Network::rtp, "RTP", kDefaultLimit, kNetworkLimit) {}

  sdk::RailDescription describe() override {
    auto d = description();
    d.name = "Real-time payment";
    d.description = "Arrives within seconds, at any hour of any day; cannot be taken back.";
    d.business_days_only = false;
    d.irrevocable = true;
    d.final_on_accept = true;
    d.max_latency_s = 60;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest& request) override {
    const auto today = host().local_date(request.now_ms);
    if (!sdk::is_none(request.desired) && !sdk::same_day(request.desired, today))
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_DATE,
                       "RTP pays only today, " + sdk::date_text(today) + "; remove desired_date or choose another rail")
          .with("next_effective_date", sdk::date_text(today));
    return {today, false, request.now_ms};
  }

 private:
  simulated_bank::Timing timing_of(const sdk::Disbursement&, std::int64_t now_ms) const override {
    return {now_ms, simulated_bank::kNever};
  }
};

}  // namespace
}  // namespace rtp

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::FundingRail, rtp::Rail, "rtp", "Simulated RTP", "1.0.0", "0.1.0");
