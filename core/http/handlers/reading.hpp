// What every handler with a JSON body does: decode, report all faults at once, and treat unknown fields as the client
// asked (Prefer: handling=strict refuses them, else they are named in X-Ignored-Fields).
#pragma once
#include "core/http/context.hpp"
#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::http {

/// Notes the ignored fields in the context; the Error for all faults, nullopt for none.
std::optional<domain::Error> settle_faults(Context& context, wire::Faults& faults);

/// `decode(body, faults)` gives the request of a use case.
template <class Decode>
auto read_body(Context& context, Decode decode)
    -> domain::Result<decltype(decode(*context.body, std::declval<wire::Faults&>()))> {
  wire::Faults faults;
  auto decoded = decode(*context.body, faults);
  if (auto error = settle_faults(context, faults)) return *error;
  return decoded;
}

}  // namespace tideover::http
