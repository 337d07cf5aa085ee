// A response as the bytes on the line: whole, with its length, for one send. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "core/http/server/request.hpp"

namespace tideover::http {

struct ResponseShape {
  bool without_body = false;  // the answer to HEAD: the length, but not the body
  bool close = false;         // this is the connection's last response
  bool is_http_1_0 = false;   // the client must be told that the connection stays
};

/// None when a header name or value, or the status, cannot be sent: a CR or LF in a value must never split a response.
std::optional<std::string> response_text(const Response& response, const ResponseShape& shape);

/// True when the handler itself asked for the connection's end.
bool asks_close(const Response& response);

}  // namespace tideover::http
