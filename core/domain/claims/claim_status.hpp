// The status of a claim at its payer (core/docs/contract.md#claim-status). Only this table says which moves exist.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"

namespace tideover::domain {

enum class ClaimStatus {
  received,
  reviewed,
  submitted,
  accepted,
  rejected,
  pending,
  info_requested,
  denied,
  paid,
  partially_paid,
  reversed,
  appealed,
  closed,
  voided
};
inline constexpr int kClaimStatusCount = 14;

enum class StatusSource { client, payer, system };

std::string_view name_of(ClaimStatus status);
std::optional<ClaimStatus> claim_status_named(std::string_view name);
std::vector<std::string> claim_status_names();
std::string_view name_of(StatusSource source);
std::optional<StatusSource> status_source_named(std::string_view name);

/// A client or payer may skip any number of steps forward in the graph. The system makes only the direct moves of the
/// table. `closed` and `voided` are terminal.
bool may_move(ClaimStatus from, ClaimStatus to, StatusSource source);
/// All statuses that `source` may set next, in the order of the enum.
std::vector<std::string> allowed_moves(ClaimStatus from, StatusSource source);

/// Whether the claim may still be advanced: its payer has not decided yet.
bool may_be_advanced(ClaimStatus status);

/// The status for X12 835 CLP02 (claim status code); nullopt for codes without a payment decision.
std::optional<ClaimStatus> claim_status_of_clp02(std::string_view code);
/// Whether another payer decided before this one (processed as secondary or tertiary, forwarded or not).
bool is_behind_another_payer(std::string_view clp02);

struct ClaimStatusRecord {
  ClaimId claim;
  std::string claim_identifier;
  ClaimStatus status = ClaimStatus::received;
  std::optional<ClaimStatus> previous;
  int version = 1;
  StatusSource source = StatusSource::system;
  std::string reason_code;
  std::string note;
  std::optional<Timestamp> effective_at;
  Timestamp updated_at;
};

}  // namespace tideover::domain
