#include "core/admin/control_socket.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "core/admin/control_message.hpp"
#include "core/node/start_error.hpp"
#include "core/settings/settings.hpp"

namespace tideover::admin {
namespace {

constexpr auto kRequestTime = std::chrono::seconds(2);
constexpr auto kReplyTime = std::chrono::seconds(5);
constexpr int kBacklog = 16;
constexpr int kAcceptPauseMs = 100;
/// Each peer has a thread; further peers wait to be accepted.
constexpr std::size_t kMostPeers = 32;

/// The directory of a socket, held open. A socket address is limited to 107 bytes, so the socket is addressed through
/// the descriptor of its directory, whatever the length of the path.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& file)
      : descriptor_(
            ::open(file.parent_path().empty() ? "." : file.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  std::optional<sockaddr_un> address_of(const std::filesystem::path& name) const {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor_) + '/' + name.string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (descriptor_ < 0 || path.size() >= sizeof(address.sun_path)) return std::nullopt;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
  }

 private:
  const int descriptor_;
};

node::StartError cannot_listen(const std::filesystem::path& file) {
  return node::StartError("The control socket " + file.string() +
                          " cannot be opened: " + std::generic_category().message(errno) + ".");
}

bool is_ours(int peer) {
  ucred credentials{};
  socklen_t length = sizeof(credentials);
  if (::getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return false;
  return credentials.uid == ::geteuid() || credentials.uid == 0;
}

std::optional<AdminRequest> request_of(const ControlMessage& message) {
  if (message.size() < 2 || message.size() % 2 != 0 || message[0] != kControlProtocol) return std::nullopt;
  AdminRequest request;
  request.verb = message[1];
  for (std::size_t i = 2; i < message.size(); i += 2) request.options[message[i]] = message[i + 1];
  return request;
}

}  // namespace

std::filesystem::path control_socket_file(const settings::Settings& settings) {
  // Of a shared database, the node is found by its rail journal.
  const bool is_embedded = settings.store.driver == settings::StoreDriver::sqlite;
  return (is_embedded ? settings.store.sqlite.path : settings.funding.journal_path).string() + ".control";
}

ControlSocket::ControlSocket(const std::filesystem::path& file, Serve serve, TakesLong takes_long, Trouble on_trouble)
    : file_(file), serve_(std::move(serve)), takes_long_(std::move(takes_long)), on_trouble_(std::move(on_trouble)) {
  const Folder folder(file);
  const auto address = folder.address_of(file.filename());
  if (!address) {
    errno = ENAMETOOLONG;
    throw cannot_listen(file);
  }
  ::unlink(file.c_str());
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // The socket gets its mode at creation, so it is never open to other users.
  const bool listens = listener_ >= 0 && ::fchmod(listener_, 0600) == 0 &&
                       ::bind(listener_, reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) == 0 &&
                       ::listen(listener_, kBacklog) == 0;
  stop_event_ = ::eventfd(0, EFD_CLOEXEC);
  if (!listens || stop_event_ < 0) {
    const auto error = cannot_listen(file);
    if (listener_ >= 0) ::close(listener_);
    if (stop_event_ >= 0) ::close(stop_event_);
    throw error;
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

ControlSocket::~ControlSocket() {
  stop();
  ::close(stop_event_);
}

void ControlSocket::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_event_, &one, sizeof(one));
  thread_.join();
  ::unlink(file_.c_str());
  ::close(listener_);
}

void ControlSocket::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    pollfd waiting[2] = {{listener_, POLLIN, 0}, {stop_event_, POLLIN, 0}};
    const int ready = ::poll(waiting, 2, -1);
    if (stop.stop_requested()) break;
    peers_.remove_if([](const Peer& peer) { return peer.is_served.load(); });
    if (ready >= 0 && (waiting[0].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
      on_trouble_("the control socket has failed; restart the service to use commands again");
      break;
    }
    if (ready >= 0 && (waiting[0].revents & POLLIN) != 0 && peers_.size() < kMostPeers && accept_one()) continue;
    ::poll(&waiting[1], 1,
           kAcceptPauseMs);  // memory, descriptors or threads are exhausted: an immediate retry would fail too
  }
  for (auto& peer : peers_) peer.thread.request_stop();
  peers_.clear();
}

bool ControlSocket::accept_one() {
  const int peer = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (peer < 0) return false;
  try {
    auto& served = peers_.emplace_back();
    served.thread = std::jthread([this, peer, &is_served = served.is_served](const std::stop_token& stop) {
      try {
        serve_one(peer, stop);
      } catch (const std::exception& error) {
        on_trouble_(error.what());
      }
      ::close(peer);
      is_served = true;
    });
    return true;
  } catch (const std::exception& error) {
    on_trouble_(error.what());
    if (!peers_.empty() && !peers_.back().thread.joinable()) peers_.pop_back();
    ::close(peer);
    return false;
  }
}

void ControlSocket::serve_one(int peer, const std::stop_token& stop) {
  if (!is_ours(peer)) return on_trouble_("refused a control command of another user");
  const auto message = receive_message(peer, kMostRequestBytes, kRequestTime);
  auto request = message ? request_of(*message) : std::nullopt;
  if (!request) return on_trouble_("refused a message on the control socket that is not a command of this version");
  bool there = true;
  request->progress = [&](std::string_view line) {
    if (!line.empty()) there = there && send_message(peer, {"progress", std::string(line)}, kReplyTime);
    return there && !stop.stop_requested();
  };
  const auto reply = serve_in_turn(*request, stop);
  send_message(peer, {"reply", std::to_string(reply.exit_code), reply.out, reply.err}, kReplyTime);
}

AdminReply ControlSocket::serve_in_turn(const AdminRequest& request, const std::stop_token& stop) {
  if (!takes_long_(request.verb)) return serve_(request);
  std::unique_lock turn(long_turn_, std::try_to_lock);
  if (!turn) {
    request.progress("Another command is running. This command starts when it has ended.");
    turn.lock();
  }
  if (stop.stop_requested()) return {1, "", "tideover: The service is stopping. The command was not started.\n"};
  return serve_(request);
}

std::optional<int> connect_to_service(const std::filesystem::path& file) {
  const Folder folder(file);
  const auto address = folder.address_of(file.filename());
  if (!address) return std::nullopt;
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return std::nullopt;
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) == 0) return descriptor;
  const int problem = errno;
  ::close(descriptor);
  if (problem == EACCES || problem == EPERM)
    throw node::StartError("The control socket " + file.string() +
                           " belongs to another user. Run this command as the user of the service.");
  return std::nullopt;
}

}  // namespace tideover::admin
