#include "core/store/records/funding/payee_store.hpp"

#include "core/domain/basics/midnight.hpp"
#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/tenant_time.hpp"

namespace tideover::store {
namespace {

// Whether a takeback of the payable's settlement waits for a reviewer.
#define OPEN_TAKEBACK                                                                                              \
  "EXISTS (SELECT 1 FROM remittance_claims c WHERE c.tenant = payables.tenant AND c.settlement_id = "              \
  "payables.settlement_id AND c.paid_cents < 0 AND c.state IN ('waiting', 'unmatched')) OR EXISTS (SELECT 1 FROM " \
  "match_candidates m JOIN remittance_claims c ON c.tenant = m.tenant AND c.remittance_id = m.subject_id AND "     \
  "c.position = m.claim_position JOIN tasks t ON t.tenant = m.tenant AND t.object_id = m.subject_id WHERE "        \
  "m.tenant = payables.tenant AND m.candidate_id = payables.settlement_id AND c.paid_cents < 0 AND c.state IN "    \
  "('waiting', 'unmatched') AND t.status = 'open')"

// Whether the terms of the payable's settlement hold its residual. What a takeback, the reserve or an undo changes of
// it stays open with it. A settlement that adds up to a debt is not held. The parameter is tomorrow's midnight.
#define HELD_RESIDUAL                                                                                               \
  "EXISTS (SELECT 1 FROM settlements s JOIN reconciliation_records r ON r.tenant = s.tenant AND r.settlement_id = " \
  "s.id WHERE s.tenant = payables.tenant AND s.id = payables.settlement_id AND s.hold_days > 0 AND "                \
  "s.residual_due_cents >= 0 AND r.residual_cents > 0 AND r.posted_at >= ? - s.hold_days * 86400000)"

constexpr std::string_view kOpen;  // payout_id of an open payable

domain::PayeeAccount read_account(const sql::Row& row, const EncryptedCells& cells, const domain::TenantId& tenant) {
  ColumnReader in(row);
  domain::PayeeAccount account;
  account.payee_npi = in.text();
  account.payout_account_token =
      domain::Sensitive(cells.open(tenant, encrypted::kPayeeToken, account.payee_npi, in.bytes()));
  account.rail = in.text();
  account.payout_status = in.named(domain::funding_status_named);
  account.updated_at = in.optional_timestamp();
  return account;
}

domain::Payable read_payable(const sql::Row& row) {
  ColumnReader in(row);
  domain::Payable payable;
  payable.transaction = in.text();
  payable.position = in.number();
  payable.payee_npi = in.text();
  payable.payer_id = in.text();
  payable.settlement = in.optional_id<domain::SettlementId>();
  payable.amount = in.money();
  payable.at = in.timestamp();
  payable.cause_kind = in.optional_text().value_or(std::string(domain::kCarriedForward));
  payable.cause_id = in.optional_text().value_or(payable.transaction);
  payable.effective = in.optional_date();
  return payable;
}

}  // namespace

std::optional<domain::PayeeAccount> PayeeStore::account(const domain::TenantId& tenant, std::string_view npi) const {
  return session_.first([&](const sql::Row& row) { return read_account(row, cells_, tenant); },
                        "SELECT payee_npi, payout_account_token, rail, payout_status, updated_at FROM payee_accounts "
                        "WHERE tenant = ? AND payee_npi = ?",
                        tenant.text(), npi);
}

void PayeeStore::save(const domain::TenantId& tenant, const domain::PayeeAccount& account) {
  session_.run(
      "REPLACE INTO payee_accounts (tenant, payee_npi, payout_account_token, rail, payout_status, updated_at) VALUES "
      "(?, ?, ?, ?, ?, ?)",
      tenant.text(), account.payee_npi,
      cells_.seal(tenant, encrypted::kPayeeToken, account.payee_npi, account.payout_account_token.reveal()),
      account.rail, domain::name_of(account.payout_status), ms(account.updated_at));
}

bool PayeeStore::is_known(const domain::TenantId& tenant, std::string_view npi) const {
  return session_
      .first([](const sql::Row&) { return true; }, "SELECT 1 FROM payables WHERE tenant = ? AND payee_npi = ? LIMIT 1",
             tenant.text(), npi)
      .has_value();
}

domain::Money PayeeStore::due(const domain::TenantId& tenant, std::string_view npi) const {
  return *session_.first([](const sql::Row& row) { return ColumnReader(row).money(); },
                         "SELECT COALESCE(SUM(cents), 0) FROM payables WHERE payout_id = ? AND tenant = ? AND "
                         "payee_npi = ?",
                         kOpen, tenant.text(), npi);
}

std::vector<domain::PracticeDue> PayeeStore::practices_due(domain::Timestamp before, domain::Money minimum,
                                                           const domain::PracticeDue& after, std::size_t limit) const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        domain::PracticeDue due;
        due.tenant = in.id<domain::TenantId>();
        due.payee_npi = in.text();
        due.amount = in.money();
        return due;
      },
      "SELECT p.tenant, p.payee_npi, SUM(p.cents) FROM payables p LEFT JOIN payee_accounts a ON a.tenant = p.tenant "
      "AND a.payee_npi = p.payee_npi WHERE p.payout_id = ? AND (p.tenant > ? OR (p.tenant = ? AND p.payee_npi > ?)) "
      "AND p.at < ? + 86400000 * " SHIFT_OF("days", "p.tenant")
      " AND (a.payout_status IS NULL OR a.payout_status IN ('none', 'submitted', 'settled')) "
      "GROUP BY p.tenant, p.payee_npi HAVING SUM(p.cents) >= ? ORDER BY p.tenant, p.payee_npi LIMIT ?",
      kOpen, after.tenant.text(), after.tenant.text(), after.payee_npi, before.ms(), minimum.cents(), rows(limit));
}

