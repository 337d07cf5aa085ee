#include "core/store/records/reconciliation/remittance_rows.hpp"

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {
namespace {

std::vector<domain::Adjustment> adjustments_of(const std::string& column) {
  std::vector<domain::Adjustment> adjustments;
  for (RecordReader in(column); in.next();) {
    auto& adjustment = adjustments.emplace_back();
    adjustment.group = in.text();
    adjustment.code = in.text();
    adjustment.amount = domain::Money::cents(in.integer());
  }
  return adjustments;
}

std::vector<domain::RemittanceLine> lines_of(const std::string& column) {
  std::vector<domain::RemittanceLine> lines;
  for (RecordReader in(column); in.next();) {
    auto& line = lines.emplace_back();
    line.cpt = in.text();
    line.modifier = in.text();
    line.units = in.text();
    line.submitted_cpt = in.text();
    line.submitted_modifier = in.text();
    line.charge_amount = domain::Money::cents(in.integer());
    if (const auto allowed = in.optional_integer()) line.allowed_amount = domain::Money::cents(*allowed);
    line.paid_amount = domain::Money::cents(in.integer());
    if (const auto day = in.optional_integer()) line.date_of_service = domain::Date::from_days(static_cast<int>(*day));
    line.adjustments = adjustments_of(in.text());
  }
  return lines;
}

std::vector<domain::ProviderAdjustment> provider_adjustments_of(const std::string& column) {
  std::vector<domain::ProviderAdjustment> adjustments;
  for (RecordReader in(column); in.next();) {
    auto& adjustment = adjustments.emplace_back();
    adjustment.code = in.text();
    adjustment.reference = in.text();
    adjustment.amount = domain::Money::cents(in.integer());
    if (!in.ended()) adjustment.npi = in.text();  // rows of earlier versions have none
    if (!in.ended()) adjustment.provider_id = in.text();
  }
  return adjustments;
}

std::vector<std::string> warnings_of(const std::string& column) {
  std::vector<std::string> warnings;
  for (RecordReader in(column); in.next();) warnings.push_back(in.text());
  return warnings;
}

}  // namespace

std::string adjustments_column(const std::vector<domain::Adjustment>& adjustments) {
  RecordWriter out;
  for (const auto& adjustment : adjustments) {
    out.text(adjustment.group).text(adjustment.code).integer(adjustment.amount.cents()).end_record();
  }
  return out.take();
}

std::string lines_column(const std::vector<domain::RemittanceLine>& lines) {
  RecordWriter out;
  for (const auto& line : lines) {
    out.text(line.cpt).text(line.modifier).text(line.units).text(line.submitted_cpt).text(line.submitted_modifier);
    out.integer(line.charge_amount.cents())
        .optional_integer(cents(line.allowed_amount))
        .integer(line.paid_amount.cents());
    out.optional_integer(days(line.date_of_service)).text(adjustments_column(line.adjustments)).end_record();
  }
  return out.take();
}

std::string provider_adjustments_column(const std::vector<domain::ProviderAdjustment>& adjustments) {
  RecordWriter out;
  for (const auto& adjustment : adjustments) {
    out.text(adjustment.code).text(adjustment.reference).integer(adjustment.amount.cents()).text(adjustment.npi);
    out.text(adjustment.provider_id).end_record();
  }
  return out.take();
}

std::string payee_ids_column(const domain::RemittanceDraft& remittance) {
  if (remittance.payee_tax_id.empty() && remittance.payee_assigned_id.empty()) return {};
  RecordWriter out;
  out.text(remittance.payee_tax_id).text(remittance.payee_assigned_id).end_record();
  return out.take();
}

std::string warnings_column(const std::vector<std::string>& warnings) {
  RecordWriter out;
  for (const auto& warning : warnings) out.text(warning).end_record();
  return out.take();
}

domain::Remittance read_remittance(const sql::Row& row, const EncryptedCells& cells, const domain::TenantId& tenant) {
  ColumnReader in(row);
  domain::Remittance remittance;
  remittance.id = in.id<domain::RemittanceId>();
  auto& draft = remittance.draft;
  draft.payer_id = in.text();
  draft.payer_name = in.text();
  draft.trace_number = in.text();
  draft.originator_id = in.text();
  draft.payment_date = in.optional_date();
  draft.payment_amount = in.money();
  draft.payment_method = in.text();
  draft.provider_adjustments =
      provider_adjustments_of(cells.open(tenant, encrypted::kRemittanceAdjustments, remittance.id.text(), in.bytes()));
  draft.warnings = warnings_of(in.text());
  remittance.content_sha256 = in.text();
  remittance.payerless_sha256 = in.text();
  remittance.deposit = in.optional_id<domain::DepositId>();
  in.money();  // carries_cents follows from the draft
  remittance.carried = in.money();
  remittance.paid_to_provider = in.money();
  remittance.withheld = in.money();
  draft.claims_total = in.money();
  remittance.created_at = in.timestamp();
  draft.payee_npi = in.text();
  const auto payee_ids = cells.open(tenant, encrypted::kRemittancePayeeIds, remittance.id.text(), in.bytes());
  if (RecordReader ids(payee_ids); ids.next()) {
    draft.payee_tax_id = ids.text();
    draft.payee_assigned_id = ids.text();
  }
  return remittance;
}

domain::RemittanceClaimRecord read_remittance_claim(const sql::Row& row, const EncryptedCells& cells,
                                                    const domain::TenantId& tenant,
                                                    const domain::RemittanceId& remittance) {
  ColumnReader in(row);
  domain::RemittanceClaimRecord record;
  record.index = in.number();
  const auto name = row_name(remittance.text(), record.index);
  auto& claim = record.claim;
  claim.claim_identifier = cells.open(tenant, encrypted::kRemittanceIdentifier, name, in.bytes());
  claim.status = in.text();
  claim.charge_amount = in.money();
  claim.paid_amount = in.money();
  claim.patient_responsibility = in.optional_money();
  claim.payer_claim_number = cells.open(tenant, encrypted::kRemittancePayerNumber, name, in.bytes());
  claim.date_of_service = in.optional_date();
  claim.received_date = in.optional_date();
  claim.adjustments = adjustments_of(in.text());
  claim.lines = lines_of(cells.open(tenant, encrypted::kRemittanceLines, name, in.bytes()));
  record.state = in.named(kRemittanceClaimStates);
  record.settlement = in.optional_id<domain::SettlementId>();
  record.record = in.optional_id<domain::ReconciliationId>();
  claim.billing_npi = in.text();
  return record;
}

}  // namespace tideover::store
