// Every column that holds sealed values, and how its rows are named: what the stores seal with, and what the re-sealing
// after a rotation walks through. A sealed column that is missing here is never re-sealed.
#pragma once
#include <span>
#include <string_view>

#include "core/store/encryption/sealed_cells.hpp"

namespace tideover::store {

namespace sealed {
inline constexpr SealedColumn kDefaultPayoutToken{"payout_accounts", "payout_account_token"};
inline constexpr SealedColumn kClaimIdentifier{"claims", "claim_identifier"};
inline constexpr SealedColumn kClaimChart{"claims", "chart_identifier"};
inline constexpr SealedColumn kClaimLines{"claims", "service_lines"};
inline constexpr SealedColumn kClaimNote{"claims", "status_note"};
inline constexpr SealedColumn kVersionChart{"claim_versions", "chart_identifier"};
inline constexpr SealedColumn kVersionLines{"claim_versions", "service_lines"};
inline constexpr SealedColumn kHistoryNote{"claim_status_history", "note"};
inline constexpr SealedColumn kReviewIdentifier{"reviews", "claim_identifier"};
inline constexpr SealedColumn kSettlementIdentifier{"settlements", "claim_identifier"};
inline constexpr SealedColumn kSettlementToken{"settlements", "payout_account_token"};
inline constexpr SealedColumn kSettlementLines{"settlements", "billed_lines"};
inline constexpr SealedColumn kDepositAddenda{"deposits", "addenda"};
inline constexpr SealedColumn kDepositPayerSaid{"deposits", "payer_said"};
inline constexpr SealedColumn kRemittanceAdjustments{"remittances", "provider_adjustments"};
inline constexpr SealedColumn kRemittanceIdentifier{"remittance_claims", "claim_identifier"};
inline constexpr SealedColumn kRemittancePayerNumber{"remittance_claims", "payer_claim_number"};
inline constexpr SealedColumn kRemittanceLines{"remittance_claims", "service_lines"};
inline constexpr SealedColumn kImportPiece{"import_pieces", "bytes"};
inline constexpr SealedColumn kImportFaultIdentifier{"import_faults", "claim_identifier"};
inline constexpr SealedColumn kAnswerBody{"answers", "body"};
inline constexpr SealedColumn kOutboxData{"outbox", "data"};
inline constexpr SealedColumn kEventBody{"events", "body"};
inline constexpr SealedColumn kWebhookSecret{"webhook_endpoints", "secret"};
}  // namespace sealed

struct SealedTable {
  enum class Type { text, number, bytes };
  struct Column {
    std::string_view name;
    Type type = Type::text;
  };
  std::string_view name;
  std::span<const Column> key;              // the primary key, in its order
  std::span<const Column> row;              // whose values, joined by '/', name a row
  std::span<const std::string_view> cells;  // the sealed columns
  int page_rows = 64;                       // re-sealed in one transaction
};

std::span<const SealedTable> sealed_tables();

}  // namespace tideover::store
