// The request of the calling thread, for log lines of code that does not know about requests. Thread-local.
#pragma once
#include <string>

namespace tideover::http {

/// Empty outside of a request.
std::string current_request_id();

/// Sets the request id of this thread for its lifetime. The text must outlive the object.
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
