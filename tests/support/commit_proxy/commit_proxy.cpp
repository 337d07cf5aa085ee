#include "tests/support/commit_proxy/commit_proxy.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>

namespace tideover::tests {

namespace {

constexpr int kPollMs = 20;
constexpr std::chrono::seconds kPatience{20};

sockaddr_in address_of(const std::string& host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  ::inet_pton(AF_INET, host.c_str(), &address.sin_addr);
  return address;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::string receive(int socket) {
  std::array<char, 16 * 1024> buffer{};
  const ssize_t count = ::recv(socket, buffer.data(), buffer.size(), 0);
  return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count)) : "";
}

bool readable(int socket, int wait_ms) {
  pollfd wait{socket, POLLIN, 0};
  return ::poll(&wait, 1, wait_ms) > 0;
}

/// A COM_QUERY packet: length (3 bytes), sequence, 0x03, the text.
bool is_commit(const std::string& bytes) {
  return bytes.size() == 11 && bytes[4] == '\x03' && bytes.compare(5, 6, "COMMIT") == 0;
}

}  // namespace

CommitProxy::CommitProxy(std::string host, std::uint16_t port) : host_(std::move(host)), server_port_(port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = address_of("127.0.0.1", 0);
  socklen_t length = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
    throw std::runtime_error("the proxy cannot listen on 127.0.0.1");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

CommitProxy::~CommitProxy() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  acceptor_.join();
  for (std::thread& carrier : carriers_) carrier.join();
  ::close(listener_);
}

void CommitProxy::arm(Fault fault) {
  const std::lock_guard lock(mutex_);
  fault_ = fault;
  armed_ = true;
  struck_ = released_ = answered_ = false;
}

bool CommitProxy::has_struck() {
  const std::lock_guard lock(mutex_);
  return struck_;
}

std::string CommitProxy::release() {
  std::unique_lock lock(mutex_);
  released_ = true;
  changed_.notify_all();
  changed_.wait_for(lock, kPatience, [this] { return answered_ || stopping_; });
  return answer_;
}

bool CommitProxy::take_fault(Fault& fault) {
  const std::lock_guard lock(mutex_);
  if (!armed_) return false;
  armed_ = false;
  struck_ = true;
  fault = fault_;
  return true;
}

void CommitProxy::accept_all() {
  while (!stopping_) {
    if (!readable(listener_, kPollMs)) continue;
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client >= 0) carriers_.emplace_back([this, client] { carry(client); });
  }
}

void CommitProxy::carry(int client) {
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = address_of(host_, server_port_);
  const int one = 1;
  for (const int side : {client, server}) ::setsockopt(side, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  bool alive = ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  while (alive && !stopping_) {
    std::array<pollfd, 2> sides{pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
    if (::poll(sides.data(), sides.size(), kPollMs) <= 0) continue;
    if (sides[0].revents != 0) {
      const std::string bytes = receive(client);
      alive = !bytes.empty() && pass_on(server, bytes);
    }
    if (alive && sides[1].revents != 0) {
      const std::string bytes = receive(server);
      alive = !bytes.empty() && send_all(client, bytes);
    }
  }
  ::close(server);
  ::close(client);
}

bool CommitProxy::pass_on(int server, const std::string& bytes) {
  Fault fault{};
  if (!is_commit(bytes) || !take_fault(fault)) return send_all(server, bytes);
  if (fault == Fault::lose_commit) return false;
  if (fault == Fault::hold_commit) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return released_ || stopping_; });
  }
  send_all(server, bytes);
  const std::string answer = readable(server, 20'000) ? receive(server) : "";
  const std::lock_guard lock(mutex_);
  answer_ = answer;
  answered_ = true;
  changed_.notify_all();
  return false;
}

}  // namespace tideover::tests
