// A response as bytes to send: complete, with its length. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "core/http/server/request.hpp"

namespace tideover::http {

struct ResponseShape {
  bool without_body = false;  // for HEAD: the length without the body
  bool close = false;         // this is the connection's last response
  bool is_http_1_0 = false;   // the answer must say that the connection stays open
};

/// None when a header name, a header value or the status is invalid: a CR or LF in a value must never split a response.
std::optional<std::string> response_text(const Response& response, const ResponseShape& shape);

/// True when the handler asked to close the connection.
bool asks_close(const Response& response);

}  // namespace tideover::http
