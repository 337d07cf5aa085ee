// A response as bytes for one send, with its length. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "core/http/server/request.hpp"

namespace tideover::http {

struct ResponseShape {
  bool without_body = false;  // for HEAD: the length without the body
  bool close = false;         // this is the connection's last response
  bool is_http_1_0 = false;   // the response must state that the connection stays open
};

/// None if a header or the status cannot be sent: a CR or LF in a value must never split a response.
std::optional<std::string> response_text(const Response& response, const ResponseShape& shape);

/// True if the handler ends the connection with this response.
bool asks_close(const Response& response);

}  // namespace tideover::http
