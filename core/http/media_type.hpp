// The parts of media types that the API needs (RFC 9110 sections 8.3 and 12.5.1). Pure functions.
#pragma once
#include <string>

namespace tideover::http {

/// nullptr = no header.
bool is_json(const std::string* content_type);
bool is_form(const std::string* content_type);
/// Whether application/json (or problem+json, which errors can be) is acceptable.
bool accepts_json(const std::string* accept);
bool wants_problem_json(const std::string* accept);
/// Whether application/x-ndjson, or JSON Lines under another name, is acceptable.
bool accepts_ndjson(const std::string* accept);
/// Whether the header names text/csv itself.
bool wants_csv(const std::string* accept);

/// `Prefer: handling=strict` (RFC 7240): the service refuses a request with unknown fields.
bool prefers_strict_handling(const std::string* prefer);

}  // namespace tideover::http
