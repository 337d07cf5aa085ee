// The audit trail on the wire. Pure functions.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/ports/records/audit_records.hpp"

namespace tideover::wire {

std::string encode_audit_page(const ports::AuditPage& page);

/// The `cursor` of a request; nullopt if this service did not issue it. Empty means the start.
std::optional<ports::AuditPlace> decode_audit_cursor(std::string_view cursor);

}  // namespace tideover::wire
