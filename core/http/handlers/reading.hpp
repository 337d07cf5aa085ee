// The common part of handlers with a JSON body: decode it, report all faults together, and treat unknown fields as the
// client asked. With Prefer: handling=strict they are an error, else X-Ignored-Fields lists them.
#pragma once
#include "core/http/request_checks.hpp"
#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::http {

/// `decode(body, faults)` returns the request of a use case, and `check(request)` what the use case refuses by its
/// lists, such as the configured rails: a domain::Status whose Error has a field for each fault.
template <class Decode, class Check>
auto read_body(Context& context, Decode decode, Check check)
    -> domain::Result<decltype(decode(*context.body, std::declval<wire::Faults&>()))> {
  wire::Faults faults;
  auto decoded = decode(*context.body, faults);
  if (auto error = settle_faults(context, faults, check(decoded))) return *error;
  return decoded;
}

template <class Decode>
auto read_body(Context& context, Decode decode) {
  return read_body(context, decode, [](const auto&) { return domain::Status(); });
}

}  // namespace tideover::http
