#include "core/store/records/reconciliation/reconciliation_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

#define RECONCILIATION_COLUMNS                                                                                     \
  "settlement_id, number, id, payer_payment_cents, charge_cents, recovered_cents, fee_cents, residual_cents, "     \
  "absorbed_cents, "                                                                                               \
  "principal_loss_cents, residual_loss_cents, final_status, matched_by, deposit_id, remittance_id, trace_number, " \
  "posted_at"

domain::ReconciliationRecord read_record(const sql::Row& row) {
  ColumnReader in(row);
  domain::ReconciliationRecord record;
  record.settlement = in.id<domain::SettlementId>();
  record.number = in.number();
  record.id = in.id<domain::ReconciliationId>();
  record.payer_payment = in.money();
  record.charge = in.money();
  record.split.recovered = in.money();
  record.split.fee = in.money();
  record.split.residual = in.money();
  record.split.absorbed = in.money();
  record.split.principal_loss = in.money();
  record.split.residual_loss = in.money();
  record.split.status = in.named(domain::final_status_named);
  record.matched_by = in.text();
  record.deposit = in.optional_id<domain::DepositId>();
  record.remittance = in.optional_id<domain::RemittanceId>();
  record.trace_number = in.text();
  record.posted_at = in.timestamp();
  return record;
}

}  // namespace

void ReconciliationStore::insert(const domain::TenantId& tenant, const domain::ReconciliationRecord& record) {
  const auto& split = record.split;
  insert_row<"reconciliation_records", "tenant, " RECONCILIATION_COLUMNS>(
      session_, tenant.text(), record.settlement.text(), record.number, record.id.text(), record.payer_payment.cents(),
      record.charge.cents(), split.recovered.cents(), split.fee.cents(), split.residual.cents(), split.absorbed.cents(),
      split.principal_loss.cents(), split.residual_loss.cents(), domain::name_of(split.status), record.matched_by,
      text(record.deposit), text(record.remittance), record.trace_number, record.posted_at.ms());
}

std::vector<domain::ReconciliationRecord> ReconciliationStore::of(const domain::TenantId& tenant,
                                                                  const domain::SettlementId& settlement) const {
  return all(session_, read_record,
             "SELECT " RECONCILIATION_COLUMNS
             " FROM reconciliation_records WHERE tenant = ? AND settlement_id = ? ORDER BY number",
             tenant.text(), settlement.text());
}

std::vector<domain::ReconciliationRecord> ReconciliationStore::of_deposit(const domain::TenantId& tenant,
                                                                          const domain::DepositId& deposit) const {
  return all(session_, read_record,
             "SELECT " RECONCILIATION_COLUMNS
             " FROM reconciliation_records WHERE tenant = ? AND deposit_id = ? ORDER BY id",
             tenant.text(), deposit.text());
}

}  // namespace tideover::store
