// The clock of a sandbox tenant in JSON (openapi.yaml: Sandbox).
#pragma once
#include <string>

#include "core/domain/operations/sandbox_clock.hpp"
#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::wire {

domain::ClockMove decode_clock_move(const json::Value& body, Faults& faults);
std::string encode_clock(const domain::TenantTime& clock);

}  // namespace tideover::wire
