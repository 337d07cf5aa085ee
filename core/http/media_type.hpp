// The part of media types and codings that the API needs (RFC 9110 sections 8.3, 12.5.1 and 12.5.3).
#pragma once
#include <string>
#include <string_view>

namespace tideover::http {

/// nullptr: no such header.
bool is_json(const std::string* content_type);
bool is_form(const std::string* content_type);
/// True when application/json is acceptable, or problem+json, which errors can be.
bool accepts_json(const std::string* accept);
bool wants_problem_json(const std::string* accept);
/// True when application/x-ndjson, or JSON Lines under another name, is acceptable.
bool accepts_ndjson(const std::string* accept);
/// True when application/edi-x12 is acceptable.
bool accepts_x12(const std::string* accept);
/// True when the media type is acceptable, by its name or by a wildcard.
bool accepts(std::string_view type, const std::string* accept);
/// True when the header lists application/x-ndjson, or JSON Lines under another name, by name.
bool wants_ndjson(const std::string* accept);
/// True when the header lists text/csv by name.
bool wants_csv(const std::string* accept);
/// The same for application/edi-x12 and application/pdf.
bool wants_x12(const std::string* accept);
bool wants_pdf(const std::string* accept);

/// True when a response may have the content coding gzip.
bool accepts_gzip(const std::string* accept_encoding);

/// True for `Prefer: handling=strict` (RFC 7240): the client wants an error for unknown fields.
bool prefers_strict_handling(const std::string* prefer);

}  // namespace tideover::http
