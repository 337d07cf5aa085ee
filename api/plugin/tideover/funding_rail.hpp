// Derive from FundingRail to move money. Every function but describe runs on many threads at once. An answer that was
// lost is `unknown`; throwing from submit counts as unknown too.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "date.hpp"
#include "sdk.hpp"

namespace tideover::sdk {

/// Field by field the rail description of plugin.h; amounts in cents.
struct RailDescription {
  std::string rail, name, description, status = "operational";
  std::int64_t min_amount = 1, max_amount = 0, fee = 0;
  std::string desired_date = "optional", time_zone = "America/New_York";
  std::vector<std::string> cutoffs;
  bool business_days_only = true, irrevocable = false, final_on_accept = false;
  int return_window_days = 0, max_latency_s = 0;
  tideover_recall recall = TIDEOVER_RECALL_BLIND;
};

struct PlanRequest {
  tideover_date desired;  // is_none() = absent
  std::int64_t now_ms;
  bool strict;
};

struct Plan {
  tideover_date effective{};
  bool adjusted = false;
  std::int64_t expected_settlement_ms = TIDEOVER_NO_TIME;
};

struct Disbursement {
  std::string_view key;
  std::int64_t amount;
  std::string_view payout_account_token;
  tideover_date effective;
};

struct Outcome {
  tideover_outcome_kind kind = TIDEOVER_OUTCOME_UNKNOWN;
  std::string reference, reason_code, reason;
};

class FundingRail {
 public:
  virtual ~FundingRail() = default;
  virtual RailDescription describe() = 0;
  /// Throw Fault(TIDEOVER_FAULT_INVALID_DATE) with detail next_effective_date where the date cannot be served.
  virtual Plan plan(const PlanRequest& request) = 0;
  virtual Outcome submit(const Disbursement& disbursement, const Deadline& deadline) = 0;
  virtual Outcome query(std::string_view key, const Deadline& deadline) = 0;
  /// Only rails that declare TIDEOVER_RECALL_FENCE override this.
  virtual Outcome cancel_or_status(std::string_view key, const Deadline& deadline) { return query(key, deadline); }

  static constexpr tideover_kind kKind = TIDEOVER_KIND_FUNDING_RAIL;
  static const tideover_funding_rail kFunctions;
};

namespace abi {

inline tideover_status emit(const Outcome& outcome, const tideover_outcome_sink* sink) {
  const tideover_outcome lent{sizeof lent, outcome.kind, lend(outcome.reference), lend(outcome.reason_code),
                              lend(outcome.reason)};
  sink->outcome(sink->ctx, &lent);
  return TIDEOVER_OK;
}

inline tideover_status describe_rail(void* instance, const tideover_call* call,
                                     const tideover_rail_description_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    const RailDescription d = static_cast<FundingRail*>(instance)->describe();
    const LentList cutoffs(d.cutoffs);
    tideover_rail_description lent{};
    lent.size = sizeof lent;
    lent.recall = d.recall;
    lent.rail = lend(d.rail);
    lent.name = lend(d.name);
    lent.description = lend(d.description);
    lent.status = lend(d.status);
    lent.currency = lend("USD");
    lent.min_amount = d.min_amount;
    lent.max_amount = d.max_amount;
    lent.fee = d.fee;
    lent.desired_date = lend(d.desired_date);
    lent.time_zone = lend(d.time_zone);
    lent.cutoffs = cutoffs.list();
    lent.business_days_only = d.business_days_only ? 1 : 0;
    lent.irrevocable = d.irrevocable ? 1 : 0;
    lent.final_on_accept = d.final_on_accept ? 1 : 0;
    lent.return_window_days = d.return_window_days;
    lent.max_latency_s = d.max_latency_s;
    sink->description(sink->ctx, &lent);
    return TIDEOVER_OK;
  });
}

inline tideover_status plan_disbursement(void* instance, const tideover_call* call, const tideover_plan_request* request,
                                         tideover_plan* plan) noexcept {
  return guard(call, [&]() -> tideover_status {
    const Plan made =
        static_cast<FundingRail*>(instance)->plan({request->desired, request->now_ms, request->strict != 0});
    plan->effective = made.effective;
    plan->adjusted = made.adjusted ? 1 : 0;
    plan->expected_settlement_ms = made.expected_settlement_ms;
    return TIDEOVER_OK;
  });
}

inline tideover_status submit_disbursement(void* instance, const tideover_call* call, const tideover_disbursement* d,
                                           const tideover_outcome_sink* sink) noexcept {
  return guard(call, [&] {
    const Disbursement disbursement{view(d->key), d->amount, view(d->payout_account_token), d->effective};
    return emit(static_cast<FundingRail*>(instance)->submit(disbursement, Deadline(call)), sink);
  });
}

inline tideover_status query_disbursement(void* instance, const tideover_call* call, tideover_str key,
                                          const tideover_outcome_sink* sink) noexcept {
  return guard(call,
               [&] { return emit(static_cast<FundingRail*>(instance)->query(view(key), Deadline(call)), sink); });
}

inline tideover_status cancel_disbursement(void* instance, const tideover_call* call, tideover_str key,
                                           const tideover_outcome_sink* sink) noexcept {
  return guard(
      call, [&] { return emit(static_cast<FundingRail*>(instance)->cancel_or_status(view(key), Deadline(call)), sink); });
}

}  // namespace abi

inline constexpr tideover_funding_rail FundingRail::kFunctions = {
    sizeof(tideover_funding_rail), 0, &abi::describe_rail,      &abi::plan_disbursement, &abi::submit_disbursement,
    &abi::query_disbursement,      &abi::cancel_disbursement};

}  // namespace tideover::sdk
