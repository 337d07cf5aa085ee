// The audit trail as JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/http/wire/basics/cursor.hpp"
#include "core/ports/records/audit_records.hpp"

namespace tideover::wire {

std::string encode_audit_page(const ports::AuditPage& page, const PageFrame& frame);

/// The place of the position in a cursor; empty is the beginning. nullopt when the service did not issue it.
std::optional<ports::AuditPlace> audit_place_of(std::string_view position);

}  // namespace tideover::wire
