#include "core/store/records/reconciliation/allocation_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

using domain::AllocationReason;

#define ALLOCATION_COLUMNS                                                                                     \
  "number, line, line_index, account, settlement_id, payer_id, payee_npi, cents, reason, balance_remittance, " \
  "balance_number, record_id, undoes, task_id, payee_alias_id, transaction_id, posted_at"

domain::AllocationRow read_allocation(const sql::Row& row) {
  ColumnReader in(row);
  domain::AllocationRow out;
  out.number = in.number();
  out.line = in.named(domain::allocation_line_named);
  out.index = in.number();
  out.account = in.named(domain::allocation_account_named);
  out.settlement = in.optional_id<domain::SettlementId>();
  out.payer_id = in.text();
  out.payee_npi = in.text();
  out.amount = in.money();
  out.reason = in.named(domain::allocation_reason_named);
  auto balance = in.optional_id<domain::RemittanceId>();
  const auto number = in.optional_integer();
  if (balance && number) out.balance = domain::AllocationRef{std::move(*balance), static_cast<int>(*number)};
  out.record = in.optional_id<domain::ReconciliationId>();
  if (const auto undoes = in.optional_integer()) out.undoes = static_cast<int>(*undoes);
  out.task = in.optional_id<domain::TaskId>();
  out.payee_alias = in.optional_id<domain::PayeeAliasId>();
  out.transaction = in.optional_id<domain::LedgerTransactionId>();
  out.posted_at = in.timestamp();
  return out;
}

std::optional<std::int64_t> number_of(const std::optional<domain::AllocationRef>& row) {
  return row ? std::optional<std::int64_t>(row->number) : std::nullopt;
}

}  // namespace

void AllocationStore::append(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                             const domain::AllocationRow& row) {
  insert_row<"allocations", "tenant, remittance_id, " ALLOCATION_COLUMNS>(
      session_, tenant.text(), remittance.text(), row.number, domain::name_of(row.line), row.index,
      domain::name_of(row.account), text(row.settlement), row.payer_id, row.payee_npi, row.amount.cents(),
      domain::name_of(row.reason), row.balance ? std::optional(row.balance->remittance.text()) : std::nullopt,
      number_of(row.balance), text(row.record), row.undoes ? std::optional<std::int64_t>(*row.undoes) : std::nullopt,
      text(row.task), text(row.payee_alias), text(row.transaction), row.posted_at.ms());
}

std::vector<domain::AllocationRow> AllocationStore::of(const domain::TenantId& tenant,
                                                       const domain::RemittanceId& remittance) const {
  return all(session_, read_allocation,
             "SELECT " ALLOCATION_COLUMNS " FROM allocations WHERE tenant = ? AND remittance_id = ? ORDER BY number",
             tenant.text(), remittance.text());
}

std::vector<ports::OpenBalance> AllocationStore::open_balances(const domain::TenantId& tenant,
                                                               std::string_view payer_id, std::size_t limit) const {
  const auto read = [](const sql::Row& row) {
    ColumnReader in(row);
    ports::OpenBalance balance{{in.id<domain::RemittanceId>(), in.number()}};
    balance.line = in.named(domain::allocation_line_named);
    balance.index = in.number();
    balance.payee_npi = in.text();
    balance.left = in.money();
    return balance;
  };
  // Rows that use a balance, and the row that undoes it, name it: their sum is what is left. `+`: in order of its key
  // SQLite would read all rows of the tenant.
  return all(session_, read,
             "SELECT b.remittance_id, b.number, b.line, b.line_index, b.payee_npi, b.cents + COALESCE(SUM(u.cents), 0) "
             "AS left_cents FROM allocations b LEFT JOIN allocations u ON u.tenant = b.tenant AND u.balance_remittance "
             "= b.remittance_id AND u.balance_number = b.number WHERE b.tenant = ? AND b.payer_id = ? AND b.account = "
             "? AND b.reason = ? AND b.undoes IS NULL GROUP BY +b.remittance_id, b.number, b.line, b.line_index, "
             "b.payee_npi, b.cents HAVING b.cents + COALESCE(SUM(u.cents), 0) > 0 ORDER BY +b.remittance_id, b.number "
             "LIMIT ?",
             tenant.text(), payer_id, domain::name_of(domain::AllocationAccount::carried),
             domain::name_of(AllocationReason::carried_forward), rows(limit));
}

bool AllocationStore::is_used(const domain::TenantId& tenant, const domain::AllocationRef& balance) const {
  const auto used = session_.first([](const sql::Row& row) { return ColumnReader(row).money(); },
                                   "SELECT COALESCE(SUM(cents), 0) FROM allocations WHERE tenant = ? AND "
                                   "balance_remittance = ? AND balance_number = ? AND remittance_id <> ?",
                                   tenant.text(), balance.remittance.text(), balance.number, balance.remittance.text());
  return used && !used->is_zero();
}

std::vector<domain::RemittanceId> AllocationStore::charged_recoveries(const domain::TenantId& tenant,
                                                                      std::string_view payer_id,
                                                                      const domain::RemittanceId& after,
                                                                      std::size_t limit) const {
  return all(
      session_, [](const sql::Row& row) { return ColumnReader(row).id<domain::RemittanceId>(); },
      "SELECT a.remittance_id FROM allocations a WHERE a.tenant = ? AND a.payer_id = ? AND a.account = ? AND a.reason "
      "IN (?, ?) AND a.remittance_id > ? GROUP BY +a.remittance_id HAVING SUM(a.cents) < 0 ORDER BY +a.remittance_id "
      "LIMIT ?",
      tenant.text(), payer_id, domain::name_of(domain::AllocationAccount::payable),
      domain::name_of(AllocationReason::unknown_recovered), domain::name_of(AllocationReason::claim_recovered),
      after.text(), rows(limit));
}

domain::Money AllocationStore::recovered_of(const domain::TenantId& tenant, const domain::SettlementId& settlement,
                                            const domain::RemittanceId& except) const {
  return session_
      .first([](const sql::Row& row) { return ColumnReader(row).money(); },
             "SELECT COALESCE(SUM(CASE WHEN reason = ? AND remittance_id <> ? THEN -cents WHEN reason = ? THEN cents "
             "ELSE 0 END), 0) FROM allocations WHERE tenant = ? AND settlement_id = ?",
             domain::name_of(AllocationReason::advance_recovered), except.text(),
             domain::name_of(AllocationReason::recovered_before), tenant.text(), settlement.text())
      .value_or(domain::Money());
}

}  // namespace tideover::store
