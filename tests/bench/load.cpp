#include "tests/bench/load.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/http/server/file_descriptor.hpp"

namespace tideover::bench {
namespace {

using Time = std::chrono::steady_clock::time_point;
using http::FileDescriptor;

struct Client {
  FileDescriptor socket;
  std::string request;
  std::string input;
  Time sent_at;
};

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error("load: " + what + ": " + std::strerror(errno));
}

FileDescriptor connect_to(std::uint16_t port) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail("cannot connect");
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

/// The length of the first answer in `input`, head and body; 0 while it is not whole.
std::size_t whole_answer(std::string_view input) {
  const auto head_end = input.find("\r\n\r\n");
  if (head_end == std::string_view::npos) return 0;
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const auto field = input.substr(0, head_end).find(kLength);
  if (field == std::string_view::npos) throw std::runtime_error("load: an answer without Content-Length");
  std::size_t length = 0;
  for (auto at = field + kLength.size(); input[at] >= '0' && input[at] <= '9'; ++at)
    length = 10 * length + static_cast<std::size_t>(input[at] - '0');
  const auto size = head_end + 4 + length;
  return input.size() >= size ? size : 0;
}

class Load {
 public:
  explicit Load(const LoadPlan& plan) : plan_(plan), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    for (int i = 0; i < plan.connections; ++i) {
      clients_.push_back({connect_to(plan.port), {}, {}, {}});
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = static_cast<std::uint64_t>(i);
      if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, clients_.back().socket.get(), &event) != 0) fail("epoll_ctl");
    }
  }

  LoadResult run() {
    const Time began = std::chrono::steady_clock::now();
    counted_from_ = began + plan_.warm_up;
    counted_to_ = counted_from_ + plan_.duration;
    for (Client& client : clients_) send_next(client);
    bool started = false;
    for (Time now = began; now < counted_to_; now = std::chrono::steady_clock::now()) {
      if (!started && now >= counted_from_) {
        started = true;
        plan_.on_start();
        counted_from_ = std::chrono::steady_clock::now();
      }
      serve_ready();
    }
    plan_.on_end();
    LoadResult result = result_;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - counted_from_).count();
    result.answers = latencies_us_.size();
    std::sort(latencies_us_.begin(), latencies_us_.end());
    result.p50_ms = percentile_ms(50);
    result.p99_ms = percentile_ms(99);
    return result;
  }

 private:
  void serve_ready() {
    std::array<epoll_event, 64> events;  // NOLINT: epoll_wait fills it
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 10);
    for (int i = 0; i < count; ++i) receive(clients_[events[static_cast<std::size_t>(i)].data.u64]);
  }

  void receive(Client& client) {
    std::array<char, 16 * 1024> buffer;  // NOLINT: recv fills it
    const ssize_t size = ::recv(client.socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size <= 0) fail("a connection ended");
    client.input.append(buffer.data(), static_cast<std::size_t>(size));
    const std::size_t answer = whole_answer(client.input);
    if (answer == 0) return;
    count(client);
    client.input.erase(0, answer);
    send_next(client);
  }

  void count(const Client& client) {
    const Time now = std::chrono::steady_clock::now();
    if (now < counted_from_ || now >= counted_to_) return;
    latencies_us_.push_back(static_cast<std::uint32_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(now - client.sent_at).count()));
    if (client.input.compare(9, 1, "2") == 0) return;
    if (result_.refusals++ == 0) result_.a_refusal = client.input;
  }

  /// A request is far smaller than the socket's buffer, which is empty here: it goes out whole.
  void send_next(Client& client) {
    plan_.next_request(client.request);
    client.sent_at = std::chrono::steady_clock::now();
    if (::send(client.socket.get(), client.request.data(), client.request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(client.request.size()))
      fail("cannot send");
  }

  double percentile_ms(std::size_t percent) const {
    return latencies_us_.empty() ? 0 : latencies_us_[(latencies_us_.size() - 1) * percent / 100] / 1000.0;
  }

  const LoadPlan& plan_;
  FileDescriptor epoll_;
  std::vector<Client> clients_;
  Time counted_from_, counted_to_;
  std::vector<std::uint32_t> latencies_us_;
  LoadResult result_;
};

}  // namespace

LoadResult run_load(const LoadPlan& plan) {
  return Load(plan).run();
}

}  // namespace tideover::bench
