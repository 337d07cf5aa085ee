// The processes that share one database, with their names and leases, and work that one of them does for all.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"

namespace tideover::ports {

struct Node {
  std::string name;
  std::string process;  // machine, process id and start: differs after a restart
  std::string version;  // of the program
  int epoch = 0;        // raised by each process that takes the name
  domain::Timestamp started_at;
  domain::Timestamp lease_end;  // renewed by a heartbeat while the process runs
};

class NodeRecords {
 public:
  virtual ~NodeRecords() = default;
  virtual std::optional<Node> find(std::string_view name) const = 0;
  virtual std::vector<Node> list() const = 0;
  /// Writes the node if the name is free or its epoch is node.epoch - 1. False when another process was first.
  virtual bool take(const Node& node) = 0;
  /// Moves the end of the lease. False when another process has taken the name.
  virtual bool renew(std::string_view name, int epoch, domain::Timestamp lease_end) = 0;

  /// Gives `work` to a node until `lease_end`, also when the node has it. False while another node has it, or when it
  /// is not due. If two are first, one gets a unique violation.
  virtual bool take_work(std::string_view work, std::string_view node, domain::Timestamp now,
                         domain::Timestamp lease_end) = 0;
  /// The work is due again at `next_at`. No change when another node has taken it.
  virtual void finish_work(std::string_view work, std::string_view node, domain::Timestamp next_at) = 0;
};

}  // namespace tideover::ports
