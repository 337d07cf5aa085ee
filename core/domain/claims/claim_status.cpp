#include "core/domain/claims/claim_status.hpp"

#include <array>

#include "core/domain/basics/enum_names.hpp"

namespace tideover::domain {
namespace {

using S = ClaimStatus;

constexpr std::array<std::string_view, kClaimStatusCount> kNames{
    "received", "reviewed", "submitted",      "accepted", "rejected", "pending", "info_requested",
    "denied",   "paid",     "partially_paid", "reversed", "appealed", "closed",  "voided"};

constexpr unsigned bit(S s) {
  return 1u << static_cast<unsigned>(s);
}

constexpr unsigned moves_from(S from) {
  switch (from) {
    case S::received:
      return bit(S::reviewed) | bit(S::submitted) | bit(S::voided);
    case S::reviewed:
      return bit(S::submitted) | bit(S::voided);
    case S::submitted:
      return bit(S::accepted) | bit(S::rejected) | bit(S::pending) | bit(S::voided);
    case S::accepted:
      return bit(S::pending) | bit(S::info_requested) | bit(S::denied) | bit(S::paid) | bit(S::partially_paid);
    case S::rejected:
      return bit(S::submitted) | bit(S::closed) | bit(S::voided);
    case S::pending:
      return bit(S::info_requested) | bit(S::denied) | bit(S::paid) | bit(S::partially_paid);
    case S::info_requested:
      return bit(S::pending) | bit(S::denied) | bit(S::paid) | bit(S::partially_paid);
    case S::denied:
      return bit(S::appealed) | bit(S::closed);
    case S::appealed:
      return bit(S::denied) | bit(S::paid) | bit(S::partially_paid) | bit(S::closed);
    case S::partially_paid:
      return bit(S::paid) | bit(S::reversed) | bit(S::closed);
    case S::paid:
      return bit(S::reversed) | bit(S::closed);
    case S::reversed:
      return bit(S::paid) | bit(S::denied) | bit(S::closed);
    case S::closed:
    case S::voided:
      return 0;
  }
  return 0;
}

/// Everything that can be reached from `from` in one or more steps.
unsigned reachable_from(S from) {
  unsigned seen = moves_from(from);
  for (unsigned before = 0; before != seen;) {
    before = seen;
    for (unsigned i = 0; i < kClaimStatusCount; ++i)
      if (seen & (1u << i)) seen |= moves_from(static_cast<S>(i));
  }
  return seen;
}

unsigned moves_of(S from, StatusSource source) {
  return source == StatusSource::system ? moves_from(from) : reachable_from(from);
}

}  // namespace

std::string_view name_of(ClaimStatus status) {
  return kNames[static_cast<std::size_t>(status)];
}

std::optional<ClaimStatus> claim_status_named(std::string_view name) {
  return enum_named<ClaimStatus>(kNames, name);
}

std::vector<std::string> claim_status_names() {
  return {kNames.begin(), kNames.end()};
}

std::string_view name_of(StatusSource source) {
  switch (source) {
    case StatusSource::client:
      return "client";
    case StatusSource::payer:
      return "payer";
    case StatusSource::system:
      return "system";
  }
  return "system";
}

std::optional<StatusSource> status_source_named(std::string_view name) {
  for (const auto source : {StatusSource::client, StatusSource::payer, StatusSource::system})
    if (name_of(source) == name) return source;
  return std::nullopt;
}

bool may_move(ClaimStatus from, ClaimStatus to, StatusSource source) {
  return (moves_of(from, source) & bit(to)) != 0;
}

std::vector<std::string> allowed_moves(ClaimStatus from, StatusSource source) {
  std::vector<std::string> names;
  const unsigned moves = moves_of(from, source);
  for (unsigned i = 0; i < kClaimStatusCount; ++i)
    if (moves & (1u << i)) names.emplace_back(kNames[i]);
  return names;
}

bool may_be_advanced(ClaimStatus status) {
  switch (status) {
    case S::received:
    case S::reviewed:
    case S::submitted:
    case S::accepted:
    case S::pending:
    case S::info_requested:
      return true;
    default:
      return false;
  }
}

std::optional<ClaimStatus> claim_status_of_clp02(std::string_view code) {
  if (code == "1" || code == "2" || code == "3" || code == "19" || code == "20" || code == "21") return S::paid;
  if (code == "4") return S::denied;
  if (code == "22") return S::reversed;
  return std::nullopt;
}

bool is_behind_another_payer(std::string_view clp02) {
  return clp02 == "2" || clp02 == "3" || clp02 == "20" || clp02 == "21";
}

}  // namespace tideover::domain
