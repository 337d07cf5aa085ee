// The stored allocation of a remittance: one row for each line that was posted, and one opposite row for each row that
// was undone. The rows of a balanced remittance that is posted completely add up to its payment.
//
// A row is written once and never changed. `undoes` names the row that an opposite row cancels. A row stands while no
// other row undoes it.
//
// Units: cents. A positive amount goes to the account, a negative one is taken from it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// The line of the remittance that a row allocates. `shortfall`: the part of a claim's payment that never came and that
/// a reviewer accepted; `payment`: the remittance's own negative amount (BPR03 = D).
enum class AllocationLine { claim, provider_adjustment, payment, shortfall };
std::string_view name_of(AllocationLine line);
std::optional<AllocationLine> allocation_line_named(std::string_view name);

/// advance: a purchased claim. payable: what is owed to a practice. carried: what the payer still withholds from a
/// practice (a forward balance).
enum class AllocationAccount { advance, payable, carried };
std::string_view name_of(AllocationAccount account);
std::optional<AllocationAccount> allocation_account_named(std::string_view name);

/// Why a line goes to its account.
enum class AllocationReason {
  advanced_claim,            // the claim of an advance
  decided,                   // a reviewer named the advance
  confirmed,                 // its deposit had paid the advance before the remittance came
  not_advanced,              // a claim without an advance, or another payer's share
  released,                  // a reviewer released the claim's money to the practice
  beside_claims,             // interest, capitation, a refund or a withholding (PLB)
  carried_forward,           // the payer will withhold it from a later payment (PLB FB, WO; a negative payment)
  balance_recovered,         // withheld for a forward balance
  advance_recovered,         // withheld for the claim of an advance
  recovered_before,          // taken back from an advance, and withheld for it by an earlier remittance
  claim_recovered,           // withheld for a claim without an advance
  unknown_recovered,         // withheld for nothing that is known
  accepted_short,            // money that never came, accepted by a reviewer
  takeback_beyond_payments,  // taken back beyond what was paid for the advance, accepted by a reviewer
};
std::string_view name_of(AllocationReason reason);
std::optional<AllocationReason> allocation_reason_named(std::string_view name);

/// A row of a remittance: the forward balance that another row uses.
struct AllocationRef {
  RemittanceId remittance;
  int number = 0;
  friend bool operator==(const AllocationRef&, const AllocationRef&) = default;
};

struct AllocationRow {
  int number = 0;  // per remittance, from 1 without gaps
  AllocationLine line = AllocationLine::claim;
  int index = 0;  // position of the claim or provider adjustment; 0 for the payment
  AllocationAccount account = AllocationAccount::payable;
  std::optional<SettlementId> settlement{};  // of an advance
  std::string payer_id{};
  std::string payee_npi{};                    // of the practice; empty: not known
  std::optional<PayeeAliasId> payee_alias{};  // the learned id that named it
  Money amount;
  AllocationReason reason = AllocationReason::not_advanced;
  std::optional<AllocationRef> balance{};            // the forward balance that is used
  std::optional<ReconciliationId> record{};          // of an advance: the record of the settlement
  std::optional<int> undoes{};                       // the row that this one cancels
  std::optional<TaskId> task{};                      // the task in which a reviewer decided
  std::optional<LedgerTransactionId> transaction{};  // moved the amount; none: `record` or nothing did
  Timestamp posted_at{};
};

/// The rows that stand, in order.
std::vector<AllocationRow> standing(const std::vector<AllocationRow>& rows);
/// The number after these rows of one remittance.
int next_number(const std::vector<AllocationRow>& rows);
/// The row that cancels `row`; its number, task and time are left to the caller.
AllocationRow opposite_of(const AllocationRow& row);
/// The sum of all rows, or of those of one account.
Money sum_of(const std::vector<AllocationRow>& rows, std::optional<AllocationAccount> account = std::nullopt);

}  // namespace tideover::domain
