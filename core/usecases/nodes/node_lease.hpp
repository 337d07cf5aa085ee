// Holds the name of this process among those that share a database, by a lease that a heartbeat renews: two processes
// never use one name by mistake, and operators see which nodes are gone. Only the distribution of work depends on it,
// never money. A wrong clock or a process that hung past its lease is found at the next heartbeat.
//
// Threads: use from one thread at a time.
#pragma once
#include <chrono>
#include <functional>

#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// What this machine knows of a process that wrote its identity into the database.
enum class ProcessState { alive, gone, elsewhere };

struct NodeLeaseOptions {
  std::string name;
  std::string process;  // the identity of this process
  std::string version;
  std::function<ProcessState(const std::string& process)> state_of;
  std::chrono::milliseconds lease{10'000};
};

class NodeLease {
 public:
  NodeLease(ports::Store& store, const ports::Clock& clock, NodeLeaseOptions options);

  /// Takes the name. When the last holder may run on another machine, calls `wait` until its lease has expired. Error
  /// when the holder is alive, with a message for the operator.
  domain::Status take(const std::function<void(std::chrono::milliseconds)>& wait);
  /// The heartbeat. Error invalid_state when another process took the name after the lease expired.
  domain::Status renew();
  /// Ends the lease, so that the next process with this name need not wait.
  void leave();

  /// All nodes as text: "a, b; silent since 2026-11-20T12:00:00.000Z: c".
  domain::Result<std::string> neighbours() const;

 private:
  domain::Status refusal(const ports::Node& holder) const;
  /// Error conflict when another process was first.
  domain::Status write(int epoch);

  ports::Store& store_;
  const ports::Clock& clock_;
  const NodeLeaseOptions options_;
  int epoch_ = 0;
};

}  // namespace tideover::usecases
