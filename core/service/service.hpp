// The whole service: every part constructed, connected, started, and ended in the right order.
#pragma once
#include <memory>

#include "core/settings/settings.hpp"

namespace tideover::main {

class Service {
 public:
  /// Starts serving. Throws StartError (or std::runtime_error) with a sentence when it cannot.
  explicit Service(const settings::Settings& settings);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  std::uint16_t port() const;
  std::uint16_t ops_port() const;
  /// Opens the log file anew and looks at the rules now.
  void reload();
  /// The disk under the embedded store failed, or another process has this one's node name: SIGTERM was raised on the
  /// own process, and it should end with an exit code that tells its supervisor.
  bool broken() const;
  /// Stops taking requests, finishes those in flight, then ends everything; false when something was cut off.
  bool drain();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tideover::main
