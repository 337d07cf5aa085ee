// From an Authorization header to a Caller. A token is verified without a database look-up. The client's state is
// looked up every few seconds and cached with the verified token, so that disabling a client ends its tokens after that
// time. Thread-safe.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/domain/basics/result.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/credentials.hpp"
#include "core/ports/store.hpp"

namespace tideover::http {

class Auth {
 public:
  Auth(ports::Store& store, const ports::Credentials& credentials, const ports::Clock& clock,
       domain::Environment environment)
      : store_(store), credentials_(credentials), clock_(clock), environment_(environment) {}

  /// `header` is the value of Authorization, or nullptr.
  domain::Result<domain::Caller> caller_of(const std::string* header);
  /// Whether the header has a token that this service issued, expired or not. Looks nothing up, so it can be called
  /// before the body is read.
  bool holds_sealed_token(const std::string* header) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct Standing {
    bool enabled = false;
    int epoch = 0;
    domain::ValidationProfile profile = domain::ValidationProfile::lenient;
    std::chrono::steady_clock::time_point looked_up;
  };
  domain::Result<Standing> standing_of(const domain::ClientId& client);
  /// A verified token and its result; valid as long as the cached state of its client.
  struct Opened {
    domain::Caller caller;
    std::int64_t expires_at_s = 0;
    std::chrono::steady_clock::time_point looked_up;
  };
  std::optional<domain::Caller> known_caller(std::string_view token);

  ports::Store& store_;
  const ports::Credentials& credentials_;
  const ports::Clock& clock_;
  domain::Environment environment_;
  std::shared_mutex lock_;
  std::map<std::string, Standing> standings_;
  std::unordered_map<std::string, Opened, TextHash, std::equal_to<>> opened_;  // by token
};

}  // namespace tideover::http
