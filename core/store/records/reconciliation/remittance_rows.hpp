// The rows of a remittance and of its claims: their columns in SQL, and their form in these columns. Columns with
// protected health information are encrypted.
//
// Threads: functions without state.
#pragma once
#include "core/ports/records/remittance_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {

/// The columns of a remittance, in the order of read_remittance().
#define REMITTANCE_COLUMNS                                                                                    \
  "id, payer_id, payer_name, trace_number, originator_id, payment_date, payment_cents, payment_method, "      \
  "provider_adjustments, warnings, content_sha256, notice_sha256, deposit_id, carries_cents, carried_cents, " \
  "paid_to_provider_cents, withheld_cents, "                                                                  \
  "claims_total_cents, created_at, payee_npi, payee_ids"

/// The columns of a claim, in the order of read_remittance_claim().
#define REMITTANCE_CLAIM_COLUMNS                                                                                     \
  "position, claim_identifier, status, charge_cents, paid_cents, patient_responsibility_cents, payer_claim_number, " \
  "date_of_service, received_date, adjustments, service_lines, state, settlement_id, record_id, billing_npi"

inline constexpr int kRemittanceClaimColumns = count_columns(REMITTANCE_CLAIM_COLUMNS);

inline constexpr StoredNames kRemittanceClaimStates{std::in_place_type<domain::RemittanceClaimRecord::State>, "waiting",
                                                    "posted", "unmatched", "duplicate"};

std::string adjustments_column(const std::vector<domain::Adjustment>& adjustments);
std::string lines_column(const std::vector<domain::RemittanceLine>& lines);
std::string provider_adjustments_column(const std::vector<domain::ProviderAdjustment>& adjustments);
std::string payee_ids_column(const domain::RemittanceDraft& remittance);
std::string warnings_column(const std::vector<std::string>& warnings);

/// Without its claims.
domain::Remittance read_remittance(const sql::Row& row, const EncryptedCells& cells, const domain::TenantId& tenant);

domain::RemittanceClaimRecord read_remittance_claim(const sql::Row& row, const EncryptedCells& cells,
                                                    const domain::TenantId& tenant,
                                                    const domain::RemittanceId& remittance);

}  // namespace tideover::store
