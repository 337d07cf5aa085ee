// The allocation of a remittance as JSON: `allocation` of a remittance (core/docs/waterfall.md).
#pragma once
#include <vector>

#include "core/domain/reconciliation/allocation.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// One entry per row, oldest first.
void put_allocation(json::Writer& out, const std::vector<domain::AllocationRow>& rows);

}  // namespace tideover::wire
