// Why the server refuses a request without, or in place of, the response of a handler. The product renders the
// refusal: the server knows neither the error body nor a status.
#pragma once

#include <string>

namespace tideover::http {

enum class Refusal {
  bad_request,        // 400: the request line, a header or the framing breaks RFC 9112
  request_timeout,    // 408: head or body did not arrive within its deadline
  body_too_large,     // 413: more than the limit for this request
  uri_too_long,       // 414
  headers_too_large,  // 431: too many bytes or too many fields
  handler_failed,     // 500: the handler threw, or its response has a header that cannot be sent
  overloaded,         // 503 + Retry-After: a queue or bound is full
};

/// A refusal and its reason: one sentence for the client, without any byte that the client sent.
struct Refused {
  Refusal refusal;
  std::string reason;
};

}  // namespace tideover::http
