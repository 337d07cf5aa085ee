// Request and response as plain values: the only view of HTTP that the pipeline and the handlers have. They depend on
// no socket and no library type, so tests can build them. No thread contract of their own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::http {

/// Header fields in order of arrival. Names compare without regard to ASCII case.
class Headers {
 public:
  struct Field {
    std::string name;
    std::string value;
  };

  void add(std::string name, std::string value) { fields_.push_back({std::move(name), std::move(value)}); }
  /// The first field of that name, or nullptr.
  const std::string* find(std::string_view name) const;
  /// Number of fields with that name.
  std::size_t count(std::string_view name) const;

  std::size_t size() const { return fields_.size(); }
  std::vector<Field>::const_iterator begin() const { return fields_.begin(); }
  std::vector<Field>::const_iterator end() const { return fields_.end(); }

 private:
  std::vector<Field> fields_;
};

/// ASCII case-insensitive equality, as RFC 9110 requires for field names and codings.
bool equal_ignoring_case(std::string_view left, std::string_view right);

struct Request {
  std::string method;
  std::string path;   // raw: still percent-encoded, without the query
  std::string query;  // raw: the part after the first '?'
  Headers headers;
  std::string body;            // decoded from its transfer coding; complete when a handler gets it
  std::string client_address;  // numeric, without the port
};

/// The server sets Date, Content-Length and Connection and ignores them here. Exception: `Connection: close` closes the
/// connection after this response.
struct Response {
  int status = 200;
  Headers headers;
  std::string body;
};

}  // namespace tideover::http
