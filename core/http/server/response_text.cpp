#include "core/http/server/response_text.hpp"

#include <Poco/DateTimeFormat.h>
#include <Poco/DateTimeFormatter.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Timestamp.h>

#include <algorithm>
#include <ctime>

#include "core/http/server/grammar.hpp"

namespace tideover::http {

namespace {

bool is_servers_own(std::string_view name) {
  return equal_ignoring_case(name, "Content-Length") || equal_ignoring_case(name, "Transfer-Encoding") ||
         equal_ignoring_case(name, "Connection") || equal_ignoring_case(name, "Date");
}

bool has_no_content(int status) {
  return status == 204 || status == 304;
}

/// The Date header of the current second, formatted once per second and thread.
const std::string& date_text() {
  thread_local std::time_t written = -1;
  thread_local std::string text;
  const Poco::Timestamp now;
  if (now.epochTime() != written) {
    text = Poco::DateTimeFormatter::format(now, Poco::DateTimeFormat::HTTP_FORMAT);
    written = now.epochTime();
  }
  return text;
}

}  // namespace

std::optional<std::string> response_text(const Response& response, const ResponseShape& shape) {
  if (response.status < 200 || response.status > 599) return std::nullopt;
  const auto status = static_cast<Poco::Net::HTTPResponse::HTTPStatus>(response.status);

  std::string text;
  constexpr std::size_t kUsualHeadBytes = 512;
  text.reserve(kUsualHeadBytes + response.body.size());
  text.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  text.append(Poco::Net::HTTPResponse::getReasonForStatus(status))
      .append("\r\nDate: ")
      .append(date_text())
      .append("\r\n");
  if (!has_no_content(response.status)) {
    text.append("Content-Length: ").append(std::to_string(response.body.size())).append("\r\n");
  }
  for (const Headers::Field& field : response.headers) {
    if (is_servers_own(field.name)) continue;
    if (!is_token(field.name) || !std::all_of(field.value.begin(), field.value.end(), is_field_char)) {
      return std::nullopt;
    }
    text.append(field.name).append(": ").append(field.value).append("\r\n");
  }
  if (shape.close) {
    text.append("Connection: close\r\n");
  } else if (shape.is_http_1_0) {
    text.append("Connection: keep-alive\r\n");
  }
  text.append("\r\n");
  if (!shape.without_body && !has_no_content(response.status)) text.append(response.body);
  return text;
}

bool asks_close(const Response& response) {
  const std::string* const connection = response.headers.find("Connection");
  return connection != nullptr && equal_ignoring_case(*connection, "close");
}

}  // namespace tideover::http
