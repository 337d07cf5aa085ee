// The request that the calling thread works on, for log lines of parts that know nothing of requests.
#pragma once
#include <string>

namespace tideover::http {

/// Empty outside of requests.
std::string current_request_id();

/// While it lives, its thread works on the request. The text must outlive it.
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
