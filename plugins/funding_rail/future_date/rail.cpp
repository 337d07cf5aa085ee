// FUTURE_DATE: standard ACH on a later banking day, handed in by 17:30 of the banking day before
// (api/docs/reviews-and-advances.md#choose-a-rail).
#include "simulated_bank/bank.hpp"
#include "tideover/funding_rail.hpp"

namespace future_date {
namespace {

namespace sdk = tideover::sdk;

constexpr std::int64_t kLimit = 9'999'999'999;  // 99 999 999.99, the widest amount field of a Nacha entry
constexpr int kCutoff = 17 * 60 + 30;           // local minutes
constexpr int kSettles = 8 * 60 + 30;
constexpr int kLatestDays = 90;

class Rail : public sdk::FundingRail {
 public:
  static constexpr auto kConfigKeys = simulated_bank::kConfigKeys;

  Rail(const sdk::Host& host, const sdk::Config& config)
      : host_(host),
        max_amount_(simulated_bank::max_amount_setting(config, kLimit, kLimit)),
        bank_(simulated_bank::Network::ach, "FUTURE_DATE", max_amount_, config.find("ledger_path").value_or("")) {}

  sdk::RailDescription describe() override {
    sdk::RailDescription d;
    d.rail = "FUTURE_DATE";
    d.name = "Future-dated ACH";
    d.description = "Arrives on the morning of the chosen banking day, up to 90 days ahead.";
    d.max_amount = max_amount_;
    d.cutoffs = {"17:30"};
    d.return_window_days = 2;
    d.max_latency_s = 24 * 3600;
    d.recall = TIDEOVER_RECALL_DEDUP;
    d.has_statement = true;
    d.simulated = true;
    return d;
  }

  sdk::Plan plan(const sdk::PlanRequest& request) override {
    const auto today = host_.local_date(request.now_ms);
    const auto earliest = earliest_date(request.now_ms);
    if (sdk::is_none(request.desired)) {
      if (request.strict) refuse("FUTURE_DATE needs a desired_date", earliest);
      return planned(next_banking_day(today), earliest);
    }
    const auto days_ahead = sdk::to_days(request.desired) - sdk::to_days(today);
    const std::string date = sdk::date_text(request.desired);
    if (days_ahead <= 0)
      refuse(date + " is not after today, " + sdk::date_text(today) + "; choose a later day or another rail", earliest);
    if (days_ahead > kLatestDays) refuse(date + " is more than 90 days ahead", earliest);
    const sdk::Plan plan = planned(request.desired, earliest);
    if (plan.adjusted && request.strict)
      refuse(date + (host_.is_banking_day(request.desired) ? " is past its cut-off" : " is not a banking day") +
                 "; the next possible date is " + sdk::date_text(plan.effective),
             plan.effective);
    return plan;
  }

  sdk::Outcome submit(const sdk::Disbursement& disbursement, const sdk::Deadline&) override {
    const auto now = host_.now_ms();
    const auto settles = planned(disbursement.effective, earliest_date(now)).expected_settlement_ms;
    return bank_.submit(disbursement, {settles, simulated_bank::return_time(host_, settles)}, now);
  }

  sdk::Outcome query(std::string_view key, const sdk::Deadline&) override { return bank_.query(key, host_.now_ms()); }

  void statement(std::int64_t from_ms, std::int64_t to_ms, const sdk::OnStatementLine& on_line,
                 const sdk::Deadline&) override {
    bank_.statement(from_ms, to_ms, host_.now_ms(), on_line);
  }

 private:
  [[noreturn]] static void refuse(const std::string& message, tideover_date next) {
    throw sdk::Fault(TIDEOVER_FAULT_INVALID_DATE, message).with("next_effective_date", sdk::date_text(next));
  }

  tideover_date next_banking_day(tideover_date date) const {
    return host_.banking_day_on_or_after(sdk::plus_days(date, 1));
  }

  /// The first banking day whose hand-in (17:30 of the banking day before it) is still ahead.
  tideover_date earliest_date(std::int64_t now_ms) const {
    const auto today = host_.local_date(now_ms);
    const bool can_hand_in_today = host_.is_banking_day(today) && host_.local_minute(now_ms) < kCutoff;
    return next_banking_day(can_hand_in_today ? today : next_banking_day(today));
  }

  /// `wanted` moved to a banking day that can still be reached.
  sdk::Plan planned(tideover_date wanted, tideover_date earliest) const {
    const auto effective =
        host_.banking_day_on_or_after(sdk::to_days(wanted) < sdk::to_days(earliest) ? earliest : wanted);
    return {effective, !sdk::same_day(effective, wanted), host_.instant_ms(effective, kSettles)};
  }

  const sdk::Host host_;
  const std::int64_t max_amount_;
  simulated_bank::Bank bank_;
};

}  // namespace
}  // namespace future_date

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::FundingRail, future_date::Rail, "future_date", "Simulated future-dated ACH",
                       "1.0.0", "0.1.0");
