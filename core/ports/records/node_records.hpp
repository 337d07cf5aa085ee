// The processes that share one database: who runs under which name, and until when its word counts; and work that one
// of them does for all.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"

namespace tideover::ports {

struct Node {
  std::string name;
  std::string process;  // machine, process id and start: two lives of one node differ in it
  std::string version;  // of the program
  int epoch = 0;        // raised by each process that takes the name
  domain::Timestamp started_at;
  domain::Timestamp lease_end;  // renewed by a heartbeat while the process lives
};

class NodeRecords {
 public:
  virtual ~NodeRecords() = default;
  virtual std::optional<Node> find(std::string_view name) const = 0;
  virtual std::vector<Node> list() const = 0;
  /// Writes the node where the name is free or its epoch still is node.epoch - 1; false when somebody was first.
  virtual bool take(const Node& node) = 0;
  /// Moves the end of the lease; false when another process has taken the name since.
  virtual bool renew(std::string_view name, int epoch, domain::Timestamp lease_end) = 0;

  /// Gives `work` to a node until `lease_end`, also when it has it already; false while another one has it, or it is
  /// not due. Two that are first at once: one of them gets a unique violation.
  virtual bool take_work(std::string_view work, std::string_view node, domain::Timestamp now,
                         domain::Timestamp lease_end) = 0;
  /// It is due again at `next_at`. Nothing changes where another node has taken it meanwhile.
  virtual void finish_work(std::string_view work, std::string_view node, domain::Timestamp next_at) = 0;
};

}  // namespace tideover::ports
