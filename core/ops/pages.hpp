// The pages of the operations port as plain values. core/service serves them at /livez, /readyz, /version and /metrics.
#pragma once
#include <string>

#include "core/ops/metrics.hpp"
#include "core/ops/readiness.hpp"

namespace tideover::ops {

struct Page {
  int status = 200;
  std::string content_type;
  std::string body;
};

struct BuildVersion {
  std::string version;      // "0.1.0"
  std::string api_version;  // version of the API contract
};

/// The process is alive. A failure leads to a restart, so nothing else is checked.
Page livez();
/// 200 {"status":"ok",...} or 503 {"status":"unavailable"|"draining",...}, with each check's state and detail.
Page readyz(const Readiness& readiness);
Page version(const BuildVersion& build);
Page metrics(const Metrics& metrics);

}  // namespace tideover::ops
