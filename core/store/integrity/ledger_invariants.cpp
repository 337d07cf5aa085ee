#include "core/store/integrity/invariant_rules.hpp"
#include "core/store/records/rows/ledger_moves.hpp"

namespace tideover::store {
namespace {

constexpr InvariantRule kLedgerInvariants[] = {
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
     "'bank_statement_return', 'recourse') LIMIT ?"},
    {"a movement of the recourse policy in the ledger has its decision, with the same amounts",
     "SELECT t.id FROM ledger_transactions t LEFT JOIN recourse_entries r ON r.tenant = t.tenant AND r.id = t.cause_id "
     "LEFT JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id WHERE t.cause_kind = 'recourse' "
     "GROUP BY t.tenant, t.id HAVING COUNT(r.id) = 0 "
     "OR SUM(CASE WHEN e.account = 'provider_payable:' || t.tenant THEN -e.cents ELSE 0 END) <> "
     "MAX(r.moved_future_cents) OR SUM(CASE WHEN e.account = 'practice_reserve:' || t.tenant THEN -e.cents ELSE 0 END) "
     "<> MAX(r.moved_reserve_cents) OR SUM(CASE WHEN e.account = 'loss_on_receivable' THEN -e.cents ELSE 0 END) <> "
     "MAX(r.moved_funder_cents) LIMIT ?"},
    {"a decision of the recourse policy that moves money is booked, and moves nothing in all",
     "SELECT r.id FROM recourse_entries r LEFT JOIN ledger_transactions t ON t.tenant = r.tenant AND t.id = r.id WHERE "
     "r.moved_future_cents + r.moved_reserve_cents + r.moved_funder_cents <> 0 OR ((r.moved_future_cents <> 0 OR "
     "r.moved_reserve_cents <> 0 OR r.moved_funder_cents <> 0) AND t.id IS NULL) LIMIT ?"},
    {"the funder loses no more than the record of its settlement: others bear at most its principal loss",
     "SELECT m.settlement_id FROM (SELECT tenant, settlement_id, SUM(moved_funder_cents) AS shifted FROM "
     "recourse_entries WHERE settlement_id IS NOT NULL GROUP BY tenant, settlement_id) m LEFT JOIN (SELECT tenant, "
     "settlement_id, SUM(principal_loss_cents) AS lost FROM reconciliation_records GROUP BY tenant, settlement_id) r "
     "ON r.tenant = m.tenant AND r.settlement_id = m.settlement_id WHERE m.shifted > COALESCE(r.lost, 0) LIMIT ?"},
    {"a practice is owed, and its reserve holds, what the ledger says",
     "SELECT payee FROM (SELECT tenant, CASE measure WHEN 'owed' THEN 'owed' WHEN 'carried' THEN 'carried' ELSE "
     "'reserve' END AS kind, subject AS payee, cents FROM portfolio WHERE measure IN ('owed', 'carried', 'reserve') "
     "UNION ALL SELECT e.tenant, CASE WHEN e.account = 'carried_balances' THEN 'carried' WHEN e.account = "
     "'practice_reserve:' || e.tenant THEN 'reserve' ELSE 'owed' END, CASE WHEN e.payee_npi = '' AND e.payer_id = '' "
     "THEN COALESCE(s.billing_npi, '') ELSE e.payee_npi END, e.cents FROM ledger_entries e JOIN ledger_transactions t "
     "ON t.tenant = e.tenant AND t.id = e.transaction_id LEFT JOIN settlements s ON s.tenant = t.tenant AND s.id = "
     "t.settlement_id WHERE t.phase = 'posted' AND e.account IN ('carried_balances', 'practice_reserve:' || e.tenant, "
     "'provider_payable:' || e.tenant)) both_sides WHERE payee <> '' GROUP BY tenant, kind, payee HAVING SUM(cents) <> "
     "0 LIMIT ?"},
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
    {"an advance has a further attempt only after the earlier ones were rejected",
     "SELECT a.id FROM disbursement_attempts a JOIN disbursement_attempts later ON later.tenant = a.tenant "
     "AND later.settlement_id = a.settlement_id AND later.purpose = a.purpose AND later.number > a.number "
     "WHERE a.purpose = 'advance' AND a.state <> 'rejected' LIMIT ?"},
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
    {"a settlement has the amount of its residual that is due, not held and not in a payout",
     "SELECT s.id FROM settlements s WHERE s.residual_due_cents <> COALESCE((SELECT SUM(r.residual_cents) FROM "
     "reconciliation_records r "
     "WHERE r.tenant = s.tenant AND r.settlement_id = s.id), 0) - COALESCE((SELECT SUM(h.held_cents - h.relief_cents) "
     "FROM recourse_entries h WHERE h.tenant = s.tenant AND h.settlement_id = s.id), 0) - COALESCE((SELECT "
     "SUM(a.cents) "
     "FROM "
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
};

}  // namespace

std::span<const InvariantRule> ledger_invariants() {
  return kLedgerInvariants;
}

}  // namespace tideover::store
