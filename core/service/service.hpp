// The service: constructs and connects all parts, starts and stops them in order.
#pragma once
#include <memory>

#include "core/settings/settings.hpp"

namespace tideover::service {

class Service {
 public:
  /// Starts serving. Throws StartError or std::runtime_error with a sentence on failure.
  explicit Service(const settings::Settings& settings);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  std::uint16_t port() const;
  std::uint16_t ops_port() const;
  /// Reopens the log file and checks the rules now.
  void reload();
  /// True when the disk of the embedded store failed, or another process uses this node's name. SIGTERM was then
  /// raised, and the process should exit with a code that reports the failure to its supervisor.
  bool broken() const;
  /// Stops accepting requests, finishes those in progress, then ends all parts. False when a request was cut off.
  bool drain();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tideover::service
