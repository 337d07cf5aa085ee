// The whole service: constructs, connects, starts and stops every part in order. Call from one thread.
#pragma once
#include <memory>

#include "core/settings/settings.hpp"

namespace tideover::main {

class Service {
 public:
  /// Starts serving. Throws StartError (or std::runtime_error) with a sentence if it cannot.
  explicit Service(const settings::Settings& settings);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  std::uint16_t port() const;
  std::uint16_t ops_port() const;
  /// Reopens the log file and checks the rules folder.
  void reload();
  /// True if the disk under the embedded store failed or another process has this node's name. SIGTERM was then
  /// raised, and the process should end with an exit code for its supervisor.
  bool broken() const;
  /// Stops accepting requests, finishes those in progress, then ends all parts. False if work was cut off.
  bool drain();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tideover::main
