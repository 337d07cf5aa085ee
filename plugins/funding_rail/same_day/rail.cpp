// SAME_DAY: ACH in one of three windows of a banking day. After the last cut-off the payment moves to the next banking
// day (api/docs/reviews-and-advances.md#choose-a-rail).
#include "simulated_bank/simulated_rail.hpp"
#include "tideover/funding_rail.hpp"

namespace same_day {
namespace {

namespace sdk = tideover::sdk;

constexpr std::int64_t kEntryLimit = 100'000'000;        // 1 000 000.00 per entry (Nacha)
constexpr std::int64_t kHighestSetting = 1'000'000'000;  // 10 000 000.00, should Nacha raise it

/// Half an hour before the deadlines of the Federal Reserve; local minutes.
struct Window {
  int cutoff;
  int settles;
};
constexpr std::array<Window, 3> kWindows{{{10 * 60, 13 * 60}, {14 * 60 + 15, 17 * 60}, {16 * 60 + 15, 18 * 60}}};

class Rail : public simulated_bank::SimulatedRail {
 public:
  Rail(const sdk::Host& host, const sdk::Config& config)
      : SimulatedRail(host, config, simulated_bank::Network::ach, "SAME_DAY", kEntryLimit, kHighestSetting) {}

  sdk::RailDescription describe() override {
    auto d = description();
    d.name = "Same Day ACH";
    d.description = "Arrives the same banking day when confirmed before a cut-off.";
    d.cutoffs = {"10:00", "14:15", "16:15"};
    d.return_window_days = 2;
    d.max_latency_s = 24 * 3600;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest& request) override {
    const auto today = host().local_date(request.now_ms);
    sdk::Plan next = next_window(request.now_ms);
    if (sdk::is_none(request.desired)) {
      next.adjusted = false;  // no date was requested, so none was moved
      return next;
    }
    if (!sdk::same_day(request.desired, today))
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_DATE, "SAME_DAY accepts today, " + sdk::date_text(today) +
                                                        ", or no desired_date; choose FUTURE_DATE for a later day")
          .with("next_effective_date", sdk::date_text(next.effective));
    if (next.adjusted && request.strict)
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_DATE, "SAME_DAY has no open window left on " + sdk::date_text(today) +
                                                        "; the next one is on " + sdk::date_text(next.effective))
          .with("next_effective_date", sdk::date_text(next.effective));
    return next;
  }

 private:
  simulated_bank::Timing timing_of(const sdk::Disbursement& disbursement, std::int64_t now_ms) const override {
    const sdk::Plan next = next_window(now_ms);
    const bool later = sdk::to_days(disbursement.effective) > sdk::to_days(next.effective);
    const auto settles =
        later ? host().instant_ms(disbursement.effective, kWindows.front().settles) : next.expected_settlement_ms;
    return {settles, simulated_bank::return_time(host(), settles)};
  }

  sdk::Plan next_window(std::int64_t now_ms) const {
    const auto today = host().local_date(now_ms);
    const int minute = host().local_minute(now_ms);
    if (host().is_banking_day(today))
      for (const Window& window : kWindows)
        if (minute < window.cutoff) return {today, false, host().instant_ms(today, window.settles)};
    const auto next = host().banking_day_on_or_after(sdk::plus_days(today, 1));
    return {next, true, host().instant_ms(next, kWindows.front().settles)};
  }
};

}  // namespace
}  // namespace same_day

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::FundingRail, same_day::Rail, "same_day", "Simulated Same Day ACH", "1.0.0",
                       "0.1.0");