void PayeeStore::cover(const domain::TenantId& tenant, std::string_view npi, const domain::TransferId& payout,
                       domain::Timestamp before, domain::Date today) {
  // A takeback that waits for a reviewer may reduce the residual of its settlement: pay nothing of it until then.
  session_.run(
      "UPDATE payables SET payout_id = ? WHERE payout_id = ? AND tenant = ? AND payee_npi = ? AND (cents < 0 OR at < "
      "?) "
      "AND NOT (" HELD_RESIDUAL ") AND NOT (" OPEN_TAKEBACK ")",
      payout.text(), kOpen, tenant.text(), npi, before.ms(), domain::midnight_of(today.plus(1)).ms());
  session_.run(
      "UPDATE settlements SET residual_due_cents = residual_due_cents - (SELECT SUM(p.cents) FROM payables p WHERE "
      "p.tenant = settlements.tenant AND p.settlement_id = settlements.id AND p.payout_id = ?) WHERE tenant = ? AND "
      "id IN (SELECT settlement_id FROM payables WHERE payout_id = ? AND +tenant = ? AND +settlement_id IS NOT NULL)",
      payout.text(), tenant.text(), payout.text(), tenant.text());
}

bool PayeeStore::is_takeback_open(const domain::TenantId& tenant, const domain::TransferId& payout) const {
  return session_
      .first([](const sql::Row&) { return true; },
             "SELECT 1 FROM payables WHERE payout_id = ? AND tenant = ? AND (" OPEN_TAKEBACK ") LIMIT 1", payout.text(),
             tenant.text())
      .has_value();
}

std::map<std::string, domain::Money> PayeeStore::covered_by_payer(const domain::TenantId& tenant,
                                                                  const domain::TransferId& payout) const {
  std::map<std::string, domain::Money> sums;
  for (const sql::Row& row :
       session_.query("SELECT payer_id, SUM(cents) FROM payables WHERE payout_id = ? AND +tenant = ? GROUP BY payer_id",
                      payout.text(), tenant.text())) {
    ColumnReader in(row);
    auto payer = in.text();
    sums.emplace(std::move(payer), in.money());
  }
  return sums;
}

std::vector<domain::SettlementId> PayeeStore::debts_in(const domain::TenantId& tenant,
                                                       const domain::TransferId& payout) const {
  return all(
      session_, [](const sql::Row& row) { return domain::SettlementId::trusted(row.text(0)); },
      // "+" keeps SQLite from reading all payables of the tenant through another index.
      "SELECT settlement_id FROM payables WHERE payout_id = ? AND +tenant = ? AND +settlement_id IS NOT NULL GROUP BY "
      "+settlement_id HAVING SUM(cents) < 0",
      payout.text(), tenant.text());
}

domain::Money PayeeStore::covered_of(const domain::TenantId& tenant, const domain::SettlementId& settlement) const {
  return *session_.first([](const sql::Row& row) { return ColumnReader(row).money(); },
                         "SELECT COALESCE(SUM(cents), 0) FROM payables WHERE tenant = ? AND settlement_id = ? AND "
                         "payout_id <> ?",
                         tenant.text(), settlement.text(), kOpen);
}

void PayeeStore::carry(const domain::TenantId& tenant, const domain::Payable& payable) {
  insert_row<"payables", "tenant, transaction_id, position, payee_npi, payer_id, cents, at">(
      session_, tenant.text(), payable.transaction, payable.position, payable.payee_npi, payable.payer_id,
      payable.amount.cents(), payable.at.ms());
}

std::vector<domain::Payable> PayeeStore::covered(const domain::TenantId& tenant, const domain::TransferId& payout,
                                                 std::string_view after, int after_position, std::size_t limit) const {
  return all(session_, read_payable,
             "SELECT p.transaction_id, p.position, p.payee_npi, p.payer_id, p.settlement_id, p.cents, p.at, "
             "t.cause_kind, t.cause_id, t.effective_day FROM payables p LEFT JOIN ledger_transactions t ON t.tenant = "
             "p.tenant AND "
             "t.id = p.transaction_id WHERE p.payout_id = ? AND +p.tenant = ? AND (p.transaction_id > ? OR "
             "(p.transaction_id = ? AND p.position > ?)) ORDER BY p.transaction_id, p.position LIMIT ?",
             payout.text(), tenant.text(), after, after, after_position, rows(limit));
}

}  // namespace tideover::store
