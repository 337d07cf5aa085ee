// How domain values show in a failed check.
#pragma once
#include <ostream>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/basics/result.hpp"
#include "core/domain/claims/claim_status.hpp"
#include "core/domain/funding/disbursement.hpp"
#include "core/domain/funding/settlement.hpp"
#include "core/domain/funding/terms.hpp"
#include "core/domain/operations/import_job.hpp"
#include "core/domain/reconciliation/reconciliation.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

inline std::ostream& operator<<(std::ostream& out, Money amount) {
  return out << format_money(amount);
}
inline std::ostream& operator<<(std::ostream& out, Date date) {
  return out << format_date(date);
}
inline std::ostream& operator<<(std::ostream& out, Timestamp at) {
  return out << format_timestamp(at);
}
inline std::ostream& operator<<(std::ostream& out, ErrorCode code) {
  return out << name_of(code);
}
inline std::ostream& operator<<(std::ostream& out, ClaimStatus status) {
  return out << name_of(status);
}
inline std::ostream& operator<<(std::ostream& out, Decision decision) {
  return out << name_of(decision);
}
inline std::ostream& operator<<(std::ostream& out, SettlementStatus status) {
  return out << name_of(status);
}
inline std::ostream& operator<<(std::ostream& out, FundingStatus status) {
  return out << name_of(status);
}
inline std::ostream& operator<<(std::ostream& out, FinalStatus status) {
  return out << name_of(status);
}
inline std::ostream& operator<<(std::ostream& out, AttemptState state) {
  return out << name_of(state);
}
inline std::ostream& operator<<(std::ostream& out, MatchState state) {
  return out << name_of(state);
}
inline std::ostream& operator<<(std::ostream& out, ImportStatus status) {
  return out << name_of(status);
}
template <class Kind>
std::ostream& operator<<(std::ostream& out, const Id<Kind>& id) {
  return out << id.text();
}

}  // namespace tideover::domain
