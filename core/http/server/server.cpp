#include "core/http/server/server.hpp"

#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/SocketAddress.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/http/server/connection.hpp"
#include "core/http/server/job_queue.hpp"

namespace tideover::http {

namespace {

using std::chrono::steady_clock;

// The subject of an epoll event: one of these two, or the serial number of a connection. A serial is never reused, so a
// late event cannot reach another connection.
constexpr std::uint64_t kListener = 0;
constexpr std::uint64_t kWakeUp = 1;
constexpr std::uint64_t kFirstConnection = 2;

constexpr int kTickMs = 100;                   // latest detection of a deadline
constexpr int kBacklog = 1024;                 // connections that the kernel queues before they are accepted
constexpr int kAcceptsAtOnce = 64;             // before other events are handled
constexpr std::size_t kTurnedAwayAtOnce = 64;  // connections above the limit that get an answer before they are closed

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

bool lacks_resources(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

class Server::Front {
 public:
  explicit Front(ServerOptions options)
      : options_(std::move(options)),
        rules_{options_.limits, options_.body_limit, options_.refuse, buffered_bytes_, unsent_bytes_, dropped_answers_},
        jobs_(options_.limits.queued_requests, options_.limits.worker_threads,
              std::thread::hardware_concurrency() + 1) {}

  ~Front() {
    drain(std::chrono::milliseconds(0));
    jobs_.close();
    for (std::thread& worker : workers_) worker.join();
    if (watch_.joinable()) watch_.join();
    std::unique_lock lock(exchanges_mutex_);
    no_exchange_.wait(lock, [this] { return exchanges_ == 0; });
  }

  void start();
  std::uint16_t port() const { return port_; }
  bool drain(std::chrono::milliseconds deadline);
  std::size_t in_flight() const { return in_flight_; }
  Unsent unsent() const { return {unsent_bytes_, dropped_answers_}; }

 private:
  using ConnectionPtr = std::shared_ptr<Connection>;

  class Pending;

  struct Job {
    std::shared_ptr<Pending> exchange;  // null for a head that is judged
    std::function<void()> rest;         // continuation of an exchange, or the judgement; empty for a new exchange
  };

  void listen();
  void watch(int descriptor, std::uint64_t serial, std::uint32_t events, int operation);
  void wake_reactor();

  void run_reactor();
  void handle_events();
  void handle_event(const epoll_event& event);
  void accept_some();
  bool accept_one();
  void tick();
  void begin_drain();
  std::vector<std::pair<std::uint64_t, ConnectionPtr>> open_connections();

  void run_worker();
  void handle(const Job& job);

  /// Runs `action`, which returns a Step, on the locked connection, and performs the step.
  template <typename Action>
  void request_context(std::uint64_t serial, const ConnectionPtr& connection, Action action);
  void perform(Connection::Step step, std::uint64_t serial, const ConnectionPtr& connection);
  bool enqueue(std::uint64_t serial, const ConnectionPtr& connection, Request& request);
  bool enqueue_head(std::uint64_t serial, const ConnectionPtr& connection);
  std::optional<Response> judged(const Request& head) const;
  void count_exchange(int change);
  void forget(std::uint64_t serial);

  const ServerOptions options_;
  std::atomic<std::size_t> buffered_bytes_{0};
  std::atomic<std::size_t> unsent_bytes_{0};
  std::atomic<std::uint64_t> dropped_answers_{0};
  const ConnectionRules rules_;

  std::optional<Poco::Net::ServerSocket> listener_;  // used by the reactor only, once it runs
  bool listener_paused_ = false;                     // used by the reactor only
  std::uint64_t next_serial_ = kFirstConnection;     // used by the reactor only
  FileDescriptor epoll_;
  FileDescriptor wake_up_;
  std::atomic<std::uint16_t> port_{0};

  JobQueue<Job> jobs_;
  std::atomic<std::size_t> in_flight_{0};
  std::mutex exchanges_mutex_;
  std::condition_variable no_exchange_;
  int exchanges_ = 0;  // exchanges that still exist, answered or not
  std::atomic<bool> draining_{false};
  std::atomic<bool> stopped_{false};

  std::mutex drain_mutex_;  // one drain at a time; guards start and end of the reactor
  std::thread reactor_;
  std::vector<std::thread> workers_;
  std::thread watch_;

  std::mutex connections_mutex_;  // locked after a connection's own lock, never before
  std::condition_variable all_closed_;
  std::unordered_map<std::uint64_t, ConnectionPtr> connections_;
  std::atomic<bool> idle_closed_{false};  // a drain closed the listener and visited every connection
};

/// A request that waits for a worker, is at a handler, or waits for an operation of the handler.
class Server::Front::Pending final : public Exchange, public std::enable_shared_from_this<Pending> {
 public:
  Pending(Front& front, std::uint64_t serial, ConnectionPtr connection, Request request)
      : front_(front), serial_(serial), connection_(std::move(connection)), request_(std::move(request)) {
    front_.count_exchange(1);
    ++front_.in_flight_;
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() override {
    if (settle() && !front_.stopped_) {
      front_.request_context(serial_, connection_, [&](Connection& waiting) {
        return waiting.refuse(request_, Refusal::handler_failed, "Internal error: the request got no answer.",
                              steady_clock::now());
      });
    }
    connection_.reset();        // may destroy the connection, which still updates counters of the server
    front_.count_exchange(-1);  // after this the server may be gone
  }

  const Request& request() const override { return request_; }
  std::string take_body() override { return std::move(request_.body); }

  void answer(const Response& response) override {
    if (!settle()) return;
    front_.request_context(serial_, connection_, [&](Connection& waiting) {
      return waiting.respond(request_, response, steady_clock::now());
    });
  }

  void resume(std::function<void()> rest) override { front_.jobs_.push_resumed({shared_from_this(), std::move(rest)}); }

  /// Returns a request that does not go to a handler.
  Request withdraw() {
    settle();
    return std::move(request_);
  }

 private:
  /// True for the first caller, which may answer.
  bool settle() {
    if (settled_.exchange(true)) return false;
    --front_.in_flight_;
    return true;
  }

  Front& front_;
  const std::uint64_t serial_;
  ConnectionPtr connection_;
  Request request_;
  std::atomic<bool> settled_{false};
};

void Server::Front::count_exchange(int change) {
  const std::lock_guard lock(exchanges_mutex_);
  exchanges_ += change;
  if (exchanges_ == 0) no_exchange_.notify_all();
}

void Server::Front::start() {
  listen();
  epoll_ = FileDescriptor(::epoll_create1(EPOLL_CLOEXEC));
  wake_up_ = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!epoll_.is_open() || !wake_up_.is_open()) fail("cannot create the HTTP server's event queue");
  watch(listener_->impl()->sockfd(), kListener, EPOLLIN, EPOLL_CTL_ADD);
  watch(wake_up_.get(), kWakeUp, EPOLLIN, EPOLL_CTL_ADD);
  for (std::size_t i = 0; i < options_.limits.worker_threads; ++i) workers_.emplace_back([this] { run_worker(); });
  watch_ = std::thread([this] { jobs_.watch(); });
  reactor_ = std::thread([this] { run_reactor(); });
}

void Server::Front::listen() {
  try {
    const Poco::Net::SocketAddress address(options_.address, options_.port);
    listener_.emplace();
    // Reuse the address but not the port: two servers on one port would each get half of the requests.
    listener_->bind(address, true, false);
    listener_->listen(kBacklog);
    listener_->setBlocking(false);
    // Plugin processes are children of this one and must not inherit the port.
    ::fcntl(listener_->impl()->sockfd(), F_SETFD, FD_CLOEXEC);
    port_ = listener_->address().port();
  } catch (const Poco::Exception& error) {
    throw std::runtime_error("cannot listen on " + options_.address + " port " + std::to_string(options_.port) + ": " +
                             error.displayText() +
                             "; choose another address or port, or stop the program that uses it");
  }
}

void Server::Front::watch(int descriptor, std::uint64_t serial, std::uint32_t events, int operation) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = serial;
  if (::epoll_ctl(epoll_.get(), operation, descriptor, &event) != 0) fail("cannot watch a socket");
}

void Server::Front::wake_reactor() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written =
      ::write(wake_up_.get(), &one, sizeof one);  // when full, the reactor is already awake
}

void Server::Front::run_reactor() {
  auto next_tick = steady_clock::now();
  while (!stopped_) {
    try {
      handle_events();
      if (draining_ && !idle_closed_) begin_drain();
      if (const auto now = steady_clock::now(); now >= next_tick) {
        next_tick = now + std::chrono::milliseconds(kTickMs);
        tick();
      }
    } catch (const std::exception&) {
      // Out of memory. A connection whose event is lost here ends at its deadline; the others are served again.
    }
  }
  listener_.reset();
}

void Server::Front::handle_events() {
  std::array<epoll_event, 256> events;  // NOLINT: epoll_wait fills it
  const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), kTickMs);
  for (int i = 0; i < count; ++i) handle_event(events[static_cast<std::size_t>(i)]);
}

