// Rows of the exports for accountants: journal, statement of a practice, aging since funding.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/reconciliation/ledger.hpp"
#include "core/domain/reconciliation/overdue.hpp"

namespace tideover::domain {

/// A position in the journal, which is ordered by effective day and id. The rows after it follow.
struct JournalPlace {
  Date day;
  std::string id;
};

/// A change of what a practice is owed.
struct PayeeMovement {
  LedgerTransactionId transaction;
  Date effective_on;
  std::optional<Date> occurred_on;
  std::string cause_kind;
  std::string cause_id;
  std::optional<SettlementId> settlement;
  std::string payer_id;
  Money amount;  // credited > 0, paid out or taken back < 0
};

/// What a practice is owed, and why, in a period. Days are effective days, both inclusive.
struct PayeeStatement {
  std::string payee_npi;
  Date from;
  Date to;
  Money opening;
  Money closing;
  std::vector<PayeeMovement> movements;  // of one page
};

/// Upper ends of the buckets in days since the funding; the last one is open.
inline constexpr std::array kOutstandingBuckets{30, 60, 90, 120};
inline constexpr std::array<std::string_view, kOutstandingBuckets.size() + 1> kOutstandingNames{
    "days_0_30", "days_31_60", "days_61_90", "days_91_120", "days_over_120"};

struct PayerOutstanding {
  std::string payer_id;
  std::array<AgingCell, kOutstandingNames.size()> buckets{};
  AgingCell total{};
};

/// Adds open advances of a payer whose funding is that many days ago.
void add_outstanding(PayerOutstanding& payer, int days, const AgingCell& cell);

}  // namespace tideover::domain
