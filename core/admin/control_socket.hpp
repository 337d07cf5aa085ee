// The door of a running service for administrative commands: a Unix socket beside the embedded store, for the service's
// own user and root. Each peer has a thread, so that a short command never waits for a long one; of the long ones one
// runs at a time. A peer that sends nonsense or nothing holds its own thread only, and nothing here takes a worker from
// the API.
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

/// Where the service on this store listens. Empty where the store is not embedded: then every command opens it itself.
std::filesystem::path control_socket_file(const settings::Settings& settings);

class ControlSocket {
 public:
  /// Called on several threads at once.
  using Serve = std::function<AdminReply(const AdminRequest&)>;
  /// Whether a command of this name may take so long that others of its kind wait for it.
  using TakesLong = std::function<bool(const std::string& verb)>;
  using Trouble = std::function<void(std::string_view problem)>;

  /// Listens from here on; a file that a killed service left is replaced (the lock on the store says that it is dead).
  /// Throws StartError with a sentence.
  ControlSocket(const std::filesystem::path& file, Serve serve, TakesLong takes_long, Trouble on_trouble);
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  ~ControlSocket();

  /// Takes no more commands, tells those that run to end, and waits for them.
  void stop();

 private:
  struct Peer {
    std::atomic<bool> is_served = false;
    std::jthread thread;  // behind what it sets
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
  std::list<Peer> peers_;  // of the thread that accepts
  std::jthread thread_;
};

/// A connection to the service that listens there, or nothing when none does.
std::optional<int> connect_to_service(const std::filesystem::path& file);

}  // namespace tideover::main
