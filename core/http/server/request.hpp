// Request and response as plain values: the only view of HTTP for the pipeline and the handlers. Without sockets or
// library types, so tests construct them directly. Values; not synchronized.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::http {

/// Header fields in the order of arrival. Names compare without regard to ASCII case.
class Headers {
 public:
  struct Field {
    std::string name;
    std::string value;
  };

  void add(std::string name, std::string value) { fields_.push_back({std::move(name), std::move(value)}); }
  /// The first field with that name, or null.
  const std::string* find(std::string_view name) const;
  /// Number of fields with that name.
  std::size_t count(std::string_view name) const;

  std::size_t size() const { return fields_.size(); }
  std::vector<Field>::const_iterator begin() const { return fields_.begin(); }
  std::vector<Field>::const_iterator end() const { return fields_.end(); }

 private:
  std::vector<Field> fields_;
};

/// ASCII case-insensitive comparison, which RFC 9110 requires for field names and codings.
bool equal_ignoring_case(std::string_view left, std::string_view right);

struct Request {
  std::string method;
  std::string path;   // raw: still percent-encoded, without the query
  std::string query;  // raw: the part after the first '?'
  Headers headers;
  std::string body;            // without transfer coding; complete before a handler gets it
  std::string client_address;  // numeric, without the port
};

/// The server adds Date, Content-Length and Connection and ignores them here, except that `Connection: close` ends
/// the connection after this response.
struct Response {
  int status = 200;
  Headers headers;
  std::string body;
};

}  // namespace tideover::http
