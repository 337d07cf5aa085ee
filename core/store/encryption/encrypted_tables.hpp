// All columns with encrypted values, and the names of their rows: used for encryption and for the re-encryption after a
// rotation. An encrypted column that is missing here is never re-encrypted.
#pragma once
#include <span>
#include <string_view>

#include "core/store/encryption/encrypted_cells.hpp"

namespace tideover::store {

namespace encrypted {
inline constexpr EncryptedColumn kDefaultPayoutToken{"payout_accounts", "payout_account_token"};
inline constexpr EncryptedColumn kPayeeToken{"payee_accounts", "payout_account_token"};
inline constexpr EncryptedColumn kClaimIdentifier{"claims", "claim_identifier"};
inline constexpr EncryptedColumn kClaimChart{"claims", "chart_identifier"};
inline constexpr EncryptedColumn kClaimLines{"claims", "service_lines"};
inline constexpr EncryptedColumn kClaimNote{"claims", "status_note"};
inline constexpr EncryptedColumn kVersionChart{"claim_versions", "chart_identifier"};
inline constexpr EncryptedColumn kVersionLines{"claim_versions", "service_lines"};
inline constexpr EncryptedColumn kHistoryNote{"claim_status_history", "note"};
inline constexpr EncryptedColumn kReviewIdentifier{"reviews", "claim_identifier"};
inline constexpr EncryptedColumn kSettlementIdentifier{"settlements", "claim_identifier"};
inline constexpr EncryptedColumn kSettlementToken{"settlements", "payout_account_token"};
inline constexpr EncryptedColumn kSettlementLines{"settlements", "billed_lines"};
inline constexpr EncryptedColumn kDepositAddenda{"deposits", "addenda"};
inline constexpr EncryptedColumn kDepositPayerSaid{"deposits", "payer_said"};
inline constexpr EncryptedColumn kBankLineDetails{"bank_lines", "details"};
inline constexpr EncryptedColumn kRemittanceAdjustments{"remittances", "provider_adjustments"};
inline constexpr EncryptedColumn kRemittancePayeeIds{"remittances", "payee_ids"};
inline constexpr EncryptedColumn kRemittanceIdentifier{"remittance_claims", "claim_identifier"};
inline constexpr EncryptedColumn kRemittancePayerNumber{"remittance_claims", "payer_claim_number"};
inline constexpr EncryptedColumn kRemittanceLines{"remittance_claims", "service_lines"};
inline constexpr EncryptedColumn kPayeeAlias{"payee_aliases", "alias"};
inline constexpr EncryptedColumn kImportPiece{"import_pieces", "bytes"};
inline constexpr EncryptedColumn kImportFaultIdentifier{"import_faults", "claim_identifier"};
inline constexpr EncryptedColumn kAcknowledgmentInterchange{"acknowledgments", "interchange"};
inline constexpr EncryptedColumn kAcknowledgmentImplementation{"acknowledgments", "implementation"};
inline constexpr EncryptedColumn kAnswerBody{"answers", "body"};
inline constexpr EncryptedColumn kOutboxData{"outbox", "data"};
inline constexpr EncryptedColumn kEventBody{"events", "body"};
inline constexpr EncryptedColumn kWebhookSecret{"webhook_endpoints", "secret"};
inline constexpr EncryptedColumn kWebhookPreviousSecrets{"webhook_endpoints", "previous_secrets"};
}  // namespace encrypted

struct EncryptedTable {
  enum class Type { text, number, bytes };
  struct Column {
    std::string_view name;
    Type type = Type::text;
  };
  std::string_view name;
  std::span<const Column> key;              // the primary key, in order
  std::span<const Column> row;              // columns whose values, joined by '/', name a row
  std::span<const std::string_view> cells;  // the encrypted columns
  int page_rows = 64;                       // rows per transaction of the re-encryption
};

std::span<const EncryptedTable> encrypted_tables();

}  // namespace tideover::store
