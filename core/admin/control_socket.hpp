// The control socket of a running service for administrative commands: a Unix socket next to the embedded store, or to
// the rail journal of a node on a shared database, for the service's own user and root. Each peer has a thread, so a
// short command does not wait for a long one. Long commands run one at a time. An invalid or silent peer blocks only
// its own thread; no API worker is used.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "core/admin/admin_context.hpp"

namespace tideover::admin {

/// The socket path of the service of this node.
std::filesystem::path control_socket_file(const settings::Settings& settings);

class ControlSocket {
 public:
  /// Called on several threads at once.
  using Serve = std::function<AdminReply(const AdminRequest&)>;
  /// True when a command of this name may take long, so that other long ones must wait for it.
  using TakesLong = std::function<bool(const std::string& verb)>;
  using Trouble = std::function<void(std::string_view problem)>;

  /// Starts to listen. Replaces the socket file of a killed service; the caller holds the lock of the store, so that
  /// service is gone. Throws StartError on failure.
  ControlSocket(const std::filesystem::path& file, Serve serve, TakesLong takes_long, Trouble on_trouble);
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  ~ControlSocket();

  /// Accepts no more commands, asks running ones to end, and waits for them.
  void stop();

 private:
  struct Peer {
    std::atomic<bool> is_served = false;
    std::jthread thread;  // last member: it uses the others
  };

  void run(const std::stop_token& stop);
  bool accept_one();
  void serve_one(int peer, const std::stop_token& stop);
  AdminReply serve_in_turn(const AdminRequest& request, const std::stop_token& stop);

  const std::filesystem::path file_;
  const Serve serve_;
  const TakesLong takes_long_;
  const Trouble on_trouble_;
  int listener_ = -1;
  int stop_event_ = -1;
  std::mutex long_turn_;
  std::list<Peer> peers_;  // used by the accepting thread only
  std::jthread thread_;
};

/// A connection to the service on this socket; nothing when none listens.
std::optional<int> connect_to_service(const std::filesystem::path& file);

}  // namespace tideover::admin
