// Exports of the ledger for accountants: journal, statement of a practice, aging since funding. Each call reads one
// page, so that the memory does not grow with the ledger.
//
// Threads: thread-safe; read-only.
// Errors: invalid_parameter for days that end before they begin, or an NPI that is none; invalid_cursor.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/ledger/reports.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct JournalQuery {
  std::optional<domain::Date> from, to;  // effective days, both inclusive; empty: all
  std::string after;                     // cursor
  std::size_t limit = 0;
};

class ExportLedger {
 public:
  explicit ExportLedger(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<domain::LedgerTransaction>> journal(const domain::TenantId& tenant,
                                                                 const JournalQuery& query) const;
  /// `from` and `to` of the query are required.
  domain::Result<domain::PayeeStatement> statement(const domain::TenantId& tenant, const std::string& payee_npi,
                                                   const JournalQuery& query) const;
  /// Open receivables by payer and by days since the funding.
  domain::Result<std::vector<domain::PayerOutstanding>> aging(const domain::TenantId& tenant, domain::Date today) const;

  /// The cursor of the page after this row: the day and the id of its transaction.
  static std::string cursor_of(domain::Date effective_on, const domain::LedgerTransactionId& id);

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
