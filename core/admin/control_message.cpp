#include "core/admin/control_message.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tideover::admin {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLengthBytes = 4;

void put_length(std::string& bytes, std::size_t length) {
  const std::uint32_t network = htonl(static_cast<std::uint32_t>(length));
  bytes.append(reinterpret_cast<const char*>(&network), kLengthBytes);
}

std::optional<std::size_t> take_length(std::string_view& bytes) {
  if (bytes.size() < kLengthBytes) return std::nullopt;
  std::uint32_t network = 0;
  std::memcpy(&network, bytes.data(), kLengthBytes);
  bytes.remove_prefix(kLengthBytes);
  return ntohl(network);
}

bool wait_until(int socket, short event, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{socket, event, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<long long>(left, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool receive_exactly(int socket, std::string& bytes, std::size_t count, Clock::time_point deadline) {
  bytes.resize(count);
  for (std::size_t have = 0; have < count;) {
    if (!wait_until(socket, POLLIN, deadline)) return false;
    const auto got = ::recv(socket, bytes.data() + have, count - have, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    have += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

bool send_message(int socket, const ControlMessage& message, std::chrono::milliseconds time) {
  std::string body;
  for (const auto& text : message) {
    put_length(body, text.size());
    body += text;
  }
  std::string bytes;
  put_length(bytes, body.size());
  bytes += body;
  const auto deadline = Clock::now() + time;
  for (std::size_t sent = 0; sent < bytes.size();) {
    if (!wait_until(socket, POLLOUT, deadline)) return false;
    const auto took = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (took < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (took <= 0) return false;
    sent += static_cast<std::size_t>(took);
  }
  return true;
}

std::optional<ControlMessage> receive_message(int socket, std::size_t most_bytes, std::chrono::milliseconds time) {
  const auto deadline = Clock::now() + time;
  std::string bytes;
  if (!receive_exactly(socket, bytes, kLengthBytes, deadline)) return std::nullopt;
  std::string_view head = bytes;
  const auto length = take_length(head);
  if (*length > most_bytes || !receive_exactly(socket, bytes, *length, deadline)) return std::nullopt;
  ControlMessage message;
  for (std::string_view rest = bytes; !rest.empty();) {
    const auto size = take_length(rest);
    if (!size || *size > rest.size()) return std::nullopt;
    message.emplace_back(rest.substr(0, *size));
    rest.remove_prefix(*size);
  }
  return message;
}

}  // namespace tideover::admin
