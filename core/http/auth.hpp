// Turns an Authorization header into a Caller. A token is verified without a database read. The client's state is read
// every few seconds, so a disabled client loses access soon; checked tokens are cached for the same time. Thread-safe.
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
#include <vector>

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
  /// True when the header has a token that this service issued, expired or not. Reads no store, so it can be called
  /// before the request body is read.
  bool holds_issued_token(const std::string* header) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct ClientState {
    bool enabled = false;
    int epoch = 0;
    std::optional<domain::Timestamp> expires_at;
    std::vector<int> revoked_secrets;  // numbers
    domain::ValidationProfile profile = domain::ValidationProfile::lenient;
    std::chrono::steady_clock::time_point looked_up;
  };
  domain::Result<ClientState> client_state_of(const domain::ClientId& client);
  /// A checked token and its result. Valid as long as the cached state of its client.
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
  std::map<std::string, ClientState> client_states_;
  std::unordered_map<std::string, Opened, TextHash, std::equal_to<>> opened_;  // by token
};

}  // namespace tideover::http
