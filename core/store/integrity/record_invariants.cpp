#include "core/store/integrity/invariant_rules.hpp"

namespace tideover::store {
namespace {

constexpr InvariantRule kRecordInvariants[] = {
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
     "WHERE r.booked > s.funded_cents + s.fee_cents OR r.absorbed > s.funded_cents + CASE WHEN s.fee_most_cents > "
     "s.fee_cents THEN s.fee_most_cents ELSE s.fee_cents END LIMIT ?"},
    {"no settlement pays more than the largest fee of its terms",
     "SELECT s.id FROM (SELECT tenant, settlement_id, SUM(fee_cents) AS paid FROM reconciliation_records GROUP BY "
     "tenant, settlement_id) r JOIN settlements s ON s.tenant = r.tenant AND s.id = r.settlement_id WHERE r.paid > "
     "CASE WHEN s.fee_most_cents > s.fee_cents THEN s.fee_most_cents ELSE s.fee_cents END LIMIT ?"},
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
     "WHERE kind NOT IN ('adjudication.review_required', 'adjudication.decided', 'funding.submitted', "
     "'funding.unknown', 'funding.settled', 'payout.unknown', 'payout.settled', "
     "'rules.promoted', 'rules.rolled_back', 'event.ping', 'webhook.endpoint_disabled') "
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
     "UNION ALL SELECT tenant, settlement_id, 1, 0 FROM funding_changes "
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

std::span<const InvariantRule> record_invariants() {
  return kRecordInvariants;
}

}  // namespace tideover::store
