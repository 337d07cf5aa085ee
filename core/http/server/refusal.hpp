// Why the server turned a request away before (or instead of) a handler's answer. The product renders it: the server
// knows neither the error body nor, apart from bare framing, any status.
#pragma once

#include <string>

namespace tideover::http {

enum class Refusal {
  bad_request,        // 400: the request line, a header or the framing breaks RFC 9112
  request_timeout,    // 408: head or body did not arrive within its deadline
  body_too_large,     // 413: more than the limit for this request
  uri_too_long,       // 414
  headers_too_large,  // 431: too many bytes or too many fields
  handler_failed,     // 500: the handler threw, or answered with a header that cannot be sent
  overloaded,         // 503 + Retry-After: too much is waiting already
};

/// A refusal with its reason: one sentence for the caller, free of any byte that the caller sent.
struct Refused {
  Refusal refusal;
  std::string reason;
};

}  // namespace tideover::http
