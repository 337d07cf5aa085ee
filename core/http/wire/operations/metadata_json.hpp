// Payers, reason codes and funding rails as JSON (core/docs/contract.md#lists-and-metadata).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/claims/payer.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/http/wire/basics/cursor.hpp"
#include "core/ports/plugins/funding_rail.hpp"

namespace tideover::wire {

/// `query`: the text of a search, which adds the quality of each match and has one page; empty: none. The position of a
/// page is an id in Base64url, since ids of payers may have any characters.
std::string encode_payers(const domain::PayerMatches& payers, const PageFrame& page, std::string_view query);
/// nullopt: `position` is not that of a page of payers.
std::optional<std::string> payer_id_at(std::string_view position);
std::string encode_payer(const domain::Payer& payer);
/// The position of a page is a system and a code.
std::string encode_reason_codes(const std::vector<domain::ReasonCode>& codes, const PageFrame& page);
std::string position_of(const domain::ReasonCode& code);

/// A rail, and the time at which it would pay a disbursement that is confirmed now.
struct RailOffer {
  ports::RailDescription rail;
  std::optional<domain::FundingPlan> next;
};
std::string encode_rails(const std::vector<RailOffer>& rails);

}  // namespace tideover::wire
