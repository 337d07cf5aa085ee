// Reads a JSON body for a handler: decodes it, reports all faults together, and treats unknown fields as the client
// asked (Prefer: handling=strict refuses them; otherwise X-Ignored-Fields names them).
#pragma once
#include "core/http/context.hpp"
#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::http {

/// Stores the ignored fields in the context. Returns the Error with all faults, nullopt if there is none.
std::optional<domain::Error> settle_faults(Context& context, wire::Faults& faults);

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
