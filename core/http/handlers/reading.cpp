#include "core/http/handlers/reading.hpp"

#include "core/http/media_type.hpp"

namespace tideover::http {

std::optional<domain::Error> settle_faults(Context& context, wire::Faults& faults) {
  if (prefers_strict_handling(context.request.headers.find("Prefer")))
    for (const auto& name : faults.ignored) faults.add(name, "is not a field of this request");
  context.ignored = faults.ignored;
  return faults.error();
}

}  // namespace tideover::http
