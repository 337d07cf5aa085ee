// Derive from FundingRail to pay over a bank. Every function except describe runs on many threads at the same time. If
// the bank's answer was lost, return `unknown`; an exception from submit counts as unknown too.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "date.hpp"
#include "sdk.hpp"

namespace tideover::sdk {

/// The rail description of plugin.h, field by field. Amounts in cents.
struct RailDescription {
  std::string rail, name, description, status = "operational";
  std::int64_t min_amount = 1, max_amount = 0, fee = 0;
  std::string desired_date = "optional", time_zone = "America/New_York";
  std::vector<std::string> cutoffs;
  bool business_days_only = true, irrevocable = false, final_on_accept = false, has_statement = false;
  bool simulated = false;  // true: no money moves
  int return_window_days = 0, max_latency_s = 0;
  tideover_recall recall = TIDEOVER_RECALL_BLIND;
};

struct PlanRequest {
  tideover_date desired;  // is_none(): no date requested
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
  /// Key and amount as the bank's answer states them, for the host to compare. Never copy them from the request.
  std::string key{};
  std::int64_t amount = TIDEOVER_NO_AMOUNT;
};

/// One payment in the bank's own records.
struct StatementLine {
  tideover_outcome_kind kind = TIDEOVER_OUTCOME_ACCEPTED;  // accepted, settled, rejected or returned
  std::string key;
  std::int64_t amount = 0;
  std::string reference, reason_code, reason;
  std::int64_t at_ms = 0;  // when the bank accepted it
};
using OnStatementLine = std::function<void(const StatementLine&)>;

class FundingRail {
 public:
  virtual ~FundingRail() = default;
  virtual RailDescription describe() = 0;
  /// Throws Fault(TIDEOVER_FAULT_INVALID_DATE) with the detail next_effective_date if the date cannot be served.
  virtual Plan plan(const PlanRequest& request) = 0;
  virtual Outcome submit(const Disbursement& disbursement, const Deadline& deadline) = 0;
  virtual Outcome query(std::string_view key, const Deadline& deadline) = 0;
  /// Override it if the rail declares TIDEOVER_RECALL_FENCE.
  virtual Outcome cancel_or_status(std::string_view key, const Deadline& deadline) { return query(key, deadline); }

  /// Every payment that the bank accepted from `from_ms` (inclusive) to `to_ms` (exclusive). Override it if the rail
  /// declares has_statement. Throws if the statement cannot be read completely.
  virtual void statement(std::int64_t /*from_ms*/, std::int64_t /*to_ms*/, const OnStatementLine& /*on_line*/,
                         const Deadline&) {
    throw Fault(TIDEOVER_FAULT_UNAVAILABLE, "this rail gives no statement");
  }

  static constexpr tideover_kind kKind = TIDEOVER_KIND_FUNDING_RAIL;
  static const tideover_funding_rail kFunctions;
};

namespace abi {

inline tideover_status emit(const Outcome& outcome, const tideover_outcome_sink* sink) {
  const tideover_outcome lent{
      sizeof lent,          outcome.kind,      lend(outcome.reference), lend(outcome.reason_code),
      lend(outcome.reason), lend(outcome.key), outcome.amount};
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
    lent.has_statement = d.has_statement ? 1 : 0;
    lent.simulated = d.simulated ? 1 : 0;
    sink->description(sink->ctx, &lent);
    return TIDEOVER_OK;
  });
}

inline tideover_status plan_disbursement(void* instance, const tideover_call* call,
                                         const tideover_plan_request* request, tideover_plan* plan) noexcept {
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
  return guard(call, [&] { return emit(static_cast<FundingRail*>(instance)->query(view(key), Deadline(call)), sink); });
}

inline tideover_status cancel_disbursement(void* instance, const tideover_call* call, tideover_str key,
                                           const tideover_outcome_sink* sink) noexcept {
  return guard(call, [&] {
    return emit(static_cast<FundingRail*>(instance)->cancel_or_status(view(key), Deadline(call)), sink);
  });
}

inline tideover_status list_statement(void* instance, const tideover_call* call, const tideover_statement_query* query,
                                      const tideover_statement_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    const auto on_line = [sink](const StatementLine& line) {
      const tideover_statement_line lent{
          sizeof lent,       line.kind, lend(line.key), line.amount, lend(line.reference), lend(line.reason_code),
          lend(line.reason), line.at_ms};
      sink->line(sink->ctx, &lent);
    };
    static_cast<FundingRail*>(instance)->statement(query->from_ms, query->to_ms, on_line, Deadline(call));
    return TIDEOVER_OK;
  });
}

}  // namespace abi

inline constexpr tideover_funding_rail FundingRail::kFunctions = {
    sizeof(tideover_funding_rail), 0,
    &abi::describe_rail,           &abi::plan_disbursement,
    &abi::submit_disbursement,     &abi::query_disbursement,
    &abi::cancel_disbursement,     &abi::list_statement};

}  // namespace tideover::sdk
