// Why a rail cannot pay an advance.
//
// Threads: pure functions; the rail's description does not change.
#pragma once
#include <optional>
#include <string>

#include "core/ports/plugins/funding_rail.hpp"

namespace tideover::usecases {

/// The refusal of a rail that this service does not have. `field` is the path of the member that names it.
domain::Error unknown_rail(ports::FundingRails& rails, const std::string& field);

/// Why this rail cannot pay `advance` in one payment; nullopt: it can. Zero is no payment and fits every rail.
std::optional<domain::Error> refusal_of_rail(const ports::RailDescription& rail, domain::Money advance);

}  // namespace tideover::usecases