template <typename Action>
void Server::Front::request_context(std::uint64_t serial, const ConnectionPtr& connection, Action action) {
  const std::lock_guard lock(connection->mutex);
  try {
    perform(action(*connection), serial, connection);
  } catch (...) {
    // Out of memory or kernel watches, or a callback threw: close this connection, keep the server.
    connection->close();
    forget(serial);
  }
}

void Server::Front::handle_event(const epoll_event& event) {
  const std::uint64_t serial = event.data.u64;
  if (serial == kWakeUp) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t read = ::read(wake_up_.get(), &count, sizeof count);
    return;
  }
  if (serial == kListener) {
    accept_some();
    return;
  }
  ConnectionPtr connection;
  {
    const std::lock_guard lock(connections_mutex_);
    const auto found = connections_.find(serial);
    if (found == connections_.end()) return;
    connection = found->second;
  }
  request_context(serial, connection, [](Connection& ready) { return ready.on_ready(steady_clock::now()); });
}

void Server::Front::accept_some() {
  for (int i = 0; i < kAcceptsAtOnce && listener_; ++i) {
    if (!accept_one()) return;
  }
}

/// False when no more connections wait, or when none can be accepted now.
bool Server::Front::accept_one() {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  FileDescriptor socket(::accept4(listener_->impl()->sockfd(), reinterpret_cast<sockaddr*>(&address), &length,
                                  SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.is_open()) {
    if (lacks_resources(errno)) {
      // The waiting connection would wake the reactor again and again: ignore the listener until the next tick.
      watch(listener_->impl()->sockfd(), kListener, 0, EPOLL_CTL_MOD);
      listener_paused_ = true;
      return false;
    }
    return errno == ECONNABORTED || errno == EINTR;
  }
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

  const Poco::Net::SocketAddress client(reinterpret_cast<sockaddr*>(&address), length);
  const auto now = steady_clock::now();
  const auto connection = std::make_shared<Connection>(std::move(socket), client.host().toString(), rules_, now);
  const std::uint64_t serial = next_serial_++;
  std::size_t open = 0;
  {
    const std::lock_guard lock(connections_mutex_);
    open = connections_.size();
    if (open >= options_.limits.connections + kTurnedAwayAtOnce) return true;
    connections_.emplace(serial, connection);
  }
  request_context(serial, connection, [&](Connection& accepted) {
    watch(accepted.socket(), serial, 0, EPOLL_CTL_ADD);
    if (open < options_.limits.connections) return Connection::Step::await_input;
    return accepted.refuse(Refusal::overloaded, "The service has too many open connections. Retry after 1 s.", now);
  });
  return true;
}

void Server::Front::tick() {
  if (listener_ && std::exchange(listener_paused_, false)) {
    watch(listener_->impl()->sockfd(), kListener, EPOLLIN, EPOLL_CTL_MOD);
  }
  const auto now = steady_clock::now();
  for (const auto& [serial, connection] : open_connections()) {
    request_context(serial, connection, [now](Connection& open) { return open.on_tick(now); });
  }
}

void Server::Front::begin_drain() {
  listener_.reset();
  const auto now = steady_clock::now();
  for (const auto& [serial, connection] : open_connections()) {
    request_context(serial, connection, [now](Connection& open) { return open.on_drain(now); });
  }
  const std::lock_guard lock(connections_mutex_);
  idle_closed_ = true;
  all_closed_.notify_all();
}

std::vector<std::pair<std::uint64_t, Server::Front::ConnectionPtr>> Server::Front::open_connections() {
  const std::lock_guard lock(connections_mutex_);
  return {connections_.begin(), connections_.end()};
}

void Server::Front::run_worker() {
  while (const std::optional<Job> job = jobs_.pop()) handle(*job);
}

void Server::Front::handle(const Job& job) {
  try {
    job.rest ? job.rest() : options_.handler(job.exchange);
  } catch (...) {
    // The exchange is destroyed without an answer, so a refusal follows. The handler logs its own errors; it must not
    // throw.
  }
}

void Server::Front::perform(Connection::Step step, std::uint64_t serial, const ConnectionPtr& connection) {
  if (step == Connection::Step::judge_head) {
    if (enqueue_head(serial, connection)) return;
    step = connection->refuse(Refusal::overloaded, "The service has too many waiting requests. Retry after 1 s.",
                              steady_clock::now());
  }
  while (step == Connection::Step::handle) {
    Request request = connection->take_request();
    if (enqueue(serial, connection, request)) return;
    step = connection->refuse(request, Refusal::overloaded,
                              "The service has too many waiting requests. Retry after 1 s.", steady_clock::now());
  }
  switch (step) {
    case Connection::Step::await_input:
      watch(connection->socket(), serial, EPOLLIN | EPOLLRDHUP | EPOLLONESHOT, EPOLL_CTL_MOD);
      break;
    case Connection::Step::await_output:
      watch(connection->socket(), serial, EPOLLOUT | EPOLLONESHOT, EPOLL_CTL_MOD);
      break;
    case Connection::Step::close:
      forget(serial);
      break;
    case Connection::Step::judge_head:
    case Connection::Step::handle:
    case Connection::Step::none:
      break;
  }
}

/// A worker judges the head, because the reactor must not wait for the store.
bool Server::Front::enqueue_head(std::uint64_t serial, const ConnectionPtr& connection) {
  return jobs_.push({nullptr, [this, serial, connection, head = connection->request_head()] {
                       const auto answer = judged(head);
                       request_context(serial, connection, [&](Connection& waiting) {
                         return answer ? waiting.respond_to_head(*answer, steady_clock::now())
                                       : waiting.read_body(steady_clock::now());
                       });
                     }});
}

/// Nothing when the judgement fails: the handler of the whole request answers then.
std::optional<Response> Server::Front::judged(const Request& head) const {
  try {
    return options_.judge_head ? options_.judge_head(head) : std::nullopt;
  } catch (...) {
    return std::nullopt;
  }
}

bool Server::Front::enqueue(std::uint64_t serial, const ConnectionPtr& connection, Request& request) {
  // Keep no reference to the exchange here: it would be destroyed under the connection's lock, which its destructor
  // takes.
  Job job{std::make_shared<Pending>(*this, serial, connection, std::move(request)), {}};
  if (jobs_.push(std::move(job))) return true;
  request = job.exchange->withdraw();  // NOLINT(bugprone-use-after-move): a job that is refused is not moved
  return false;
}

void Server::Front::forget(std::uint64_t serial) {
  const std::lock_guard lock(connections_mutex_);
  connections_.erase(serial);
  if (connections_.empty()) all_closed_.notify_all();
}

bool Server::Front::drain(std::chrono::milliseconds deadline) {
  const std::lock_guard one_at_a_time(drain_mutex_);
  if (!reactor_.joinable()) return true;
  draining_ = true;
  wake_reactor();
  bool all_closed = false;
  {
    std::unique_lock lock(connections_mutex_);
    all_closed = all_closed_.wait_for(lock, deadline, [this] { return idle_closed_ && connections_.empty(); });
  }
  stopped_ = true;
  wake_reactor();
  reactor_.join();
  jobs_.close();
  for (const auto& [serial, connection] : open_connections()) {
    const std::lock_guard lock(connection->mutex);
    connection->close();
    forget(serial);
  }
  return all_closed;
}

Server::Server(ServerOptions options) : front_(std::make_unique<Front>(std::move(options))) {}
Server::~Server() = default;
void Server::start() {
  front_->start();
}
std::uint16_t Server::port() const {
  return front_->port();
}
bool Server::drain(std::chrono::milliseconds deadline) {
  return front_->drain(deadline);
}
std::size_t Server::in_flight() const {
  return front_->in_flight();
}
Server::Unsent Server::unsent() const {
  return front_->unsent();
}

}  // namespace tideover::http
