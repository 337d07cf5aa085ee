#include "core/http/handlers/reading.hpp"

namespace tideover::http {

std::optional<domain::Error> settle_faults(Context& context, wire::Faults& faults) {
  const auto* prefer = context.request.headers.find("Prefer");
  if (prefer && prefer->find("handling=strict") != std::string::npos)
    for (const auto& name : faults.ignored) faults.add(name, "is not a field of this request");
  context.ignored = faults.ignored;
  return faults.error();
}

}  // namespace tideover::http
