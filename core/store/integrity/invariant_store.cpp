#include "core/store/integrity/invariant_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/ledger_moves.hpp"

namespace tideover::store {
namespace {

struct Rule {
  std::string_view holds;
  sql::Sql offenders;  // one column: the id of a row that breaks it; LIMIT ? at the end
};

// I1 to I8, I12, I14 and I15 (core/docs/reliability.md#invariants), as far as the database knows. Joins use
// primary keys and indexes; GROUP BY uses keys only.
constexpr Rule kRules[] = {
    // The ledger itself.
    {"all accounts of a tenant together are zero",
     "SELECT tenant FROM ledger_entries GROUP BY tenant HAVING SUM(cents) <> 0 LIMIT ?"},
    {"every ledger entry belongs to a transaction",
     "SELECT e.transaction_id FROM ledger_entries e LEFT JOIN ledger_transactions t "
     "ON t.tenant = e.tenant AND t.id = e.transaction_id WHERE t.id IS NULL LIMIT ?"},
    {"a resolving transaction is posted or voided, and the resolved one is pending",
     "SELECT t.id FROM ledger_transactions t LEFT JOIN ledger_transactions p ON p.tenant = t.tenant AND p.id = "
     "t.resolves "
     "WHERE t.resolves IS NOT NULL AND (t.phase = 'pending' OR p.id IS NULL OR p.phase <> 'pending') LIMIT ?"},
    {"a pending transaction is resolved at most once",
     "SELECT resolves FROM ledger_transactions WHERE resolves IS NOT NULL GROUP BY tenant, resolves HAVING COUNT(*) > "
     "1 LIMIT ?"},
    {"only pending transactions are voided",
     "SELECT id FROM ledger_transactions WHERE phase = 'voided' AND resolves IS NULL LIMIT ?"},
    {"a provider's account belongs to the tenant of its entry",
     "SELECT transaction_id FROM ledger_entries WHERE account LIKE 'provider_payable:%' AND account <> "
     "'provider_payable:' || tenant "
     "LIMIT ?"},

    // Closed periods.
    {"the closing balances of a closed period are the sums of its transactions",
     "SELECT period FROM (SELECT tenant, period, account, payee_npi AS payee, payer_id AS payer, posted_cents AS "
     "posted, pending_cents AS pending FROM ledger_closings UNION ALL SELECT n.tenant, n.period, c.account, "
     "c.payee_npi, c.payer_id, -c.posted_cents, -c.pending_cents FROM ledger_periods n JOIN ledger_closings c ON "
     "c.tenant = n.tenant AND c.period = n.follows UNION ALL SELECT n.tenant, n.period, e.account, " LEDGER_PAYEE
     ", " LEDGER_PAYER ", -(" LEDGER_POSTED "), -(" LEDGER_PENDING
     ") FROM ledger_periods n JOIN ledger_transactions t ON t.tenant = n.tenant AND t.effective_day > n.after_day AND "
     "t.effective_day <= n.last_day" LEDGER_JOINS
     ") closed GROUP BY tenant, period, account, payee, payer HAVING SUM(posted) <> 0 OR SUM(pending) <> 0 LIMIT ?"},
    {"closed periods follow each other, and the tenant has the last closed day",
     "SELECT n.id FROM tenants n LEFT JOIN (SELECT tenant, MAX(last_day) AS last_day FROM ledger_periods GROUP BY "
     "tenant) p ON p.tenant = n.id WHERE COALESCE(n.closed_through, -1) <> COALESCE(p.last_day, -1) OR EXISTS (SELECT "
     "1 FROM ledger_periods c LEFT JOIN ledger_periods b ON b.tenant = c.tenant AND b.period = c.follows WHERE "
     "c.tenant = n.id AND c.follows <> '' AND (b.period IS NULL OR b.last_day <> c.after_day)) LIMIT ?"},

    // No entry without its cause.
    {"a disbursement in the ledger has its attempt",
     "SELECT t.id FROM ledger_transactions t LEFT JOIN disbursement_attempts a "
     "ON a.tenant = t.tenant AND a.settlement_id = t.settlement_id AND a.id = t.cause_id "
     "AND t.cause_kind = CASE a.purpose WHEN 'residual' THEN 'payout' ELSE 'disbursement' END "
     "WHERE t.cause_kind IN ('disbursement', 'payout') AND a.id IS NULL LIMIT ?"},
    {"a deposit in the ledger has its record, of the same amount",
     "SELECT t.id FROM ledger_transactions t LEFT JOIN deposits d ON d.tenant = t.tenant AND d.id = t.cause_id "
     "LEFT JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id AND e.account = 'deposit_clearing' "
     "WHERE t.cause_kind = 'deposit' AND (d.id IS NULL OR e.cents IS NULL OR e.cents <> d.cents) LIMIT ?"},
    {"a reconciliation in the ledger has its record",
     "SELECT t.id FROM ledger_transactions t LEFT JOIN reconciliation_records r "
     "ON r.tenant = t.tenant AND r.settlement_id = t.settlement_id AND r.id = t.cause_id "
     "WHERE t.cause_kind = 'reconciliation' AND r.id IS NULL LIMIT ?"},
    {"a return in the ledger has its returned attempt, with the same amount",
     "SELECT t.id FROM ledger_transactions t LEFT JOIN disbursement_attempts a "
     "ON a.tenant = t.tenant AND a.settlement_id = t.settlement_id AND a.id = t.cause_id AND a.state = 'returned' "
     "AND t.cause_kind = CASE a.purpose WHEN 'residual' THEN 'payout_return' ELSE 'disbursement_return' END "
     "LEFT JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id AND e.account = 'funding_cash' "
     "WHERE t.cause_kind IN ('disbursement_return', 'payout_return') AND (a.id IS NULL OR e.cents IS NULL OR e.cents "
     "<> a.cents) LIMIT ?"},
    {"a residual is owed to the practice of its settlement",
     "SELECT t.id FROM ledger_transactions t JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id "
     "JOIN settlements s ON s.tenant = t.tenant AND s.id = t.settlement_id WHERE e.account = 'provider_payable:' || "
     "t.tenant AND (e.payer_id <> '' OR e.payee_npi <> '') AND (e.payer_id <> s.payer_id OR e.payee_npi <> "
     "s.billing_npi) LIMIT ?"},
    {"an amount that a remittance credits to a practice or carries is in its allocation",
     "SELECT t.id FROM ledger_transactions t JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id "
     "WHERE t.cause_kind = 'provider_adjustments' AND e.payee_npi <> '' AND NOT EXISTS (SELECT 1 FROM allocations a "
     "WHERE a.tenant = t.tenant AND a.remittance_id = t.cause_id AND a.payee_npi = e.payee_npi AND a.payer_id = "
     "e.payer_id) LIMIT ?"},
    {"every cause has a known kind",
     "SELECT id FROM ledger_transactions "
     "WHERE cause_kind NOT IN ('disbursement', 'disbursement_return', 'payout', 'payout_return', 'practice_payout', "
     "'practice_payout_return', 'deposit', "
     "'reconciliation', "
     "'provider_adjustments', 'withholding', 'deposit_release', 'deposit_return', 'bank_statement', "
     "'bank_statement_return') LIMIT ?"},
    {"a deposit, a reconciliation and a return are booked once",
     "SELECT cause_id FROM ledger_transactions WHERE cause_kind IN ('deposit', 'deposit_return', 'reconciliation', "
     "'disbursement_return', 'payout_return', 'practice_payout_return', 'bank_statement', 'bank_statement_return') "
     "GROUP BY tenant, cause_kind, cause_id HAVING COUNT(*) > 1 LIMIT ?"},
    // With the rules above, counting is sufficient: causes have no index in the ledger.
    {"every deposit of the tenant is booked",
     "SELECT d.tenant FROM (SELECT tenant, COUNT(*) AS counted FROM deposits WHERE status NOT IN "
     "('suspected_duplicate', 'duplicate') GROUP BY tenant) d "
     "LEFT JOIN (SELECT tenant, COUNT(*) AS counted FROM ledger_transactions WHERE cause_kind = 'deposit' GROUP BY "
     "tenant) t "
     "ON t.tenant = d.tenant WHERE t.counted IS NULL OR t.counted <> d.counted LIMIT ?"},
    {"every reconciliation record of the tenant that moves money is booked",
     "SELECT r.tenant FROM (SELECT tenant, COUNT(*) AS counted FROM reconciliation_records "
     "WHERE payer_payment_cents <> 0 OR principal_loss_cents <> 0 OR recovered_cents <> 0 OR residual_cents <> 0 GROUP "
     "BY tenant) r "
     "LEFT JOIN (SELECT tenant, COUNT(*) AS counted FROM ledger_transactions WHERE cause_kind = 'reconciliation' GROUP "
     "BY tenant) t "
     "ON t.tenant = r.tenant WHERE t.counted IS NULL OR t.counted <> r.counted LIMIT ?"},
    {"every returned attempt of the tenant is reversed",
     "SELECT a.tenant FROM (SELECT tenant, COUNT(*) AS counted FROM disbursement_attempts WHERE state = 'returned' "
     "GROUP BY tenant) a "
     "LEFT JOIN (SELECT tenant, COUNT(*) AS counted FROM ledger_transactions WHERE cause_kind IN "
     "('disbursement_return', 'payout_return', 'practice_payout_return') "
     "GROUP BY tenant) t "
     "ON t.tenant = a.tenant WHERE t.counted IS NULL OR t.counted <> a.counted LIMIT ?"},

    // Disbursements: the ledger has the amounts of the attempts.
    {"every attempt has its pending transaction",
     "SELECT a.id FROM disbursement_attempts a LEFT JOIN ledger_transactions t "
     "ON t.tenant = a.tenant AND t.id = a.pending_entry_id AND t.phase = 'pending' AND t.cause_id = a.id WHERE t.id IS "
     "NULL LIMIT ?"},
    {"an attempt that was paid has its posted transaction",
     "SELECT a.id FROM disbursement_attempts a LEFT JOIN ledger_transactions t "
     "ON t.tenant = a.tenant AND t.resolves = a.pending_entry_id AND t.phase = 'posted' AND t.cause_id = a.id "
     "WHERE a.state IN ('accepted', 'settled', 'returned') AND t.id IS NULL LIMIT ?"},
    {"an attempt that was refused has its voided transaction",
     "SELECT a.id FROM disbursement_attempts a LEFT JOIN ledger_transactions t "
     "ON t.tenant = a.tenant AND t.resolves = a.pending_entry_id AND t.phase = 'voided' AND t.cause_id = a.id "
     "WHERE a.state = 'rejected' AND t.id IS NULL LIMIT ?"},
    {"an attempt with an unknown outcome is still pending",
     "SELECT a.id FROM disbursement_attempts a JOIN ledger_transactions t ON t.tenant = a.tenant AND t.resolves = "
     "a.pending_entry_id "
     "WHERE a.state IN ('intent', 'submitting', 'unknown', 'manual') LIMIT ?"},
    {"a disbursement books the amount of its attempt to the receivable of its settlement, a payout to the amount owed "
     "to the provider",
     "SELECT a.id FROM disbursement_attempts a JOIN ledger_transactions t ON t.tenant = a.tenant "
     "AND t.settlement_id = a.settlement_id AND t.cause_id = a.id AND t.cause_kind IN ('disbursement', 'payout') "
     "LEFT JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id "
     "AND e.account = CASE a.purpose WHEN 'residual' THEN 'provider_payable:' || a.tenant ELSE 'purchased_receivable:' "
     "|| a.settlement_id END "
     "WHERE e.cents IS NULL OR e.cents <> a.cents LIMIT ?"},
    {"a settlement is paid at most once",
     "SELECT settlement_id FROM disbursement_attempts WHERE purpose = 'advance' AND state IN ('accepted', 'settled') "
     "GROUP BY tenant, settlement_id HAVING COUNT(*) > 1 LIMIT ?"},
    {"payouts of a residual do not exceed the largest residual that the payer's payments gave",
     "SELECT a.settlement_id FROM (SELECT tenant, settlement_id, SUM(cents) AS claimed FROM disbursement_attempts "
     "WHERE purpose = 'residual' AND state NOT IN ('rejected', 'returned') GROUP BY tenant, settlement_id) a "
     "LEFT JOIN (SELECT tenant, settlement_id, MAX(standing) AS most FROM (SELECT tenant, settlement_id, "
     "SUM(residual_cents) OVER (PARTITION BY tenant, settlement_id ORDER BY number) AS standing FROM "
     "reconciliation_records) behind_each "
     "GROUP BY tenant, settlement_id) r ON r.tenant = a.tenant AND r.settlement_id = a.settlement_id "
     "WHERE a.claimed > COALESCE(r.most, 0) LIMIT ?"},
    {"a residual that was paid out and taken back by the payer has its task",
     "SELECT s.id FROM settlements s LEFT JOIN tasks t ON t.tenant = s.tenant AND t.object_id = s.id AND (t.status = "
     "'open' OR t.decision = 'resolved') "
     "AND t.kind IN ('payout_taken_back', 'payment_unexpected') WHERE s.residual_due_cents < 0 AND t.id IS NULL LIMIT "
     "?"},
    {"one payout of a residual, or to a practice, is in progress at a time, after those that ended",
     "SELECT a.id FROM disbursement_attempts a JOIN disbursement_attempts later ON later.tenant = a.tenant "
     "AND later.settlement_id = a.settlement_id AND later.purpose = a.purpose AND later.number > a.number "
     "WHERE a.purpose <> 'advance' AND a.state IN ('intent', 'submitting', 'unknown', 'manual') LIMIT ?"},
    {"a settlement has the amount of its residual that is due and not in a payout",
     "SELECT s.id FROM settlements s WHERE s.residual_due_cents <> COALESCE((SELECT SUM(r.residual_cents) FROM "
     "reconciliation_records r "
     "WHERE r.tenant = s.tenant AND r.settlement_id = s.id), 0) - COALESCE((SELECT SUM(a.cents) FROM "
     "disbursement_attempts a "
     "WHERE a.tenant = s.tenant AND a.settlement_id = s.id AND a.purpose = 'residual' AND a.state NOT IN ('rejected', "
     "'returned')), 0) - COALESCE((SELECT SUM(p.cents) FROM payables p WHERE p.tenant = s.tenant AND p.settlement_id = "
     "s.id AND p.payout_id <> ''), 0) LIMIT ?"},

    // Payouts to practices.
    {"a payout to a practice in the ledger has its attempt, and its return a returned one",
     "SELECT t.id FROM ledger_transactions t LEFT JOIN disbursement_attempts a ON a.tenant = t.tenant AND a.purpose = "
     "'payable' AND a.id = t.cause_id WHERE t.cause_kind IN ('practice_payout', 'practice_payout_return') AND (a.id IS "
     "NULL OR (t.cause_kind = 'practice_payout_return' AND a.state <> 'returned')) LIMIT ?"},
    {"a payout to a practice, and its return, books its amount",
     "SELECT t.id FROM disbursement_attempts a JOIN ledger_transactions t ON t.tenant = a.tenant AND t.cause_id = a.id "
     "AND t.cause_kind IN ('practice_payout', 'practice_payout_return') LEFT JOIN ledger_entries e ON e.tenant = "
     "t.tenant AND e.transaction_id = t.id AND e.account = 'funding_cash' WHERE a.purpose = 'payable' AND (e.cents IS "
     "NULL OR e.cents <> CASE t.cause_kind WHEN 'practice_payout' THEN -a.cents ELSE a.cents END) LIMIT ?"},
    {"a payout to a practice pays what it covers and does not carry forward",
     "SELECT a.id FROM disbursement_attempts a WHERE a.purpose = 'payable' AND a.cents <> COALESCE((SELECT "
     "SUM(p.cents) FROM payables p WHERE p.payout_id = a.id AND p.tenant = a.tenant), 0) - COALESCE((SELECT "
     "SUM(c.cents) FROM payables c WHERE c.tenant = a.tenant AND c.transaction_id = a.id), 0) LIMIT ?"},
    {"every amount that is due to a practice has its ledger entry or its payout",
     "SELECT p.transaction_id FROM payables p LEFT JOIN ledger_transactions t ON t.tenant = p.tenant AND t.id = "
     "p.transaction_id LEFT JOIN disbursement_attempts a ON a.tenant = p.tenant AND a.purpose = 'payable' AND a.id = "
     "p.transaction_id WHERE t.id IS NULL AND a.id IS NULL LIMIT ?"},
    {"the amounts that are due to a practice are what the ledger owes it",
     "SELECT l.npi FROM (SELECT tenant, npi, SUM(cents) AS owed FROM (SELECT e.tenant, -e.cents AS cents, CASE WHEN "
     "e.payee_npi = '' AND e.payer_id = '' THEN COALESCE(s.billing_npi, '') ELSE e.payee_npi END AS npi FROM "
     "ledger_entries e JOIN ledger_transactions t ON t.tenant = e.tenant AND t.id = e.transaction_id LEFT JOIN "
     "ledger_transactions r ON r.tenant = t.tenant AND r.resolves = t.id LEFT JOIN settlements s ON s.tenant = "
     "t.tenant AND s.id = t.settlement_id WHERE e.account LIKE 'provider_payable:%' AND (t.phase = 'posted' OR "
     "(t.phase = 'pending' AND r.id IS NULL))) entries GROUP BY tenant, npi) l LEFT JOIN (SELECT tenant, payee_npi, "
     "SUM(cents) AS due FROM payables WHERE payout_id = '' GROUP BY tenant, payee_npi) p ON p.tenant = l.tenant AND "
     "p.payee_npi = l.npi WHERE l.npi <> '' AND l.owed <> COALESCE(p.due, 0) LIMIT ?"},

    // Settlements.
    {"a funded settlement has exactly one paid attempt of its amount",
     "SELECT s.id FROM settlements s WHERE s.status = 'funded' AND (SELECT COUNT(*) FROM disbursement_attempts a "
     "WHERE a.tenant = s.tenant AND a.settlement_id = s.id AND a.purpose = 'advance' AND a.state IN ('accepted', "
     "'settled') "
     "AND a.cents = s.funded_cents) <> 1 "
     "LIMIT ?"},
    {"the paid amount is the advance of the terms",
     "SELECT id FROM settlements WHERE status = 'funded' AND (funded_cents IS NULL OR funded_cents <> advance_cents) "
     "LIMIT ?"},
    {"a settlement with a paid attempt has the paid amount",
     "SELECT s.id FROM disbursement_attempts a JOIN settlements s ON s.tenant = a.tenant AND s.id = a.settlement_id "
     "WHERE a.purpose = 'advance' AND a.state IN ('accepted', 'settled') AND (s.funded_cents IS NULL OR s.funded_cents "
     "<> a.cents) LIMIT ?"},

    // Reconciliation: the payment plus the losses equal the advance, the fee and the residual.
    {"a reconciliation record splits its payment, and takes a residual back only with a payment",
     "SELECT r.id FROM reconciliation_records r LEFT JOIN settlements s ON s.tenant = r.tenant AND s.id = "
     "r.settlement_id "
     "WHERE s.funded_cents IS NULL OR (r.residual_cents < 0 AND r.payer_payment_cents >= 0 AND r.matched_by <> "
     "'undone') "
     "OR r.payer_payment_cents <> r.recovered_cents + r.fee_cents + r.residual_cents - r.residual_loss_cents LIMIT ?"},
    {"a settlement recovers or loses its advance: all of it when final, nothing when the funding was returned",
     "SELECT s.id FROM (SELECT tenant, settlement_id, SUM(recovered_cents) AS recovered, SUM(principal_loss_cents) AS "
     "lost, MAX(number) AS last, SUM(CASE WHEN matched_by = 'funding_returned' THEN 1 ELSE 0 END) AS returned "
     "FROM reconciliation_records GROUP BY tenant, settlement_id) r "
     "JOIN settlements s ON s.tenant = r.tenant AND s.id = r.settlement_id "
     "JOIN reconciliation_records l ON l.tenant = r.tenant AND l.settlement_id = r.settlement_id AND l.number = r.last "
     "WHERE (l.final_status NOT IN ('partial', 'pending') AND r.recovered + r.lost <> CASE WHEN r.returned > 0 THEN 0 "
     "ELSE s.funded_cents END) "
     "OR r.recovered < 0 OR r.lost < 0 OR r.recovered + r.lost > s.funded_cents LIMIT ?"},
    // Only an earlier version lost residuals: the provider then kept amounts that the payer took back.
    {"no settlement loses more than its advance and its fee",
     "SELECT s.id FROM (SELECT tenant, settlement_id, SUM(principal_loss_cents) AS booked, SUM(absorbed_cents - "
     "residual_loss_cents) AS absorbed "
     "FROM reconciliation_records GROUP BY tenant, settlement_id) r JOIN settlements s ON s.tenant = r.tenant AND s.id "
     "= r.settlement_id "
     "WHERE r.booked > s.funded_cents + s.fee_cents OR r.absorbed > s.funded_cents + s.fee_cents LIMIT ?"},
    {"the write-off of a remittance and the losses of its settlements do not exceed their advances and fees",
     "SELECT w.id FROM (SELECT r.tenant, r.id, r.withheld_cents AS withheld, SUM(COALESCE(l.lost, 0)) AS lost, "
     "SUM(s.funded_cents + s.fee_cents) AS bound FROM remittances r "
     "JOIN (SELECT tenant, remittance_id, settlement_id FROM reconciliation_records WHERE remittance_id IS NOT NULL "
     "UNION SELECT tenant, remittance_id, settlement_id FROM remittance_claims WHERE settlement_id IS NOT NULL) p "
     "ON p.tenant = r.tenant AND p.remittance_id = r.id "
     "JOIN settlements s ON s.tenant = p.tenant AND s.id = p.settlement_id AND s.funded_cents IS NOT NULL "
     "LEFT JOIN (SELECT tenant, settlement_id, SUM(principal_loss_cents) AS lost FROM reconciliation_records "
     "GROUP BY tenant, settlement_id) l ON l.tenant = p.tenant AND l.settlement_id = p.settlement_id "
     "WHERE r.withheld_cents > 0 GROUP BY r.tenant, r.id, r.withheld_cents) w WHERE w.withheld + w.lost > w.bound "
     "LIMIT ?"},
    {"no residual is negative",
     "SELECT settlement_id FROM reconciliation_records GROUP BY tenant, settlement_id HAVING SUM(residual_cents) < 0 "
     "LIMIT ?"},
    {"the records of a settlement are numbered without a gap",
     "SELECT settlement_id FROM reconciliation_records GROUP BY tenant, settlement_id HAVING COUNT(*) <> MAX(number) "
     "OR MIN(number) <> 1 LIMIT ?"},
    {"a receivable is open until its reconciliation is final",
     "SELECT s.id FROM settlements s WHERE s.receivable_open <> CASE WHEN s.status = 'funded' AND COALESCE((SELECT "
     "r.final_status "
     "FROM reconciliation_records r WHERE r.tenant = s.tenant AND r.settlement_id = s.id ORDER BY r.number DESC LIMIT "
     "1), 'pending') "
     "IN ('pending', 'partial') THEN 1 ELSE 0 END LIMIT ?"},
    {"a reconciliation in the ledger has the figures of its record",
     "SELECT t.id FROM ledger_transactions t JOIN reconciliation_records r "
     "ON r.tenant = t.tenant AND r.settlement_id = t.settlement_id AND r.id = t.cause_id "
     "JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id WHERE t.cause_kind = 'reconciliation' "
     "GROUP BY t.tenant, t.id, r.settlement_id, r.payer_payment_cents, r.recovered_cents, r.principal_loss_cents, "
     "r.residual_loss_cents, r.fee_cents, r.residual_cents "
     "HAVING SUM(CASE WHEN e.account = 'suspense_unmatched' THEN e.cents ELSE 0 END) <> r.payer_payment_cents "
     "OR SUM(CASE WHEN e.account = 'loss_on_receivable' THEN e.cents ELSE 0 END) <> r.principal_loss_cents + "
     "r.residual_loss_cents "
     "OR SUM(CASE WHEN e.account = 'purchased_receivable:' || r.settlement_id THEN -e.cents ELSE 0 END) "
     "<> r.recovered_cents + r.principal_loss_cents "
     "OR SUM(CASE WHEN e.account = 'fee_income' THEN -e.cents ELSE 0 END) <> r.fee_cents "
     "OR SUM(CASE WHEN e.account = 'provider_payable:' || t.tenant THEN -e.cents ELSE 0 END) <> r.residual_cents LIMIT "
     "?"},
    {"the spent amount of a deposit equals its records and the adjustments of its remittances",
     "SELECT d.id FROM (SELECT tenant, COALESCE(pooled_into, id) AS id, SUM(matched_cents - released_cents) AS "
     "matched_cents, MAX(matched_cents - cents) AS beyond "
     "FROM deposits GROUP BY tenant, COALESCE(pooled_into, id)) d "
     "LEFT JOIN (SELECT tenant, deposit_id, SUM(payer_payment_cents) AS spent FROM reconciliation_records "
     "WHERE deposit_id IS NOT NULL GROUP BY tenant, deposit_id) r ON r.tenant = d.tenant AND r.deposit_id = d.id "
     "LEFT JOIN (SELECT tenant, deposit_id, SUM(carried_cents + paid_to_provider_cents - withheld_cents) AS spent FROM "
     "remittances "
     "WHERE deposit_id IS NOT NULL GROUP BY tenant, deposit_id) m ON m.tenant = d.tenant AND m.deposit_id = d.id "
     "WHERE d.matched_cents <> COALESCE(r.spent, 0) + COALESCE(m.spent, 0) OR d.beyond > 0 LIMIT ?"},
    {"the amounts that a remittance carries to other payments and pays to the provider are booked, and nothing "
     "else",
     "SELECT id FROM ("
     "SELECT tenant, id, carried_cents AS carried, paid_to_provider_cents AS paid FROM remittances "
     "UNION ALL SELECT t.tenant, t.cause_id, CASE WHEN e.account = 'carried_balances' THEN e.cents ELSE 0 END, "
     "CASE WHEN e.account = 'provider_payable:' || t.tenant THEN e.cents ELSE 0 END "
     "FROM ledger_transactions t JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id "
     "WHERE t.cause_kind = 'provider_adjustments' AND e.account <> 'suspense_unmatched') booked "
     "GROUP BY tenant, id HAVING SUM(carried) <> 0 OR SUM(paid) <> 0 LIMIT ?"},
    {"a remittance carries and pays what its allocation says",
     "SELECT r.id FROM remittances r LEFT JOIN (SELECT tenant, remittance_id, "
     "SUM(CASE WHEN account = 'carried' THEN cents ELSE 0 END) AS carried, "
     "SUM(CASE WHEN account = 'payable' THEN cents ELSE 0 END) AS paid "
     "FROM allocations GROUP BY tenant, remittance_id) a ON a.tenant = r.tenant AND a.remittance_id = r.id "
     "WHERE r.carried_cents <> COALESCE(a.carried, 0) OR r.paid_to_provider_cents <> COALESCE(a.paid, 0) LIMIT ?"},
    {"a posted claim of a remittance is allocated to its settlement",
     "SELECT c.remittance_id FROM remittance_claims c WHERE c.state = 'posted' AND NOT EXISTS (SELECT 1 FROM "
     "allocations "
     "a WHERE a.tenant = c.tenant AND a.remittance_id = c.remittance_id AND a.line = 'claim' AND a.line_index = "
     "c.position AND a.account = 'advance' AND a.settlement_id = c.settlement_id AND a.undoes IS NULL) LIMIT ?"},
    {"no forward balance is used beyond its amount",
     "SELECT b.remittance_id FROM allocations b JOIN allocations u ON u.tenant = b.tenant AND u.balance_remittance = "
     "b.remittance_id AND u.balance_number = b.number WHERE b.reason = 'carried_forward' AND b.undoes IS NULL "
     "GROUP BY b.tenant, b.remittance_id, b.number, b.cents HAVING b.cents + SUM(u.cents) < 0 LIMIT ?"},
    {"the write-off of a remittance is booked as a loss, and nothing else",
     "SELECT id FROM ("
     "SELECT tenant, id, withheld_cents AS lost FROM remittances "
     "UNION ALL SELECT t.tenant, t.cause_id, -e.cents FROM ledger_transactions t JOIN ledger_entries e ON e.tenant = "
     "t.tenant AND e.transaction_id = t.id "
     "WHERE t.cause_kind = 'withholding' AND e.account = 'loss_on_receivable') booked GROUP BY tenant, id HAVING "
     "SUM(lost) <> 0 LIMIT ?"},
    {"the released amount of a deposit is booked to its provider, and nothing else",
     "SELECT id FROM ("
     "SELECT tenant, id, released_cents AS released FROM deposits "
     "UNION ALL SELECT t.tenant, t.cause_id, e.cents FROM ledger_transactions t JOIN ledger_entries e ON e.tenant = "
     "t.tenant AND e.transaction_id = t.id "
     "WHERE t.cause_kind = 'deposit_release' AND e.account = 'provider_payable:' || t.tenant) booked GROUP BY tenant, "
     "id HAVING SUM(released) <> 0 LIMIT ?"},
    {"a remittance has the status that its claims give it",
     "SELECT r.id FROM remittances r LEFT JOIN (SELECT tenant, remittance_id, COUNT(*) AS total, SUM(CASE WHEN state "
     "IN ('posted', 'duplicate') THEN 1 ELSE 0 END) AS placed, "
     "MAX(CASE WHEN state = 'posted' THEN 1 ELSE 0 END) AS posted, MAX(CASE WHEN state = 'unmatched' THEN 1 ELSE 0 "
     "END) AS unmatched "
     "FROM remittance_claims GROUP BY tenant, remittance_id) c ON c.tenant = r.tenant AND c.remittance_id = r.id "
     "WHERE r.status <> 'unbalanced' AND r.status <> CASE WHEN c.total IS NULL AND r.deposit_id IS NULL AND "
     "r.payment_cents > 0 THEN 'received' WHEN c.total IS NULL OR c.placed = c.total THEN 'posted' WHEN c.posted = 1 "
     "THEN 'partly_posted' "
     "WHEN c.unmatched = 1 THEN 'unmatched' ELSE 'received' END LIMIT ?"},
    {"a remittance that is being posted has its deposit",
     "SELECT p.remittance_id FROM remittance_postings p LEFT JOIN remittances r ON r.tenant = p.tenant AND r.id = "
     "p.remittance_id WHERE r.deposit_id IS NULL LIMIT ?"},
    {"a duplicate, suspected duplicate or returned deposit pays nothing",
     "SELECT id FROM deposits WHERE status IN ('suspected_duplicate', 'duplicate', 'returned') AND matched_cents <> 0 "
     "LIMIT ?"},
    {"a returned deposit is booked back, in full, and no other deposit is",
     "SELECT id FROM (SELECT tenant, id, cents AS returned FROM deposits WHERE status = 'returned' "
     "UNION ALL SELECT t.tenant, t.cause_id, e.cents FROM ledger_transactions t JOIN ledger_entries e ON e.tenant = "
     "t.tenant AND e.transaction_id = t.id WHERE t.cause_kind = 'deposit_return' AND e.account = 'deposit_clearing') "
     "booked GROUP BY tenant, id HAVING SUM(returned) <> 0 LIMIT ?"},
    {"money moves between clearing and cash as the lines of bank statements say, once per line, and nothing else does",
     "SELECT id FROM (SELECT tenant, deposit_id AS id, is_debit, CASE is_debit WHEN 1 THEN cents ELSE -cents END AS "
     "moved FROM bank_lines WHERE deposit_id IS NOT NULL UNION ALL SELECT t.tenant, t.cause_id, CASE t.cause_kind WHEN "
     "'bank_statement' THEN 0 ELSE 1 END, e.cents FROM ledger_transactions t JOIN ledger_entries e ON e.tenant = "
     "t.tenant AND e.transaction_id = t.id WHERE t.cause_kind IN ('bank_statement', 'bank_statement_return') AND "
     "e.account = 'funding_cash') booked GROUP BY tenant, id, is_debit HAVING SUM(moved) <> 0 LIMIT ?"},
    {"a cleared deposit is in the ledger with the amount of its line, a deposit that went back is a returned one",
     "SELECT l.deposit_id FROM bank_lines l LEFT JOIN deposits d ON d.tenant = l.tenant AND d.id = l.deposit_id WHERE "
     "l.deposit_id IS NOT NULL AND (d.id IS NULL OR d.cents <> l.cents OR d.status IN ('suspected_duplicate', "
     "'duplicate') OR (l.is_debit = 1 AND d.status <> 'returned')) LIMIT ?"},
    {"the recoveries of a payer's balance do not exceed the carried amount",
     "SELECT payer_id FROM remittances WHERE carries_cents <> 0 GROUP BY tenant, payer_id HAVING SUM(carried_cents) < "
     "0 LIMIT ?"},

    // References to rows of other tenants or to missing rows.
    {"a settlement has its claim and its review",
     "SELECT s.id FROM settlements s LEFT JOIN claims c ON c.tenant = s.tenant AND c.id = s.claim_id "
     "LEFT JOIN reviews r ON r.tenant = s.tenant AND r.authorization_id = s.authorization_id "
     "WHERE c.id IS NULL OR r.id IS NULL LIMIT ?"},
    {"an attempt has its settlement",
     "SELECT a.id FROM disbursement_attempts a LEFT JOIN settlements s ON s.tenant = a.tenant AND s.id = "
     "a.settlement_id "
     "WHERE a.purpose <> 'payable' AND s.id IS NULL LIMIT ?"},
    {"a reconciliation record has its deposit and its remittance, where it names them",
     "SELECT r.id FROM reconciliation_records r LEFT JOIN deposits d ON d.tenant = r.tenant AND d.id = r.deposit_id "
     "LEFT JOIN remittances m ON m.tenant = r.tenant AND m.id = r.remittance_id "
     "WHERE (r.deposit_id IS NOT NULL AND d.id IS NULL) OR (r.remittance_id IS NOT NULL AND m.id IS NULL) LIMIT ?"},

    // Claims and their history.
    {"a claim's history has no gap",
     "SELECT h.claim_id FROM claim_status_history h LEFT JOIN claim_status_history p "
     "ON p.tenant = h.tenant AND p.claim_id = h.claim_id AND p.version = h.version - 1 "
     "WHERE h.version > 1 AND (p.version IS NULL OR p.status <> h.previous) LIMIT ?"},
    // Each change has exactly one event. Events are encrypted, so they are counted.
    {"a tenant's events are numbered without a gap",
     "SELECT tenant FROM events GROUP BY tenant HAVING COUNT(*) <> MAX(sequence) LIMIT ?"},
    {"a published event has left the outbox",
     "SELECT o.id FROM outbox o JOIN events e ON e.tenant = o.tenant AND e.id = o.id LIMIT ?"},
    {"a delivery has its event",
     "SELECT d.event_id FROM deliveries d LEFT JOIN events e ON e.tenant = d.tenant AND e.id = d.event_id WHERE e.id "
     "IS NULL LIMIT ?"},
    {"every change has its event, and every event its change",
     "SELECT kind || ' of ' || tenant FROM ("
     "SELECT tenant, kind, COUNT(*) AS published, 0 AS happened FROM events GROUP BY tenant, kind "
     "UNION ALL SELECT tenant, kind, COUNT(*), 0 FROM outbox GROUP BY tenant, kind "
     "UNION ALL SELECT tenant, 'review.completed', 0, COUNT(*) FROM reviews GROUP BY tenant "
     "UNION ALL SELECT tenant, 'claim.status_changed', 0, SUM(status_version - 1) FROM claims GROUP BY tenant "
     "UNION ALL SELECT tenant, 'adjudication.created', 0, COUNT(*) FROM settlements GROUP BY tenant "
     "UNION ALL SELECT tenant, 'settlement.canceled', 0, COUNT(*) FROM settlements "
     "WHERE cancel_reason NOT IN ('', 'funding_returned') GROUP BY tenant "
     "UNION ALL SELECT tenant, CASE purpose WHEN 'advance' THEN 'settlement.funded' ELSE 'payout.paid' END, 0, "
     "COUNT(*) "
     "FROM disbursement_attempts WHERE state IN ('accepted', 'settled', 'returned') GROUP BY tenant, purpose "
     "UNION ALL SELECT tenant, CASE purpose WHEN 'advance' THEN 'funding.' ELSE 'payout.' END || state, 0, COUNT(*) "
     "FROM disbursement_attempts WHERE state IN ('rejected', 'returned') GROUP BY tenant, purpose, state "
     "UNION ALL SELECT tenant, 'deposit.received', 0, COUNT(*) FROM deposits GROUP BY tenant "
     "UNION ALL SELECT tenant, 'remittance.received', 0, COUNT(*) FROM remittances GROUP BY tenant "
     "UNION ALL SELECT tenant, 'reconciliation.posted', 0, COUNT(*) FROM reconciliation_records WHERE "
     "payer_payment_cents >= 0 GROUP BY tenant "
     "UNION ALL SELECT tenant, 'reconciliation.adjusted', 0, COUNT(*) FROM reconciliation_records WHERE "
     "payer_payment_cents < 0 GROUP BY tenant "
     "UNION ALL SELECT tenant, 'import.completed', 0, COUNT(*) FROM import_jobs WHERE status = 'succeeded' GROUP BY "
     "tenant "
     "UNION ALL SELECT tenant, 'import.failed', 0, COUNT(*) FROM import_jobs WHERE status = 'failed' GROUP BY tenant "
     "UNION ALL SELECT tenant, 'task.opened', 0, COUNT(*) FROM tasks GROUP BY tenant "
     "UNION ALL SELECT tenant, 'deposit.unmatched', 0, COUNT(*) FROM tasks WHERE kind = 'deposit_unmatched' GROUP BY "
     "tenant "
     "UNION ALL SELECT tenant, 'task.closed', 0, COUNT(*) FROM tasks WHERE status = 'closed' GROUP BY tenant) counted "
     "WHERE kind NOT IN ('adjudication.review_required', 'adjudication.decided', 'funding.unknown', 'funding.settled', "
     "'payout.unknown', 'payout.settled', "
     "'rules.promoted', 'rules.rolled_back', 'event.ping') "
     "GROUP BY tenant, kind HAVING SUM(published) <> SUM(happened) LIMIT ?"},

    // Audit rows. Objects have no index in the trail, so both sides are counted in one pass.
    {"every change of a settlement, a deposit, a remittance, an import or a task has an audit row",
     "SELECT object_id FROM ("
     "SELECT tenant, id AS object_id, CASE WHEN cancel_reason NOT IN ('', 'funding_returned') THEN 2 "
     "ELSE 1 END AS happened, "
     "0 AS recorded FROM settlements "
     "UNION ALL SELECT tenant, settlement_id, CASE WHEN state = 'returned' THEN 3 "
     "WHEN state IN ('accepted', 'settled', 'rejected', 'manual') THEN 2 ELSE 1 END, 0 FROM disbursement_attempts "
     "UNION ALL SELECT tenant, settlement_id, 1, 0 FROM reconciliation_records WHERE matched_by = 'write_off' "
     "UNION ALL SELECT tenant, id, 1, 0 FROM deposits "
     "UNION ALL SELECT tenant, id, 1, 0 FROM remittances "
     "UNION ALL SELECT tenant, id, 1, 0 FROM import_jobs "
     "UNION ALL SELECT tenant, task_id, 1, 0 FROM task_votes "
     "UNION ALL SELECT tenant, object_id, 0, 1 FROM audit_rows) counted "
     "GROUP BY tenant, object_id HAVING SUM(happened) > SUM(recorded) LIMIT ?"},
    {"a claim's status follows from its history",
     "SELECT c.id FROM claims c LEFT JOIN claim_status_history p "
     "ON p.tenant = c.tenant AND p.claim_id = c.id AND p.version = c.status_version - 1 "
     "WHERE c.status_version > 1 AND (p.version IS NULL OR p.status <> c.status_previous) LIMIT ?"},

    // The values that the limits of the portfolio use.
    {"the exposure to payers, and to providers, equals the open receivables",
     "SELECT n.id FROM tenants n "
     "LEFT JOIN (SELECT tenant, SUM(CASE measure WHEN 'payer' THEN cents ELSE 0 END) AS payers, "
     "SUM(CASE measure WHEN 'provider' THEN cents ELSE 0 END) AS providers FROM portfolio GROUP BY tenant) p ON "
     "p.tenant = n.id "
     "LEFT JOIN (SELECT e.tenant, SUM(e.cents) AS cents FROM ledger_entries e "
     "JOIN ledger_transactions t ON t.tenant = e.tenant AND t.id = e.transaction_id "
     "WHERE e.account >= 'purchased_receivable:' AND e.account < 'purchased_receivable;' AND t.phase = 'posted' GROUP "
     "BY e.tenant) l ON l.tenant = n.id "
     "WHERE COALESCE(p.payers, 0) <> COALESCE(l.cents, 0) OR COALESCE(p.providers, 0) <> COALESCE(l.cents, 0) LIMIT ?"},
};

}  // namespace

std::vector<std::string_view> InvariantStore::rules() const {
  std::vector<std::string_view> names;
  for (const Rule& rule : kRules) names.push_back(rule.holds);
  return names;
}

std::vector<std::string> InvariantStore::offenders(std::size_t rule, std::size_t limit) const {
  return all(
      session_, [](const sql::Row& row) { return row.text(0); }, std::data(kRules)[rule].offenders, rows(limit));
}

std::vector<ports::StoredMove> InvariantStore::claim_moves() const {
  return all(
      session_,
      [](const sql::Row& row) {
        return ports::StoredMove{row.text(0), row.text(1), row.text(2)};
      },
      "SELECT previous, status, source FROM claim_status_history WHERE previous IS NOT NULL "
      "UNION SELECT status_previous, status, status_source FROM claims WHERE status_previous IS NOT NULL");
}

}  // namespace tideover::store
