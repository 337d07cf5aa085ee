// The connection front: requests of one connection, whole and byte by byte.
#include <algorithm>

#include "core/http/server/request_reader.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

constexpr std::size_t kBodyLimit = 4096;

/// What a connection made of its bytes: the requests it took, and whether it refused in the end.
struct Conversation {
  std::vector<std::string> requests;
  bool refused = false;
  bool operator==(const Conversation&) const = default;
};

Conversation read(std::string_view bytes, std::size_t step) {
  static const http::ServerLimits limits;
  static const http::RequestReader::BodyLimit body_limit = [](const http::Request&) { return kBodyLimit; };
  http::RequestReader reader(limits, body_limit, "127.0.0.1");
  Conversation conversation;
  std::string input;
  while (!bytes.empty()) {
    input.append(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
    while (reader.advance(input) == http::RequestReader::Stage::complete) {
      const auto request = reader.take();
      must(request.body.size() <= kBodyLimit, "no body passes its limit");
      conversation.requests.push_back(request.method + ' ' + request.path + '\n' + request.body);
    }
    if (reader.advance(input) == http::RequestReader::Stage::refused) {
      must(!reader.refused().reason.empty(), "a refusal says why");
      conversation.refused = true;
      break;
    }
  }
  return conversation;
}

/// Where a request ends must not depend on how its bytes come in: that is how requests are smuggled.
void requests(std::string_view bytes) {
  must(read(bytes, bytes.size() + 1) == read(bytes, 1), "requests do not depend on how the bytes came in");
}

}  // namespace

std::vector<Target> front_targets() {
  return {{"http_requests", requests, {}}};
}

}  // namespace tideover::fuzz
