// The request that the current thread works on, for log lines of code that has no request at hand.
#pragma once
#include <string>

namespace tideover::http {

/// Empty outside a request.
std::string current_request_id();

/// Marks the request as current on this thread during its lifetime. The text must outlive it.
class CurrentRequest {
 public:
  explicit CurrentRequest(const std::string& request_id);
  ~CurrentRequest();
  CurrentRequest(const CurrentRequest&) = delete;
  CurrentRequest& operator=(const CurrentRequest&) = delete;

 private:
  const std::string* const before_;
};

}  // namespace tideover::http
