// Remittances: what a payer reports to have paid, as an X12 835 transaction or JSON
// (core/docs/contract.md#reconciliation), and the bank deposits with the money. Deposits bring money, remittances
// announce it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

struct Adjustment {
  std::string group;  // CAS01: CO | PR | OA | PI
  std::string code;   // CARC
  Money amount;
};

struct RemittanceLine {
  std::string cpt;
  std::string modifier;
  std::string units;          // as written
  std::string submitted_cpt;  // SVC06: the billed procedure, if the payer decided on another one
  std::string submitted_modifier;
  Money charge_amount;
  std::optional<Money> allowed_amount;
  Money paid_amount;
  std::optional<Date> date_of_service;
  std::vector<Adjustment> adjustments;
};

struct RemittanceClaim {
  std::string claim_identifier;                 // CLP01
  std::string status;                           // CLP02
  Money charge_amount;                          // CLP03
  Money paid_amount;                            // CLP04
  std::optional<Money> patient_responsibility;  // CLP05
  std::string payer_claim_number;               // CLP07
  std::optional<Date> date_of_service;
  std::optional<Date> received_date;
  std::vector<Adjustment> adjustments;
  std::vector<RemittanceLine> lines;
  std::string billing_npi{};  // NM1*82, else TS301; empty when the payer did not send it
};

struct ProviderAdjustment {  // PLB
  std::string code;
  std::string reference;
  Money amount;               // positive lowers the payment
  std::string npi{};          // PLB01; empty when the payer did not send it
  std::string provider_id{};  // PLB01 when it is no NPI: a tax id, or the payer's own number
};

struct RemittanceDraft {
  std::string payer_id;              // from the directory; empty when the file names no known payer
  std::string payer_name;            // N1*PR
  std::string trace_number;          // TRN02
  std::string originator_id;         // TRN03
  std::optional<Date> payment_date;  // BPR16
  Money payment_amount;              // BPR02; negative when BPR03 = D
  std::string payment_method;        // BPR04
  std::vector<RemittanceClaim> claims;
  std::vector<ProviderAdjustment> provider_adjustments;
  std::vector<std::string> warnings;
  std::string payee_npi{};              // N1*PE; empty when the payer did not send it
  std::string payee_tax_id{};           // N1*PE, else REF*TJ
  std::string payee_assigned_id{};      // REF*PQ: the payer's own number of the payee
  std::string payer_said{};             // the payer's name or id as the sender wrote it; not stored
  std::optional<Money> claims_total{};  // set when it was read without its claims
  bool is_test = false;                 // from a test interchange (ISA15 = T); not stored
};

/// A row that was refused, together with its payment.
struct LeftOutRow {
  std::int64_t line = 0;  // 1-based
  std::string reason;     // never quotes the file
};

struct RemittanceFile {
  std::vector<RemittanceDraft> payments;  // complete payments
  std::vector<LeftOutRow> left_out;       // ordered by line
};

/// The limit per request: a payment with more claims comes in several.
inline constexpr std::size_t kMaxRemittanceClaims = 10'000;
inline constexpr std::size_t kMaxClaimLines = 999;
inline constexpr std::size_t kMaxAdjustments = 594;  // 99 CAS segments of six, per claim or line
/// The limit per file for everything except claims: payments, service lines, adjustments.
inline constexpr std::size_t kMaxRemittanceDetails = 250'000;
inline constexpr std::size_t kMaxTraceNumberCharacters = 50;  // TRN02
inline constexpr std::size_t kMaxPayeeIdCharacters = 80;      // N104, REF02, PLB01

struct RemittanceBalance {
  Money claims_total;
  Money provider_adjustments_total;
  Money payment_amount;
  Money difference;  // claims - provider adjustments - payment
  bool balanced() const { return difference.is_zero(); }
};

/// `claims_total`: the sum of the payments to its claims.
inline RemittanceBalance balance_of(const RemittanceDraft& remittance, Money claims_total) {
  RemittanceBalance balance;
  balance.claims_total = claims_total;
  for (const auto& plb : remittance.provider_adjustments) balance.provider_adjustments_total += plb.amount;
  balance.payment_amount = remittance.payment_amount;
  balance.difference = balance.claims_total - balance.provider_adjustments_total - balance.payment_amount;
  return balance;
}
inline RemittanceBalance balance_of(const RemittanceDraft& remittance) {
  Money claims_total;
  for (const auto& claim : remittance.claims) claims_total += claim.paid_amount;
  return balance_of(remittance, remittance.claims_total.value_or(claims_total));
}

/// `suspected_duplicate`: possibly another report of known money; nothing is posted until a reviewer decides.
/// `duplicate`: a reviewer decided that it is. `returned`: the bank took the money back.
enum class MatchState { unmatched, partly_matched, matched, suspected_duplicate, duplicate, returned };
inline constexpr std::array<std::string_view, 6> kMatchStateNames{"unmatched",           "partly_matched", "matched",
                                                                  "suspected_duplicate", "duplicate",      "returned"};
