// The common part of handlers with a JSON body: decode it, report all faults together, and treat unknown fields as the
// client asked. With Prefer: handling=strict they are an error, else X-Ignored-Fields lists them.
#pragma once
#include "core/http/request_checks.hpp"
#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::http {

/// `decode(body, faults)` returns the request of a use case.
template <class Decode>
auto read_body(Context& context, Decode decode)
    -> domain::Result<decltype(decode(*context.body, std::declval<wire::Faults&>()))> {
  wire::Faults faults;
  auto decoded = decode(*context.body, faults);
  if (auto error = settle_faults(context, faults)) return *error;
  return decoded;
}

}  // namespace tideover::http
