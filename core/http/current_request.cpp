#include "core/http/current_request.hpp"

namespace tideover::http {
namespace {

thread_local const std::string* current = nullptr;

}  // namespace

std::string current_request_id() {
  return current ? *current : std::string();
}

CurrentRequest::CurrentRequest(const std::string& request_id) : before_(current) {
  current = &request_id;
}
CurrentRequest::~CurrentRequest() {
  current = before_;
}

}  // namespace tideover::http
