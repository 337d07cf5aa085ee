// FUTURE_DATE: standard ACH on a later banking day. Payments are submitted by 17:30 of the banking day before
// (api/docs/reviews-and-advances.md#choose-a-rail).
#include "simulated_bank/simulated_rail.hpp"
#include "tideover/funding_rail.hpp"

namespace future_date {
namespace {

namespace sdk = tideover::sdk;

constexpr std::int64_t kLimit = 9'999'999'999;  // 99 999 999.99, the widest amount field of a Nacha entry
constexpr int kCutoff = 17 * 60 + 30;           // local minutes
constexpr int kSettles = 8 * 60 + 30;
constexpr int kLatestDays = 90;

class Rail : public simulated_bank::SimulatedRail {
 public:
  Rail(const sdk::Host& host, const sdk::Config& config)
      : SimulatedRail(host, config, simulated_bank::Network::ach, "FUTURE_DATE", kLimit, kLimit) {}

  sdk::RailDescription describe() override {
    auto d = description();
    d.name = "Future-dated ACH";
    d.description = "Arrives on the morning of the chosen banking day, up to 90 days ahead.";
    d.cutoffs = {"17:30"};
    d.return_window_days = 2;
    d.max_latency_s = 24 * 3600;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest& request) override {
    const auto today = host().local_date(request.now_ms);
    const auto earliest = earliest_date(request.now_ms);
    if (sdk::is_none(request.desired)) {
      if (request.strict) refuse("FUTURE_DATE needs a desired_date", earliest);
      return planned(earliest, earliest);  // no date was requested, so none was moved
    }
    const auto days_ahead = sdk::to_days(request.desired) - sdk::to_days(today);
    const std::string date = sdk::date_text(request.desired);
    if (days_ahead <= 0)
      refuse(date + " is not after today, " + sdk::date_text(today) + "; choose a later day or another rail", earliest);
    if (days_ahead > kLatestDays) refuse(date + " is more than 90 days ahead", earliest);
    const sdk::Plan plan = planned(request.desired, earliest);
    if (plan.adjusted && request.strict)
      refuse(date + (host().is_banking_day(request.desired) ? " is past its cut-off" : " is not a banking day") +
                 "; the next possible date is " + sdk::date_text(plan.effective),
             plan.effective);
    return plan;
  }

 private:
  simulated_bank::Timing timing_of(const sdk::Disbursement& disbursement, std::int64_t now_ms) const override {
    const auto settles = planned(disbursement.effective, earliest_date(now_ms)).expected_settlement_ms;
    return {settles, simulated_bank::return_time(host(), settles)};
  }

  [[noreturn]] static void refuse(const std::string& message, tideover_date next) {
    throw sdk::Fault(TIDEOVER_FAULT_INVALID_DATE, message).with("next_effective_date", sdk::date_text(next));
  }

  tideover_date next_banking_day(tideover_date date) const {
    return host().banking_day_on_or_after(sdk::plus_days(date, 1));
  }

  /// The first banking day whose cut-off (17:30 of the banking day before) is still ahead.
  tideover_date earliest_date(std::int64_t now_ms) const {
    const auto today = host().local_date(now_ms);
    const bool can_hand_in_today = host().is_banking_day(today) && host().local_minute(now_ms) < kCutoff;
    return next_banking_day(can_hand_in_today ? today : next_banking_day(today));
  }

  /// `wanted`, moved to the next banking day that can still be reached.
  sdk::Plan planned(tideover_date wanted, tideover_date earliest) const {
    const auto effective =
        host().banking_day_on_or_after(sdk::to_days(wanted) < sdk::to_days(earliest) ? earliest : wanted);
    return {effective, !sdk::same_day(effective, wanted), host().instant_ms(effective, kSettles)};
  }
};

}  // namespace
}  // namespace future_date

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::FundingRail, future_date::Rail, "future_date", "Simulated future-dated ACH",
                       "1.0.0", "0.1.0");
