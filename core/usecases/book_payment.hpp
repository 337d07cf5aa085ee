// Moves money in: what a payment that has found its settlement does to it - the reconciliation record, the ledger entries and
// the event (contract section 7, waterfall). Which payment belongs to which settlement is match_payments'.
//
// Runs inside the caller's transaction, after guard_matching().
#pragma once
#include "core/domain/settlement.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

class BookPayment {
 public:
  BookPayment(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now, ports::IdSource& ids)
      : records_(records), tenant_(tenant), now_(now), ids_(ids) {}

  /// Whether the money that came (nullptr: none) pays what the claims of the notice were paid; where not, a task waits for a person.
  bool covers(const domain::Remittance& remittance, const domain::Deposit* deposit);
  /// Books a claim of the notice on the funded settlement that it pays. `paid` gets its state and its record.
  void claim(const domain::Settlement& settlement, const domain::Remittance& remittance, domain::RemittanceClaimRecord& paid,
             domain::Deposit* deposit, const char* matched_by);
  /// Books a payment out of the deposit, whose match is updated, not stored.
  void payment(const domain::Settlement& settlement, domain::Money payment, bool denied, domain::Deposit* deposit,
               const domain::Remittance* remittance, const char* matched_by);

  /// Records posted so far, in order.
  const std::vector<domain::ReconciliationRecord>& posted() const { return posted_; }

 private:
  void open_task(const domain::Remittance& remittance, std::string note);

  ports::Records& records_;
  const domain::TenantId& tenant_;
  domain::Timestamp now_;
  ports::IdSource& ids_;
  std::vector<domain::ReconciliationRecord> posted_;
};

}  // namespace tideover::usecases
