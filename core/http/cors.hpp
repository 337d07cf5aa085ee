// Cross-origin requests of web pages, by the Fetch standard: pages of configured origins may call the API and read its
// responses. Credentials of the browser, such as cookies, are never allowed; a page sends its token in Authorization.
//
// Threads: immutable.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/http/server/request.hpp"

namespace tideover::http {

class Cors {
 public:
  /// Without origins no response has a header of CORS.
  explicit Cors(std::vector<std::string> origins) : origins_(std::move(origins)) {}

  /// Adds to any response what lets a page of an allowed origin read it.
  void share(const Request& request, Headers& headers) const;
  /// Adds to the response to OPTIONS what a browser asks for before it sends a request with one of `methods`.
  void permit(const Request& request, std::string_view methods, Headers& headers) const;

 private:
  /// The origin of the request, if it is allowed.
  const std::string* origin_of(const Request& request) const;

  std::vector<std::string> origins_;
};

}  // namespace tideover::http
