#include "core/ops/pages.hpp"

#include "core/ops/json_text.hpp"

namespace tideover::ops {

Page livez() {
  return {200, "text/plain; charset=utf-8", "ok\n"};
}

Page readyz(const Readiness& readiness) {
  const Readiness::Snapshot snapshot = readiness.snapshot();
  const bool ready = snapshot.ready();
  std::string body = R"({"status":)";
  append_json_string(body, ready ? "ok" : snapshot.draining ? "draining" : "unavailable");
  body += R"(,"checks":{)";
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    const CheckState& check = snapshot.checks[i];
    if (i > 0) body += ',';
    append_json_string(body, name_of(static_cast<Check>(i)));
    body += check.ok ? R"(:{"ok":true)" : R"(:{"ok":false)";
    if (!check.detail.empty()) {
      body += R"(,"detail":)";
      append_json_string(body, check.detail);
    }
    body += '}';
  }
  return {ready ? 200 : 503, "application/json", body + "}}\n"};
}

Page version(const BuildVersion& build) {
  std::string body = R"({"name":"tideover","version":)";
  append_json_string(body, build.version);
  body += R"(,"api_version":)";
  append_json_string(body, build.api_version);
  return {200, "application/json", body + "}\n"};
}

Page metrics(const Metrics& metrics) {
  return {200, "text/plain; version=0.0.4; charset=utf-8", metrics.text()};
}

}  // namespace tideover::ops
