// The Unix socket of a running service for administrative commands, next to the embedded store, for the user of the
// service and root. Each peer has a thread, so that a short command never waits for a long one; long commands run one
// at a time. An invalid or idle peer blocks only its own thread and no worker of the API.
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

namespace tideover::main {

/// The path of the socket for this store. Empty if the store is not embedded: then every command opens the store
/// itself.
std::filesystem::path control_socket_file(const settings::Settings& settings);

class ControlSocket {
 public:
  /// Called on several threads at once.
  using Serve = std::function<AdminReply(const AdminRequest&)>;
  /// Whether the command may run long, so that others of this kind wait for it.
  using TakesLong = std::function<bool(const std::string& verb)>;
  using Trouble = std::function<void(std::string_view problem)>;

  /// Starts to listen. A file of a killed service is replaced (the lock on the store shows that it is dead). Throws
  /// StartError with a sentence.
  ControlSocket(const std::filesystem::path& file, Serve serve, TakesLong takes_long, Trouble on_trouble);
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  ~ControlSocket();

  /// Accepts no more commands, asks the running ones to end, and waits for them.
  void stop();

 private:
  struct Peer {
    std::atomic<bool> is_served = false;
    std::jthread thread;  // last, so that it ends before what it uses is destroyed
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

/// A connection to the service that listens there; none if no service does.
std::optional<int> connect_to_service(const std::filesystem::path& file);

}  // namespace tideover::main
