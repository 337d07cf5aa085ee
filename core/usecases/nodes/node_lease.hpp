// This process among those that share a database: it holds its node's name by a lease that a heartbeat renews, so that
// two processes never run under one name by mistake, and everybody sees who is gone. Only order depends on it, never
// money: a clock that is wrong or a process that hung past its lease is found out at the next heartbeat. Used by one
// thread at a time.
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
  std::string process;  // the identity of this one
  std::string version;
  std::function<ProcessState(const std::string& process)> state_of;
  std::chrono::milliseconds lease{10'000};
};

class NodeLease {
 public:
  NodeLease(ports::Store& store, const ports::Clock& clock, NodeLeaseOptions options);

  /// Takes the name. Where the last holder may live on another machine, `wait` is called until its lease has run out.
  /// An Error when it proves alive, in a sentence for the operator.
  domain::Status take(const std::function<void(std::chrono::milliseconds)>& wait);
  /// The heartbeat. Error invalid_state when another process has taken the name meanwhile: it was given up for dead.
  domain::Status renew();
  /// Ends the lease, so that the next process of this name need not wait.
  void leave();

  /// All nodes, in words: "a, b; silent since 2026-11-20T12:00:00.000Z: c".
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