inline std::string_view name_of(MatchState state) {
  return kMatchStateNames[static_cast<std::size_t>(state)];
}
/// `unmatched` for an unknown name.
inline MatchState match_state_named(std::string_view name) {
  const auto found = std::find(kMatchStateNames.begin(), kMatchStateNames.end(), name);
  return found == kMatchStateNames.end() ? MatchState::unmatched
                                         : static_cast<MatchState>(found - kMatchStateNames.begin());
}

/// The channel of a deposit that only the payer's remittance reported.
inline constexpr std::string_view kByRemittance = "remittance";

struct Deposit {
  DepositId id;
  std::string payer_id;
  Money amount;
  Date received_date;
  std::optional<Date> effective_date;
  std::string trace_number;
  std::string external_id;
  std::string addenda;
  std::string originator;
  MatchState status = MatchState::unmatched;
  Money matched_amount;  // the part of `amount` that left suspense
  Timestamp created_at;
  std::string payer_said{};                // the payer's name or id as the sender wrote it
  std::string channel{};                   // api, or the format of a bank's file
  Money released{};                        // the part of `matched_amount` that a reviewer released to the provider
  std::optional<DepositId> pooled_into{};  // the first deposit of its funds pool
  std::optional<Date> returned_date{};     // the day on which the bank took it back
  std::string return_reason{};             // of the bank
};

/// The day on which the money moved.
inline Date paid_on(const Deposit& deposit) {
  return deposit.effective_date.value_or(deposit.received_date);
}

/// One claim of a stored remittance and its state.
struct RemittanceClaimRecord {
  int index = 0;  // position in the remittance
  RemittanceClaim claim;
  enum class State { waiting, posted, unmatched, duplicate } state = State::waiting;
  std::optional<SettlementId> settlement;
  std::optional<ReconciliationId> record;
};

struct Remittance {
  RemittanceId id;
  RemittanceDraft draft;
  std::string content_sha256;    // of the canonical content as sent; identifies a repeated remittance
  std::string payerless_sha256;  // the same without the payer
  std::optional<DepositId> deposit;
  Money carried;           // posted part of carries_of() (carried_balance.hpp)
  Money paid_to_provider;  // posted part of beside_claims_of(), of claims without an advance, and of money that a
                           // reviewer released
  Money withheld;          // missing money that a reviewer accepted as a loss
  Timestamp created_at;
  std::vector<RemittanceClaimRecord> claims;
};

/// The states of a remittance's claims, counted.
struct ClaimTotals {
  std::int64_t total = 0, posted = 0, unmatched = 0, duplicate = 0;
  Money paid;  // of all claims

  void add(RemittanceClaimRecord::State state, std::int64_t count, Money amount) {
    using State = RemittanceClaimRecord::State;
    total += count;
    posted += state == State::posted ? count : 0;
    unmatched += state == State::unmatched ? count : 0;
    duplicate += state == State::duplicate ? count : 0;
    paid += amount;
  }
};

inline ClaimTotals totals_of(const Remittance& remittance) {
  ClaimTotals totals;
  for (const auto& record : remittance.claims) totals.add(record.state, 1, record.claim.paid_amount);
  return totals;
}

/// received: waits for its deposit. posted: every claim is allocated. unmatched: none is, and one never will be.
/// unbalanced: held.
enum class RemittanceStatus { received, posted, partly_posted, unmatched, unbalanced };
inline constexpr std::array<std::string_view, 5> kRemittanceStatusNames{"received", "posted", "partly_posted",
                                                                        "unmatched", "unbalanced"};
inline std::string_view name_of(RemittanceStatus status) {
  return kRemittanceStatusNames[static_cast<std::size_t>(status)];
}
inline std::optional<RemittanceStatus> remittance_status_named(std::string_view name) {
  const auto found = std::find(kRemittanceStatusNames.begin(), kRemittanceStatusNames.end(), name);
  if (found == kRemittanceStatusNames.end()) return std::nullopt;
  return static_cast<RemittanceStatus>(found - kRemittanceStatusNames.begin());
}

inline RemittanceStatus status_of(const Remittance& remittance, const ClaimTotals& claims) {
  const bool is_all_posted = claims.posted + claims.duplicate == claims.total;
  const bool lacks_its_money = !remittance.deposit && remittance.draft.payment_amount > Money{};
  if (!balance_of(remittance.draft).balanced()) return RemittanceStatus::unbalanced;
  if (is_all_posted && claims.total == 0 && lacks_its_money) return RemittanceStatus::received;  // only adjustments
  if (is_all_posted) return RemittanceStatus::posted;
  return claims.posted > 0      ? RemittanceStatus::partly_posted
         : claims.unmatched > 0 ? RemittanceStatus::unmatched
                                : RemittanceStatus::received;
}
/// Of a remittance with its claims.
inline RemittanceStatus status_of(const Remittance& remittance) {
  return status_of(remittance, totals_of(remittance));
}

/// Whether a deposit was joined to it or anything of it posted. Its payer cannot change then.
inline bool is_built_on(const Remittance& remittance) {
  return remittance.deposit || !remittance.carried.is_zero() || !remittance.paid_to_provider.is_zero() ||
         totals_of(remittance).posted > 0;
}

/// A remittance without its claims.
struct RemittanceSummary {
  Remittance remittance;
  ClaimTotals claims;
};

}  // namespace tideover::domain
