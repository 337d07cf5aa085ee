// Every field of an object as text, to compare what came back with what was stored. Structured bindings name all
// fields: one that is added to the domain and forgotten here does not compile.
#pragma once
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ports/store.hpp"

namespace tideover::tests {

using namespace domain;  // NOLINT: the overload set is about these types

std::string shown(const ServiceLine&);
std::string shown(const OccurrenceCode&);
std::string shown(const OccurrenceSpan&);
std::string shown(const ValueCode&);
std::string shown(const InstitutionalDetails&);
std::string shown(const AgeBand&);
std::string shown(const ClaimDetails&);
std::string shown(const ClaimDraft&);
std::string shown(const Claim&);
std::string shown(const ClaimStatusRecord&);
std::string shown(const ports::StoredClaim&);
std::string shown(const Finding&);
std::string shown(const RulesStamp&);
std::string shown(const RuleFault&);
std::string shown(const Forecast&);
std::string shown(const FiredRule&);
std::string shown(const LearnedForecast&);
std::string shown(const ListedFee&);
std::string shown(const CashOdds&);
std::string shown(const ReviewBasis&);
std::string shown(const Review&);
std::string shown(const Terms&);
std::string shown(const FundingPlan&);
std::string shown(const Settlement&);
std::string shown(const ports::StoredSettlement&);
std::string shown(const DisbursementAttempt&);
std::string shown(const LedgerEntry&);
std::string shown(const LedgerTransaction&);
std::string shown(const AccountBalance&);
std::string shown(const Deposit&);
std::string shown(const Adjustment&);
std::string shown(const RemittanceLine&);
std::string shown(const RemittanceClaim&);
std::string shown(const ProviderAdjustment&);
std::string shown(const RemittanceDraft&);
std::string shown(const RemittanceClaimRecord&);
std::string shown(const Remittance&);
std::string shown(const Allocation&);
std::string shown(const ReconciliationRecord&);
std::string shown(const MatchCandidate&);
std::string shown(const ImportFault&);
std::string shown(const ImportedRow&);
std::string shown(const ImportJob&);
std::string shown(const ports::ImportClaim&);
std::string shown(const ports::StoredAnswer&);
std::string shown(const ports::OutboxRow&);
std::string shown(const ports::PublishedEvent&);
std::string shown(const ports::Delivery&);
std::string shown(const PreviousSecret&);
std::string shown(const EndpointHealth&);
std::string shown(const WebhookEndpoint&);
std::string shown(const Tenant&);
std::string shown(const Client&);
std::string shown(const ClientSecret&);
std::string shown(const domain::Task&);

template <class T>
requires std::is_arithmetic_v<T> std::string shown(T value) {
  return std::to_string(value);
}
template <class T>
requires std::is_enum_v<T> std::string shown(T value) {
  return "#" + std::to_string(static_cast<int>(value));
}
inline std::string shown(const std::string& text) {
  return '"' + text + '"';
}
inline std::string shown(Money amount) {
  return std::to_string(amount.cents()) + "c";
}
inline std::string shown(Date date) {
  return format_date(date);
}
inline std::string shown(Timestamp at) {
  return format_timestamp(at);
}
inline std::string shown(ScopeSet scopes) {
  return std::to_string(scopes.bits());
}
template <class Kind>
std::string shown(const Id<Kind>& id) {
  return id.text();
}
template <class T>
std::string shown(const Sensitive<T>& secret) {
  return shown(secret.reveal());
}
template <class A, class B>
std::string shown(const std::pair<A, B>& both) {
  return shown(both.first) + ":" + shown(both.second);
}
template <class T>
std::string shown(const std::vector<T>& values) {
  std::string text = "[";
  for (const auto& value : values) text += shown(value) + ";";
  return text + "]";
}
template <class T>
std::string shown(const std::optional<T>& maybe) {
  return maybe ? shown(*maybe) : "none";
}

template <class... Fields>
std::string shown_fields(const Fields&... fields) {
  std::string text = "{";
  ((text += shown(fields) + ", "), ...);
  return text + "}";
}

}  // namespace tideover::tests
