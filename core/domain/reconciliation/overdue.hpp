// What becomes of an advance that nobody pays back, and how the books age meanwhile
// (core/docs/contract.md#overdue-payments).
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// The knobs that rules own (rules/params.lua), in days, the first two behind the expected payment date.
struct OverduePolicy {
  int task_days = 60;        // then a reviewer is told
  int write_off_days = 180;  // then nobody waits any more
  int waiting_days =
      7;  // since money came without its remittance, or a remittance without its money: then a reviewer is told
};

/// Upper ends of the buckets in days past the expected payment date, the last one open; 0: not due yet.
inline constexpr std::array kAgingBuckets{0, 30, 60, 90, 120, 180};
inline constexpr std::array<std::string_view, kAgingBuckets.size() + 1> kAgingNames{
    "not_due", "1_30", "31_60", "61_90", "91_120", "121_180", "over_180"};

struct AgingCell {
  int count = 0;  // of advances
  Money amount;   // advanced and not come back
};

struct PayerAging {
  std::string payer_id;
  std::array<AgingCell, kAgingNames.size()> buckets;
  AgingCell total;
};

/// Open receivables: advances that were paid out and whose payers have not paid to the end.
struct Aging {
  Date as_of;
  std::vector<PayerAging> payers;  // by id
  PayerAging whole;                // without an id
  Money ledger_balance;            // of all accounts purchased_receivable: what `whole.total.amount` has to be
};

}  // namespace tideover::domain
