// The content coding gzip of responses (RFC 9110 section 8.4.1.3). Pure functions.
#pragma once
#include <string>
#include <string_view>

#include "core/http/server/request.hpp"

namespace tideover::http {

/// Compresses the body if that makes it smaller for a client that accepts gzip: texts of 1 KiB and more. A body with an
/// ETag stays as it is, because a client returns the tag in If-Match and a compressed body would need another one.
void compress(const Request& request, Response& response);

std::string gzip(std::string_view content);
/// The content of one gzip member.
std::string gunzip(std::string_view packed);

}  // namespace tideover::http
