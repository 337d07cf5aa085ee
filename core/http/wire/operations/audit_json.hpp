// The audit trail as JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/ports/records/audit_records.hpp"

namespace tideover::wire {

std::string encode_audit_page(const ports::AuditPage& page);

/// Parses the `cursor` of a request; empty is the beginning. nullopt when the service did not issue it.
std::optional<ports::AuditPlace> decode_audit_cursor(std::string_view cursor);

}  // namespace tideover::wire
