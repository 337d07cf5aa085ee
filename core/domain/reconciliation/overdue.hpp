// Policy for advances that stay unpaid, and the aging of open receivables (core/docs/contract.md#overdue-payments).
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// Set by rules (rules/params.lua), in days. The first two count from the expected payment date.
struct OverduePolicy {
  int task_days = 60;        // then a task is opened
  int write_off_days = 180;  // then the rest is written off
  int waiting_days = 7;      // for a deposit without its remittance, or the reverse; then a task is opened
};

/// Upper ends of the buckets in days past the expected payment date; the last one is open. 0: not due yet.
inline constexpr std::array kAgingBuckets{0, 30, 60, 90, 120, 180};
inline constexpr std::array<std::string_view, kAgingBuckets.size() + 1> kAgingNames{
    "not_due", "1_30", "31_60", "61_90", "91_120", "121_180", "over_180"};

struct AgingCell {
  int count = 0;  // number of advances
  Money amount;   // advanced and not paid back
};

struct PayerAging {
  std::string payer_id;
  std::array<AgingCell, kAgingNames.size()> buckets;
  AgingCell total;
};

/// Open receivables: funded advances that are not paid in full.
struct Aging {
  Date as_of;
  std::vector<PayerAging> payers;  // by id
  PayerAging whole;                // without an id
  Money ledger_balance;            // of all accounts purchased_receivable; must equal `whole.total.amount`
};

}  // namespace tideover::domain
