// Why the server refused a request instead of passing it to a handler. The product renders the answer: the server knows
// no error body and, apart from framing, no status.
#pragma once

#include <string>

namespace tideover::http {

enum class Refusal {
  bad_request,        // 400: the request line, a header or the framing breaks RFC 9112
  request_timeout,    // 408: head or body did not arrive within its deadline
  body_too_large,     // 413: more than the limit for this request
  uri_too_long,       // 414
  headers_too_large,  // 431: too many bytes or too many fields
  handler_failed,     // 500: the handler threw, or its answer has an invalid header
  overloaded,         // 503 + Retry-After: too many requests are waiting
};

/// A refusal with its reason: one sentence for the client, without any byte that the client sent.
struct Refused {
  Refusal refusal;
  std::string reason;
};

}  // namespace tideover::http
