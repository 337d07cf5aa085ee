// A raw HTTP client for tests: sends exactly the bytes it is given and reads what comes back, with a deadline on every
// wait. One thread at a time.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tideover::test {

struct RawResponse {
  int status = 0;    // 0: the connection ended, or the deadline came, before a whole response
  std::string head;  // status line and headers, with CRLFs
  std::string body;

  /// The value of a header, or "" when there is none. The name's case does not matter.
  std::string header(std::string_view name) const {
    for (std::size_t line = head.find("\r\n"); line != std::string::npos; line = head.find("\r\n", line + 2)) {
      const std::string_view rest = std::string_view(head).substr(line + 2);
      if (rest.size() <= name.size() || rest[name.size()] != ':') continue;
      bool same = true;
      for (std::size_t i = 0; i < name.size(); ++i) {
        same = same &&
               std::tolower(static_cast<unsigned char>(rest[i])) == std::tolower(static_cast<unsigned char>(name[i]));
      }
      if (!same) continue;
      std::string_view value = rest.substr(name.size() + 1);
      value = value.substr(0, value.find("\r\n"));
      while (value.starts_with(' ')) value.remove_prefix(1);
      return std::string(value);
    }
    return "";
  }
};

class RawClient {
 public:
  using Wait = std::chrono::milliseconds;
  static constexpr Wait kPatience{10'000};

  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket_ < 0 || ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      const int error = errno;
      disconnect();
      throw std::system_error(error, std::generic_category(), "connect to the server under test");
    }
  }
  ~RawClient() { disconnect(); }
  RawClient(RawClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)), input_(std::move(other.input_)) {}
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// False when the server no longer takes the bytes.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  /// No more bytes will follow; answers can still be read.
  void end_sending() { ::shutdown(socket_, SHUT_WR); }

  void disconnect() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }

  /// The next response. `to_head`: it answers HEAD and so has no body whatever its length says.
  RawResponse read_response(bool to_head = false, Wait patience = kPatience) {
    const auto deadline = Clock::now() + patience;
    std::size_t head_end = std::string::npos;
    while ((head_end = input_.find("\r\n\r\n")) == std::string::npos) {
      if (!read_some(deadline)) return {};
    }
    RawResponse response;
    response.head = input_.substr(0, head_end + 2);
    if (response.head.starts_with("HTTP/1.1 ")) response.status = std::stoi(response.head.substr(9, 3));
    const std::string length = response.header("Content-Length");
    const std::size_t body = length.empty() || to_head ? 0 : std::stoul(length);
    while (input_.size() < head_end + 4 + body) {
      if (!read_some(deadline)) return {};
    }
    response.body = input_.substr(head_end + 4, body);
    input_.erase(0, head_end + 4 + body);
    return response;
  }

  /// True when the server ends the connection, properly or not, without sending another byte.
  bool ends_silently(Wait patience = kPatience) {
    const auto deadline = Clock::now() + patience;
    return input_.empty() && !read_some(deadline) && ended_ && input_.empty();
  }

  /// True when nothing comes and the connection stays for that long.
  bool stays_quiet(Wait span) {
    const auto deadline = Clock::now() + span;
    return input_.empty() && !read_some(deadline) && !ended_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool read_some(Clock::time_point deadline) {
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return false;
      pollfd wait{socket_, POLLIN, 0};
      const int ready = ::poll(&wait, 1, static_cast<int>(left));
      if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
      char buffer[16 * 1024];
      const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0) {
        ended_ = true;
        return false;
      }
      input_.append(buffer, static_cast<std::size_t>(count));
      return true;
    }
  }

  int socket_;
  std::string input_;
  bool ended_ = false;
};

}  // namespace tideover::test
