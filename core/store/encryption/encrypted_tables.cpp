#include "core/store/encryption/encrypted_tables.hpp"

#include <array>

namespace tideover::store {
namespace {

using Column = EncryptedTable::Column;
using Type = EncryptedTable::Type;
using Name = std::string_view;

constexpr Column kTenantId[] = {{"tenant"}, {"id"}};
constexpr Column kId[] = {{"id"}};

constexpr Column kTenant[] = {{"tenant"}};
constexpr Name kPayoutAccountCells[] = {"payout_account_token"};

constexpr Column kPayeeKey[] = {{"tenant"}, {"payee_npi"}};
constexpr Column kPayeeRow[] = {{"payee_npi"}};

constexpr Name kClaimCells[] = {"claim_identifier", "chart_identifier", "service_lines", "status_note"};

constexpr Column kVersionKey[] = {{"tenant"}, {"claim_id"}, {"revision", Type::number}};
constexpr Column kVersionRow[] = {{"claim_id"}, {"revision", Type::number}};
constexpr Name kVersionCells[] = {"chart_identifier", "service_lines"};

constexpr Column kHistoryKey[] = {{"tenant"}, {"claim_id"}, {"version", Type::number}};
constexpr Column kHistoryRow[] = {{"claim_id"}, {"version", Type::number}};
constexpr Name kHistoryCells[] = {"note"};

constexpr Column kReviewKey[] = {{"tenant"}, {"authorization_id"}};
constexpr Column kReviewRow[] = {{"authorization_id"}};
constexpr Name kIdentifierCell[] = {"claim_identifier"};

constexpr Name kSettlementCells[] = {"claim_identifier", "payout_account_token", "billed_lines"};
constexpr Name kDepositCells[] = {"addenda", "payer_said"};
constexpr Name kRemittanceCells[] = {"provider_adjustments", "payee_ids"};
constexpr Name kPayeeAliasCells[] = {"alias"};

constexpr Column kBankLineKey[] = {{"tenant"}, {"statement_id"}, {"number", Type::number}};
constexpr Column kBankLineRow[] = {{"statement_id"}, {"number", Type::number}};
constexpr Name kBankLineCells[] = {"details"};

constexpr Column kRemittanceClaimKey[] = {{"tenant"}, {"remittance_id"}, {"position", Type::number}};
constexpr Column kRemittanceClaimRow[] = {{"remittance_id"}, {"position", Type::number}};
constexpr Name kRemittanceClaimCells[] = {"claim_identifier", "payer_claim_number", "service_lines"};

constexpr Column kJobKey[] = {{"job_id"}, {"number", Type::number}};
constexpr Name kPieceCells[] = {"bytes"};
constexpr Column kFaultKey[] = {{"job_id"}, {"claim_row", Type::number}};

constexpr Column kAcknowledgmentKey[] = {{"tenant"}, {"job_id"}};
constexpr Column kAcknowledgmentRow[] = {{"job_id"}};
constexpr Name kAcknowledgmentCells[] = {"interchange", "implementation"};

constexpr Column kAnswerKey[] = {{"number", Type::number}};
constexpr Column kAnswerRow[] = {{"scope_digest", Type::bytes}};
constexpr Name kBodyCell[] = {"body"};

constexpr Column kOutboxKey[] = {{"id"}};
constexpr Name kOutboxCells[] = {"data"};
constexpr Column kEventKey[] = {{"tenant"}, {"sequence", Type::number}};
constexpr Name kSecretCells[] = {"secret", "previous_secrets"};

constexpr std::array kEncryptedTables{
    EncryptedTable{"payout_accounts", kTenant, kTenant, kPayoutAccountCells},
    EncryptedTable{"payee_accounts", kPayeeKey, kPayeeRow, kPayoutAccountCells},
    EncryptedTable{"claims", kTenantId, kId, kClaimCells},
    EncryptedTable{"claim_versions", kVersionKey, kVersionRow, kVersionCells},
    EncryptedTable{"claim_status_history", kHistoryKey, kHistoryRow, kHistoryCells},
    EncryptedTable{"reviews", kReviewKey, kReviewRow, kIdentifierCell},
    EncryptedTable{"settlements", kTenantId, kId, kSettlementCells},
    EncryptedTable{"deposits", kTenantId, kId, kDepositCells},
    EncryptedTable{"bank_lines", kBankLineKey, kBankLineRow, kBankLineCells},
    EncryptedTable{"remittances", kTenantId, kId, kRemittanceCells},
    EncryptedTable{"remittance_claims", kRemittanceClaimKey, kRemittanceClaimRow, kRemittanceClaimCells},
    EncryptedTable{"payee_aliases", kTenantId, kId, kPayeeAliasCells},
    EncryptedTable{"import_pieces", kJobKey, kJobKey, kPieceCells, 4},
    EncryptedTable{"import_faults", kFaultKey, kFaultKey, kIdentifierCell},
    EncryptedTable{"acknowledgments", kAcknowledgmentKey, kAcknowledgmentRow, kAcknowledgmentCells},
    EncryptedTable{"answers", kAnswerKey, kAnswerRow, kBodyCell},
    EncryptedTable{"outbox", kOutboxKey, kId, kOutboxCells},
    EncryptedTable{"events", kEventKey, kId, kBodyCell},
    EncryptedTable{"webhook_endpoints", kTenantId, kId, kSecretCells},
};

}  // namespace

std::span<const EncryptedTable> encrypted_tables() {
  return kEncryptedTables;
}

}  // namespace tideover::store
