#include "core/http/wire/operations/health_json.hpp"

#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

std::string encode_health(const Health& health) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("status").string(health.ok ? "ok" : "unavailable");
  out.key("version").string(health.version);
  out.key("time").string(format_timestamp(health.now));
  out.key("checks").begin_object();
  for (const auto& [name, state] : health.checks) out.key(name).string(state);
  out.end_object();
  out.end_object();
  return body;
}

}  // namespace tideover::wire
