// SQL that sums the ledger by effective day. A pending transaction adds to what is pending, and the transaction that
// resolves it takes the same entries away again: so a balance is the sum of the closing balances of a closed month and
// of all entries after it. Literals, so that each statement is one constant.
#pragma once
#include <cstdint>
#include <limits>
#include <string>

namespace tideover::store {

#define LEDGER_POSTED "CASE WHEN t.phase = 'posted' THEN e.cents ELSE 0 END"
#define LEDGER_PENDING "CASE WHEN t.phase = 'pending' THEN e.cents WHEN t.resolves IS NOT NULL THEN -e.cents ELSE 0 END"

/// Accounts that are owed to practices are summed by practice and payer. An entry from before parties were stored is of
/// the practice and payer of its settlement.
#define LEDGER_PARTY(own, of_settlement)                                                                \
  "CASE WHEN e.account <> 'carried_balances' AND e.account NOT LIKE 'provider_payable:%' THEN '' WHEN " \
  "e.payee_npi = '' AND e.payer_id = '' THEN COALESCE(s." of_settlement ", '') ELSE e." own " END"
#define LEDGER_PAYEE LEDGER_PARTY("payee_npi", "billing_npi")
#define LEDGER_PAYER LEDGER_PARTY("payer_id", "payer_id")

/// The entries of transactions `t`, and the settlement for LEDGER_PARTY.
#define LEDGER_JOINS                                                                                      \
  " JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id LEFT JOIN settlements s ON " \
  "s.tenant = t.tenant AND s.id = t.settlement_id"
#define LEDGER_ENTRIES "ledger_transactions t" LEDGER_JOINS

/// Rows (account, payee, payer, posted, pending). Values: tenant, period; tenant, a day, a later day. The first part is
/// the closing of the period, the second one the entries after the day up to the later day.
#define LEDGER_AS_OF                                                                                              \
  "SELECT account, payee_npi AS payee, payer_id AS payer, posted_cents AS posted, pending_cents AS pending FROM " \
  "ledger_closings WHERE tenant = ? AND period = ? UNION ALL SELECT e.account, " LEDGER_PAYEE ", " LEDGER_PAYER   \
  ", " LEDGER_POSTED ", " LEDGER_PENDING " FROM " LEDGER_ENTRIES                                                  \
  " WHERE t.tenant = ? AND t.effective_day > ? AND t.effective_day <= ?"

/// The closed month that a sum starts from. Empty: none; the sum starts before all days.
struct ClosedBase {
  std::string period{};
  std::int64_t last_day = std::numeric_limits<std::int32_t>::min();
};

}  // namespace tideover::store
