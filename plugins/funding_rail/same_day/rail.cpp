// SAME_DAY: ACH in one of three windows of a banking day; behind the last cut-off it rolls to the next banking day
// (api/docs/reviews-and-advances.md#choose-a-rail).
#include "simulated_bank/bank.hpp"
#include "tideover/funding_rail.hpp"

namespace same_day {
namespace {

namespace sdk = tideover::sdk;

constexpr std::int64_t kEntryLimit = 100'000'000;        // 1 000 000.00 per entry (Nacha)
constexpr std::int64_t kHighestSetting = 1'000'000'000;  // 10 000 000.00, should Nacha raise it

/// Half an hour before the Federal Reserve's own deadlines; local minutes.
struct Window {
  int cutoff;
  int settles;
};
constexpr std::array<Window, 3> kWindows{{{10 * 60, 13 * 60}, {14 * 60 + 15, 17 * 60}, {16 * 60 + 15, 18 * 60}}};

class Rail : public sdk::FundingRail {
 public:
  static constexpr auto kConfigKeys = simulated_bank::kConfigKeys;

  Rail(const sdk::Host& host, const sdk::Config& config)
      : host_(host),
        max_amount_(simulated_bank::max_amount_setting(config, kEntryLimit, kHighestSetting)),
        bank_(simulated_bank::Network::ach, "SAME_DAY", max_amount_, config.find("ledger_path").value_or("")) {}

  sdk::RailDescription describe() override {
    sdk::RailDescription d;
    d.rail = "SAME_DAY";
    d.name = "Same Day ACH";
    d.description = "Arrives the same banking day when confirmed before a cut-off.";
    d.max_amount = max_amount_;
    d.cutoffs = {"10:00", "14:15", "16:15"};
    d.return_window_days = 2;
    d.max_latency_s = 24 * 3600;
    d.recall = TIDEOVER_RECALL_DEDUP;
    d.has_statement = true;
    d.simulated = true;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest& request) override {
    const auto today = host_.local_date(request.now_ms);
    const sdk::Plan next = next_window(request.now_ms);
    if (!sdk::is_none(request.desired) && !sdk::same_day(request.desired, today))
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_DATE, "SAME_DAY takes today, " + sdk::date_text(today) +
                                                        ", or no desired_date; choose FUTURE_DATE for a later day")
          .with("next_effective_date", sdk::date_text(next.effective));
    if (next.adjusted && request.strict)
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_DATE, "SAME_DAY has no open window left on " + sdk::date_text(today) +
                                                        "; the next one is on " + sdk::date_text(next.effective))
          .with("next_effective_date", sdk::date_text(next.effective));
    return next;
  }

  sdk::Outcome submit(const sdk::Disbursement& disbursement, const sdk::Deadline&) override {
    const auto now = host_.now_ms();
    const sdk::Plan next = next_window(now);
    const bool later = sdk::to_days(disbursement.effective) > sdk::to_days(next.effective);
    const auto settles =
        later ? host_.instant_ms(disbursement.effective, kWindows.front().settles) : next.expected_settlement_ms;
    return bank_.submit(disbursement, {settles, simulated_bank::return_time(host_, settles)}, now);
  }

  sdk::Outcome query(std::string_view key, const sdk::Deadline&) override { return bank_.query(key, host_.now_ms()); }

  void statement(std::int64_t from_ms, std::int64_t to_ms, const sdk::OnStatementLine& on_line,
                 const sdk::Deadline&) override {
    bank_.statement(from_ms, to_ms, host_.now_ms(), on_line);
  }

 private:
  sdk::Plan next_window(std::int64_t now_ms) const {
    const auto today = host_.local_date(now_ms);
    const int minute = host_.local_minute(now_ms);
    if (host_.is_banking_day(today))
      for (const Window& window : kWindows)
        if (minute < window.cutoff) return {today, false, host_.instant_ms(today, window.settles)};
    const auto next = host_.banking_day_on_or_after(sdk::plus_days(today, 1));
    return {next, true, host_.instant_ms(next, kWindows.front().settles)};
  }

  const sdk::Host host_;
  const std::int64_t max_amount_;
  simulated_bank::Bank bank_;
};

}  // namespace
}  // namespace same_day

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::FundingRail, same_day::Rail, "same_day", "Simulated Same Day ACH", "1.0.0",
                       "0.1.0");
