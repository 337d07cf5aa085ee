// The door of a running service for administrative commands: a Unix socket beside the embedded store, for the service's own
// user and root. One thread serves one command at a time, in order; a peer that talks nonsense or nothing only loses its turn,
// and nothing here takes a worker from the API.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <thread>

#include "core/main/desk.hpp"

namespace tideover::main {

/// Where the service on this store listens. Empty where the store is not embedded: then every command opens it itself.
std::filesystem::path control_socket_file(const settings::Settings& settings);

class ControlSocket {
 public:
  using Serve = std::function<AdminReply(const AdminRequest&)>;
  using Trouble = std::function<void(std::string_view problem)>;

  /// Listens from here on; a file that a killed service left is replaced (the lock on the store says that it is dead).
  /// Throws StartError with a sentence.
  ControlSocket(const std::filesystem::path& file, Serve serve, Trouble on_trouble);
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  ~ControlSocket();

  /// Takes no more commands, tells the one that runs to end, and waits for it.
  void stop();

 private:
  void run();
  void serve_one(int peer);

  const std::filesystem::path file_;
  const Serve serve_;
  const Trouble on_trouble_;
  int listener_ = -1;
  int stop_event_ = -1;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

/// A connection to the service that listens there, or nothing when none does.
std::optional<int> connect_to_service(const std::filesystem::path& file);

}  // namespace tideover::main
